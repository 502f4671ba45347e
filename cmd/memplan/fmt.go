package main

import (
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner/plan"
)

const fmtHelp = `fmt brings configuration files into canonical form: indentation and alignment, nothing else. In a directory it takes
every .hcl file; "-" reads standard input and writes standard output. A file with syntax errors is left alone.

Exit status: 0 all files are in canonical form now; 2 some could not be read; 3 with -check, some are not.`

// formatter is one invocation of fmt.
type formatter struct {
	check, diff, write, list, recursive bool
	app                                 *app
	files                               []view.Formatted
	diags                               diag.Diagnostics
}

func (a *app) fmtCommand() *cobra.Command {
	f := &formatter{app: a}
	cmd := &cobra.Command{
		Use: "fmt [flags] [FILE or DIR or -]...", Short: "Bring configuration files into canonical form", Long: fmtHelp,
		RunE: func(_ *cobra.Command, args []string) error {
			v := view.NewFmt(a.flags.json, a.term, a.sources)
			a.finish(v, f.run(v, args))
			return nil
		},
	}
	flags := cmd.Flags()
	flags.BoolVar(&f.check, "check", false, "write nothing; exit with status 3 if a file is not formatted")
	flags.BoolVar(&f.diff, "diff", false, "show the changes as a unified diff")
	flags.BoolVar(&f.write, "write", true, "leave the files alone")
	flags.BoolVar(&f.list, "list", true, "do not name the files that are not formatted")
	flags.BoolVar(&f.recursive, "recursive", false, "format the files of subdirectories too")
	return cmd
}

func (f *formatter) run(v view.Fmt, args []string) outcome {
	if len(args) == 0 {
		args = []string{"."}
	}
	f.write = f.write && !f.check
	for _, arg := range args {
		if err := f.path(arg); err != nil {
			return outcome{exit: exitMisuse, err: err}
		}
	}
	v.Result(f.files, f.list, f.app.judged(f.diags))
	switch {
	case f.diags.HasErrors():
		return done(exitMisuse)
	case f.check && slices.ContainsFunc(f.files, func(x view.Formatted) bool { return x.Changed }):
		return done(exitUnformatted)
	}
	return done(exitOK)
}

// path formats a file, the files of a directory, or standard input.
func (f *formatter) path(name string) error {
	if name == "-" {
		return f.standardInput()
	}
	info, err := os.Stat(name)
	if err != nil {
		f.diags = append(f.diags, unreadable(name, err))
		return nil
	}
	if !info.IsDir() {
		f.file(name)
		return nil
	}
	root := filepath.Clean(name)
	if entry, err := os.Lstat(root); err == nil && entry.Mode()&fs.ModeSymlink != 0 {
		root += string(filepath.Separator) // what a link leads to is walked only so
	}
	return filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			f.diags = append(f.diags, unreadable(path, err))
			return nil
		case entry.IsDir() && path != root && (!f.recursive || strings.HasPrefix(entry.Name(), ".")):
			return fs.SkipDir
		case !entry.Type().IsRegular() || !isConfigurationFile(entry.Name()):
			return nil
		}
		f.file(path)
		return nil
	})
}

// isConfigurationFile leaves out what editors put beside the files they edit.
func isConfigurationFile(name string) bool {
	return strings.HasSuffix(name, ".hcl") && !strings.HasPrefix(name, ".") && !strings.HasPrefix(name, "#")
}

func (f *formatter) file(name string) {
	src, err := syntax.Disk{}.ReadFile(name)
	if err != nil {
		f.diags = append(f.diags, unreadable(name, err))
		return
	}
	shown := filepath.ToSlash(name)
	formatted, changed := f.format(shown, src)
	if changed && f.write {
		if err := rewrite(name, formatted); err != nil {
			f.files = f.files[:len(f.files)-1] // it is as it was
			f.diags = append(f.diags, notWritten(shown, err))
		}
	}
}

// rewrite replaces the content of a file, or of the file that a link leads to, and keeps its permissions.
func rewrite(name string, content []byte) error {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(name)
	if err != nil {
		return err
	}
	if err := plan.WriteFile(name, content); err != nil {
		return err
	}
	return os.Chmod(name, info.Mode().Perm())
}

func (f *formatter) standardInput() error {
	src, err := io.ReadAll(io.LimitReader(f.app.stdin, syntax.MaxFileSize+1))
	if err != nil {
		return err
	}
	formatted, changed := f.format("<stdin>", src)
	if f.check || f.diff || f.diags.HasErrors() {
		return nil
	}
	last := &f.files[len(f.files)-1]
	last.Text = string(formatted)
	last.Changed = last.Changed && changed
	f.list = false
	return nil
}

// format formats one text and records what became of it.
func (f *formatter) format(name string, src []byte) (formatted []byte, changed bool) {
	formatted, ds := syntax.Format(name, src)
	if ds.HasErrors() {
		f.app.remember(name, src)
		f.diags = append(f.diags, ds...)
		return src, false
	}
	result := view.Formatted{Path: name, Changed: string(formatted) != string(src)}
	if f.diff && result.Changed {
		result.Diff = udiff.Unified(name, name+" (formatted)", string(src), string(formatted))
	}
	f.files = append(f.files, result)
	return formatted, result.Changed
}
