package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"

	"github.com/hashicorp/hcl/v2"
	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// The exit codes of every command.
const (
	exitOK       = 0
	exitProblems = 1
	exitMisuse   = 2
	// exitChanges is "plan -detailed-exitcode" with changes, exitUnformatted "fmt -check" with files to format.
	exitChanges     = 2
	exitUnformatted = 3
)

// app is one invocation of the command line.
type app struct {
	stdin          io.Reader
	stdout, stderr io.Writer
	environ        []string
	// interactive says that somebody can answer questions on stdin.
	interactive bool

	term   *view.Terminal
	flags  commonFlags
	failed *stickyWriter
	// files are the sources that diagnostics may quote, once they were read.
	files map[string]*hcl.File
	// graphFile is the graph file that the command line names, "" when it names something else.
	graphFile string
	// ignores are the comments of the configuration that hide warnings; shown are the diagnostics that were shown so far.
	ignores *syntax.Ignores
	shown   diag.Diagnostics
	// inputs are the files that the command reads, arrays those of its runs, outputs the ones that its flags have it write.
	inputs, arrays inputFiles
	outputs        []outputFile
	// log is where the log goes, nil for standard error.
	log io.Writer
	// typed is the last argument as it was typed.
	typed string
	// exit is what the verb that ran decided.
	exit int
}

// main runs the command line and returns the exit code.
func (a *app) main(ctx context.Context, args []string) int {
	a.failed = &stickyWriter{out: a.stdout}
	stopLog, err := a.startLog()
	if err != nil {
		fmt.Fprintf(a.stderr, "memplan: opening the log: %v\n", err)
		return exitProblems
	}
	defer stopLog()
	if len(args) > 0 {
		a.typed = args[len(args)-1]
	}
	root := a.newRoot()
	takesValue := valueFlags(root)
	args = spelledOut(normalise(args, takesValue), takesValue)
	args, wrong := a.withEnvironment(args, takesValue)
	a.flags.json = asksForJSON(args)
	a.term = a.terminal(slices.Contains(args, "--no-color"))
	if wrong != nil {
		return a.misuse("", *wrong)
	}
	if asksForCompletion(args) {
		return a.complete(root, args)
	}
	code, ok := a.dispatch(ctx, root, args, takesValue)
	if !ok {
		return code
	}
	if err := a.writeSARIF(); err != nil {
		return exitProblems
	}
	if a.failed.err != nil && !errors.Is(a.failed.err, syscall.EPIPE) {
		fmt.Fprintf(a.stderr, "memplan: writing to standard output: %v\n", a.failed.err)
		return exitProblems
	}
	return a.exit
}

// dispatch finds the verb and runs it. The second result is false when the arguments were wrong and it never ran.
func (a *app) dispatch(ctx context.Context, root *cobra.Command, args []string, takesValue func(string) bool) (int, bool) {
	cmd, _, err := root.Find(args)
	switch {
	case err != nil:
		return a.misuse("", unknownCommand(root, firstWord(args, takesValue))), false
	case cmd == root && !asksForHelp(args):
		var fault *misuseError
		if errors.As(flagFault(root, root.ParseFlags(args)), &fault) {
			return a.misuse("", fault.fault), false
		}
		if a.flags.json {
			return a.misuse("", diag.New(diag.WrongArguments, "No command was given. \"memplan -help\" describes them.")), false
		}
		root.SetOut(a.stderr)
		if err := root.Help(); err != nil {
			return exitProblems, false
		}
		return exitMisuse, false
	}
	root.SetArgs(args)
	if err := root.ExecuteContext(ctx); err != nil {
		var fault *misuseError
		if !errors.As(err, &fault) {
			fault = &misuseError{diag.New(diag.WrongArguments, "%v.", err)}
		}
		code := a.misuse(cmd.Name(), a.traced(cmd, fault.fault, takesValue))
		if fault.fault.ID == diag.PathNotFound || fault.fault.ID == diag.FileUnreadable {
			code = exitProblems
		}
		return code, false
	}
	return exitOK, true
}

// terminal sets up the output for the verb.
func (a *app) terminal(noColour bool) *view.Terminal {
	noColour = noColour || a.environment("NO_COLOR") != "" || a.environment("TERM") == "dumb"
	t := view.NewTerminal(a.stdout, a.stderr, noColour)
	t.Out = a.failed
	return t
}

// sources gives views the text of the files of the configuration and, once one of them is at fault, of a graph file or a
// variables file that the command line names; of nothing else.
func (a *app) sources(filename string) *hcl.File {
	if file := a.files[filename]; file != nil || !a.named(filename) {
		return file
	}
	info, err := os.Stat(filename)
	if err != nil || !info.Mode().IsRegular() || info.Size() > largestQuoted {
		return nil
	}
	if text, err := os.ReadFile(filename); err == nil {
		a.remember(filename, text)
	}
	return a.files[filename]
}

// largestQuoted is the size in bytes of a file up to which diagnostics quote it.
const largestQuoted = 16 << 20

func (a *app) named(filename string) bool {
	return filename != "" && (filename == a.graphFile || slices.ContainsFunc(a.flags.variables, func(v eval.Argument) bool { return v.File == filename }))
}

// outcome is how a verb ended: with an exit code after it has shown its result, or with what kept it from one.
type outcome struct {
	exit  int
	diags diag.Diagnostics
	err   error
}

func done(exit int) outcome                { return outcome{exit: exit} }
func problems(ds diag.Diagnostics) outcome { return outcome{exit: exitProblems, diags: ds} }
func problem(id diag.ID, s string, v ...any) outcome {
	return problems(diag.Diagnostics{diag.New(id, s, v...)})
}
func fault(err error) outcome { return outcome{exit: exitProblems, err: err} }

// finish shows what kept a verb from its result, if anything did, and remembers the exit code.
func (a *app) finish(v view.Verb, o outcome) {
	a.exit = o.exit
	if o.err != nil {
		a.exit = exitProblems
		o.diags = append(o.diags, failure(o.err))
	}
	if slices.ContainsFunc(o.diags, func(d diag.Diagnostic) bool { return d.ID == diag.WrongArguments }) {
		a.exit = exitMisuse // whether it shows before or after something was read
	}
	if len(o.diags) > 0 {
		v.Failed(a.judged(o.diags))
	}
}

// failure makes a diagnostic of an error that no diagnostic describes.
func failure(err error) diag.Diagnostic {
	if errors.Is(err, context.Canceled) {
		return diag.New(diag.Interrupted, "The command was interrupted before it had a result. Nothing was written.")
	}
	var carried *diag.Diagnostic
	if errors.As(err, &carried) {
		return diag.New(diag.InternalFault, "%v. This is a fault of memplan; please report it with the files that show it.", err)
	}
	return diag.New(diag.InternalFault, "%v. If nothing outside of memplan explains it, please report it with the files that show it.", err)
}

// judged takes out the warnings that comments hide, and makes errors of the others where the user wants that. Everything
// that is shown goes through it.
func (a *app) judged(ds diag.Diagnostics) diag.Diagnostics {
	out := slices.Clone(a.ignores.Kept(ds))
	if a.flags.warningsAsErrors {
		for i := range out {
			out[i].Severity = diag.Error
		}
	}
	a.shown = append(a.shown, out...)
	return out
}

// judgedAll is judged for verbs that show everything there is to say of a configuration. Comments that hide nothing are
// reported then, unless an error has kept some warnings from being found.
func (a *app) judgedAll(ds diag.Diagnostics) diag.Diagnostics {
	kept := a.ignores.Kept(ds)
	if !kept.HasErrors() {
		kept = append(kept, a.ignores.Faults()...)
	}
	return a.judged(kept)
}

// stickyWriter remembers the first failure, so that a full disk or a closed pipe is not taken for success.
type stickyWriter struct {
	out io.Writer
	err error
}

// Write writes until the first failure, and returns that ever after.
func (w *stickyWriter) Write(data []byte) (int, error) {
	if w.err != nil {
		return 0, w.err
	}
	n, err := w.out.Write(data)
	w.err = err
	return n, err
}
