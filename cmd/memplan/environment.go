package main

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"
	"github.com/spf13/cobra"

	"github.com/memplan/memplan/lang/diag"
)

// argumentsVariable is the environment variable with arguments for every command; with "_" and the name of a command it
// is that for the command alone.
const argumentsVariable = "MEMPLAN_CLI_ARGS"

// withEnvironment puts the arguments that the environment gives right after the verb, those for every command first, so
// that what is typed decides where both say something.
func (a *app) withEnvironment(normalised []string, takesValue func(string) bool) ([]string, *diag.Diagnostic) {
	at := verbIndex(normalised, takesValue)
	if at < 0 {
		return normalised, nil
	}
	var more []string
	for _, name := range argumentVariables(normalised[at]) {
		words, err := shellwords.Parse(a.environment(name))
		if err != nil {
			d := diag.New(diag.InvalidFlag, "The environment variable %s cannot be split into arguments: %v. Close every quote in it.", name, err)
			return normalised, &d
		}
		more = append(more, words...)
	}
	return slices.Insert(slices.Clone(normalised), at+1, normalise(more, takesValue)...), nil
}

// argumentVariables names the environment variables that hold arguments for a verb, in the order that they count in.
func argumentVariables(verb string) []string {
	return []string{argumentsVariable, argumentsVariable + "_" + strings.ReplaceAll(verb, "-", "_")}
}

// traced names the environment variable that a wrong flag of a verb comes from, if it comes from one: the one whose
// arguments alone give the same complaint.
func (a *app) traced(cmd *cobra.Command, fault diag.Diagnostic, takesValue func(string) bool) diag.Diagnostic {
	if fault.ID != diag.UnknownFlag && fault.ID != diag.InvalidFlag {
		return fault
	}
	for _, name := range argumentVariables(cmd.Name()) {
		words, err := shellwords.Parse(a.environment(name))
		if err != nil || len(words) == 0 {
			continue
		}
		var same *misuseError
		if errors.As(flagsAlone(cmd.Name(), normalise(words, takesValue)), &same) && same.fault.Detail == fault.Detail {
			fault.Detail += " It comes from the environment variable " + name + "."
			return fault
		}
	}
	return fault
}

// flagsAlone is what a verb has to say of flags, on a command line of their own.
func flagsAlone(verb string, flags []string) error {
	root := (&app{stdout: io.Discard, stderr: io.Discard}).newRoot()
	cmd, _, err := root.Find([]string{verb})
	if err != nil {
		return err
	}
	if err := flagFault(cmd, cmd.ParseFlags(flags)); err != nil || cmd.PreRunE == nil {
		return err
	}
	return cmd.PreRunE(cmd, nil)
}

func (a *app) environment(name string) string {
	value := ""
	for _, pair := range a.environ {
		if key, v, ok := strings.Cut(pair, "="); ok && key == name {
			value = v
		}
	}
	return value
}
