package main

import (
	"errors"
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
)

// misuseError carries a diagnostic of the command line through the flag library.
type misuseError struct{ fault diag.Diagnostic }

// Error is the text of the fault.
func (e *misuseError) Error() string { return e.fault.Error() }

// misuse shows what is wrong with the command line in the way of the verb that was meant.
func (a *app) misuse(verb string, d diag.Diagnostic) int {
	a.failer(verb).Failed(diag.Diagnostics{d})
	return exitMisuse
}

// failer returns the view of a verb, a plain one when no verb was recognised.
func (a *app) failer(verb string) view.Verb {
	switch verb {
	case "plan":
		return view.NewPlan(a.flags.json, a.term, a.sources, version())
	case "apply":
		return view.NewApply(a.flags.json, a.term, a.sources, version())
	case "console":
		return view.NewConsole(a.flags.json, a.term, a.sources, version())
	case "test":
		return view.NewTest(a.flags.json, a.term, a.sources, version())
	case "run":
		return view.NewRun(a.flags.json, a.term, a.sources, version())
	}
	return view.NewValidate(a.flags.json, a.term, a.sources)
}

func unknownCommand(root *cobra.Command, word string) diag.Diagnostic {
	var names []string
	for _, cmd := range root.Commands() {
		names = append(names, cmd.Name())
	}
	if _, err := os.Stat(word); err == nil {
		return diag.New(diag.UnknownCommand, "%q is a file or directory, not a command. To plan it: memplan plan %s", word, word)
	}
	if why := elsewhere[word]; why != "" {
		return diag.New(diag.UnknownCommand, "There is no command %q: %s", word, why)
	}
	return diag.New(diag.UnknownCommand, "There is no command %q.%s The commands are %s; \"memplan -help\" describes them.",
		word, diag.DidYouMean(word, names), diag.Enumerate(names, "and"))
}

// elsewhere are commands that people know from Terraform, and what does their work here.
var elsewhere = map[string]string{
	"init":      "there is nothing to download. Begin with \"memplan plan\".",
	"get":       "there is nothing to download. Begin with \"memplan plan\".",
	"providers": "nothing is plugged in. \"memplan show -config\" shows the devices in effect.",
	"destroy":   "a plan owns nothing but its lock file. Remove that file instead.",
	"refresh":   "nothing changes behind a plan. \"memplan check\" compares it with the lock.",
	"state":     "the accepted plan is the lock. \"memplan show\" lists what it holds.",
	"import":    "every tensor of a graph is planned by itself. Name the model in the source of a graph block.",
	"workspace": "variants are variables. Give them with -var or -var-file.",
}

// flagsElsewhere are flags that people know from Terraform or from tvmc, and what to do here.
var flagsElsewhere = map[string]string{
	"target":              wholePlan,
	"exclude":             wholePlan,
	"replace":             "a tensor is pinned by a place block in its graph. Write one.",
	"destroy":             elsewhere["destroy"],
	"refresh":             nothingToRefresh,
	"refresh-only":        nothingToRefresh,
	"input":               "nothing but apply asks. Give apply -auto-approve, or a saved plan.",
	"lock":                "the lock is what apply writes. Wait for another writer with -lock-timeout.",
	"state":               lockIsState,
	"state-out":           lockIsState,
	"backup":              "apply keeps what the lock held before in a file beside it, whose name ends in .backup. Leave the flag out.",
	"parallelism":         "how many processors the work takes is not set by hand. Leave the flag out.",
	"compact-warnings":    "warnings are hidden one by one, with a comment memplan-ignore: ID reason. Leave the flag out.",
	"test-directory":      "tests are read from FILE or DIR and its directory tests. Name the directory of the configuration.",
	"verbose":             "\"memplan show\" prints the plan. Leave the flag out.",
	"concise":             "plan shows what changes alone. Leave the flag out.",
	"generate-config-out": "the devices of this machine as a configuration are told by \"memplan device show -hcl\".",

	"workspace-pools-clock-frequency-hz":              poolSpeed,
	"workspace-pools-read-bandwidth-bytes-per-cycle":  poolSpeed,
	"workspace-pools-write-bandwidth-bytes-per-cycle": poolSpeed,
	"workspace-pools-read-latency-cycles":             poolSpeed,
	"workspace-pools-write-latency-cycles":            poolSpeed,
	"workspace-pools-target-burst-bytes":              poolSpeed,
}

const (
	wholePlan        = "tensors share memory, so that a plan is of all of them. To look at one tensor: memplan show -tensor NAME."
	nothingToRefresh = "nothing changes behind a plan. \"memplan check\" compares it with the lock."
	poolSpeed        = "how fast a pool is changes no placement. Leave the flag out, and name the fastest pool first in -workspace-pools."
	lockIsState      = "the lock lies beside the configuration, NAME.lock.json or memplan.lock.json. Copy the configuration to have another."
)

// flagFault turns the flag library's errors into diagnostics.
func flagFault(cmd *cobra.Command, err error) error {
	var unknown *pflag.NotExistError
	var missing *pflag.ValueRequiredError
	var invalid *pflag.InvalidValueError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &unknown):
		name := unknown.GetSpecifiedName()
		if why := flagsElsewhere[name]; why != "" {
			return &misuseError{diag.New(diag.UnknownFlag, "%q has no flag -%s: %s", cmd.CommandPath(), name, why)}
		}
		return &misuseError{diag.New(diag.UnknownFlag, "%q has no flag -%s.%s \"%s -help\" lists its flags.",
			cmd.CommandPath(), name, nearestFlag(name, cmd), cmd.CommandPath())}
	case errors.As(err, &missing):
		return &misuseError{diag.New(diag.InvalidFlag, "The flag -%s needs a value, as in: -%s %s", missing.GetSpecifiedName(), missing.GetSpecifiedName(), valueName(missing.GetFlag()))}
	case errors.As(err, &invalid):
		return &misuseError{diag.New(diag.InvalidFlag, "The flag -%s does not take the value %q: %s", invalid.GetFlag().Name, invalid.GetValue(), diag.Sentence(errors.Unwrap(invalid)))}
	}
	return &misuseError{diag.New(diag.InvalidFlag, "%v.", err)}
}

// nearestFlag suggests a flag as it is written: with a dash.
func nearestFlag(name string, cmd *cobra.Command) string {
	if near := diag.Nearest(name, flagNames(cmd)); near != "" {
		return fmt.Sprintf(" Did you mean \"-%s\"?", near)
	}
	return ""
}

func flagNames(cmd *cobra.Command) []string {
	var names []string
	add := func(f *pflag.Flag) { names = append(names, f.Name) }
	cmd.LocalFlags().VisitAll(add)
	cmd.InheritedFlags().VisitAll(add)
	return names
}

func valueName(f *pflag.Flag) string {
	name, _ := pflag.UnquoteUsage(f)
	return name
}

// onePath is the argument rule of commands that read one file or directory, "." when there is none.
func onePath(cmd *cobra.Command, args []string) error {
	if len(args) <= 1 {
		return nil
	}
	return &misuseError{diag.New(diag.WrongArguments, "\"memplan %s\" takes one file or directory, and %d were given: %s. Run it once for each.",
		cmd.Name(), len(args), strings.Join(args, " "))}
}

func noArguments(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return &misuseError{diag.New(diag.WrongArguments, "\"memplan %s\" takes no arguments, and was given %s.", cmd.Name(), strings.Join(args, " "))}
}

// verbIndex returns where the first argument stands that is no flag and no flag's value, -1 when there is none.
func verbIndex(normalised []string, takesValue func(flag string) bool) int {
	for i := 0; i < len(normalised); i++ {
		name, isFlag := flagName(normalised[i])
		switch {
		case normalised[i] == "--":
			return -1
		case isFlag && takesValue(name) && !strings.Contains(normalised[i], "="):
			i++
		case !strings.HasPrefix(normalised[i], "-"):
			return i
		}
	}
	return -1
}

// firstWord returns the first argument that is no flag and no flag's value.
func firstWord(normalised []string, takesValue func(flag string) bool) string {
	if at := verbIndex(normalised, takesValue); at >= 0 {
		return normalised[at]
	}
	return ""
}

func asksForHelp(args []string) bool {
	for _, arg := range args {
		if arg == "--help" || arg == "-h" {
			return true
		}
	}
	return false
}
