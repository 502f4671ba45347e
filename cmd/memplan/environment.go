package main

import (
	"slices"
	"strings"

	"github.com/mattn/go-shellwords"

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
	for _, name := range []string{argumentsVariable, argumentsVariable + "_" + strings.ReplaceAll(normalised[at], "-", "_")} {
		words, err := shellwords.Parse(a.environment(name))
		if err != nil {
			d := diag.New(diag.InvalidFlag, "The environment variable %s cannot be split into arguments: %v. Close every quote in it.", name, err)
			return normalised, &d
		}
		more = append(more, words...)
	}
	return slices.Insert(slices.Clone(normalised), at+1, normalise(more, takesValue)...), nil
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
