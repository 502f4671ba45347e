package main

import (
	"context"
	"os"
	"slices"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/planner/layout"
)

const rootHelp = `memplan plans where every tensor of a neural network lives.

  memplan plan model.tflite     how many bytes a model needs, without a configuration
  memplan plan                  what the configuration in this directory plans, and what would change
  memplan apply                 accept that: write the lock, run the configuration's runs
  memplan show                  every tensor, with its place and the reason for it

FILE may be a configuration (.hcl), a directory with *.memplan.hcl files, a graph (.onnx, .tflite, .json, .csv) or, for
show and apply, a saved plan. Flags go before or after it, with one dash or two.

Exit status: 0 all is well; 1 problems in what was read; 2 wrong use of the command line, and files that "fmt" cannot
read. "plan -detailed-exitcode": 2 when there are changes. "fmt -check": 3 when files are not formatted.

Environment: MEMPLAN_VAR_name sets a variable; MEMPLAN_CLI_ARGS, and MEMPLAN_CLI_ARGS_plan for one command, hold flags that
come before those typed; MEMPLAN_LOG is "debug", "info", "warn", "error" or "json", written to standard error or to the end of
the file MEMPLAN_LOG_PATH; NO_COLOR turns colours off.`

// commonFlags are the flags that most commands have.
type commonFlags struct {
	json, noColour, warningsAsErrors bool
	// chdir is where to work, "" for the current directory; sarif the file for the diagnostics, "" for none.
	chdir, sarif string
	// variables are the -var and -var-file flags in their order.
	variables []eval.Argument
	dims      map[string]int64
	algorithm string
}

// again names the flags that shape a plan, for the command that accepts it. Values are left out: some are secrets, and each
// shell quotes in its own way.
func (f *commonFlags) again() string {
	var text string
	add := func(given bool, flag string) {
		if given {
			text += flag + " ... "
		}
	}
	add(slices.ContainsFunc(f.variables, func(v eval.Argument) bool { return v.File == "" }), "-var")
	add(slices.ContainsFunc(f.variables, func(v eval.Argument) bool { return v.File != "" }), "-var-file")
	add(len(f.dims) > 0, "-dim")
	add(f.algorithm != "", "-algorithm")
	return text
}

// newRoot builds the tree of commands.
func (a *app) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use: "memplan", Short: "Plan a neural network's memory", Long: rootHelp,
		Version: version(), SilenceErrors: true, SilenceUsage: true,
		CompletionOptions: cobra.CompletionOptions{DisableDefaultCmd: true},
	}
	root.SetOut(a.failed)
	root.SetErr(a.stderr)
	root.SetFlagErrorFunc(flagFault)
	root.SetHelpCommand(&cobra.Command{Hidden: true, Use: "no-help"})
	root.Flags().BoolP("version", "v", false, "show which memplan this is")
	root.SetHelpFunc(a.showHelp)
	root.PersistentPreRunE = func(*cobra.Command, []string) error { return a.changeDirectory() }
	root.PersistentFlags().BoolVar(&a.flags.json, "json", false, "write JSON to standard output")
	root.PersistentFlags().BoolVar(&a.flags.noColour, "no-color", false, "use no colour; NO_COLOR in the environment does the same")
	root.PersistentFlags().BoolVar(&a.flags.warningsAsErrors, "warnings-as-errors", false, "treat warnings as errors")
	root.PersistentFlags().StringVar(&a.flags.chdir, "chdir", "", "work in the directory `DIR`")
	root.AddCommand(a.validateCommand(), a.planCommand(), a.applyCommand(), a.runCommand(), a.checkCommand(), a.showCommand(),
		a.fmtCommand(), a.graphCommand(), a.exportCommand(), a.deviceCommand(), a.solveCommand(), a.consoleCommand(), a.outputCommand(), a.testCommand(), a.completionCommand(), a.unlockCommand(), a.versionCommand())
	for _, cmd := range root.Commands() {
		a.completeValues(cmd)
	}
	return root
}

// command is a verb: one path, or none for the current directory.
func command(use, short, long string, run func(ctx context.Context, path string)) *cobra.Command {
	return &cobra.Command{
		Use: use, Short: short, Long: long, Args: onePath,
		RunE: func(cmd *cobra.Command, args []string) error {
			run(cmd.Context(), append(args, ".")[0])
			return nil
		},
	}
}

// changeDirectory goes where -chdir says. All other paths are seen from there.
func (a *app) changeDirectory() error {
	if a.flags.chdir == "" {
		return nil
	}
	if err := os.Chdir(a.flags.chdir); err != nil {
		return &misuseError{unreadable(a.flags.chdir, err)}
	}
	return nil
}

// configFlags adds the flags of commands that read a configuration.
func (a *app) configFlags(flags *pflag.FlagSet) {
	flags.StringVar(&a.flags.sarif, "sarif", "", "write the diagnostics to `FILE` as SARIF 2.1.0 too")
	flags.Var(variableFlag{list: &a.flags.variables}, "var", "set a variable: `NAME=VALUE`; may be repeated")
	flags.Var(variableFlag{list: &a.flags.variables, file: true}, "var-file", "read variables from `FILE`; may be repeated")
	flags.Var(&dimFlag{&a.flags.dims}, "dim", "bind a dimension of a graph file: `NAME=N`; may be repeated")
	flags.Var((*algorithmFlag)(&a.flags.algorithm), "algorithm", "plan with the layout algorithm `NAME` instead of the configured one: "+diag.Enumerate(layout.Algorithms(), "or"))
}

// ofConfigurations leaves -dim out of the help of a command that has no use for a graph file: given all the same, it is told why.
func ofConfigurations(flags *pflag.FlagSet) { flags.Lookup("dim").Hidden = true }
