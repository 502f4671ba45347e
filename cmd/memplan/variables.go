package main

import (
	"errors"
	"path/filepath"
	"strings"

	"github.com/memplan/memplan/lang/eval"
)

// variableFlag reads "-var NAME=VALUE" or, for files, "-var-file FILE". Both kinds append to one list, since later ones
// win whatever their kind.
type variableFlag struct {
	list *[]eval.Argument
	file bool
}

// Set takes one flag.
func (f variableFlag) Set(text string) error {
	if f.file {
		if text == "" {
			return errors.New("a variables file has a name")
		}
		*f.list = append(*f.list, eval.Argument{File: filepath.ToSlash(text)})
		return nil
	}
	name, value, ok := strings.Cut(text, "=")
	if name = strings.TrimSpace(name); !ok || name == "" {
		return errors.New("a variable is set as NAME=VALUE, such as batch=4")
	}
	*f.list = append(*f.list, eval.Argument{Name: name, Value: value})
	return nil
}

// String is empty: the flags have no default.
func (f variableFlag) String() string { return "" }

// Type names the value in the help.
func (f variableFlag) Type() string {
	if f.file {
		return "FILE"
	}
	return "NAME=VALUE"
}

// variables says where values of variables come from.
func (a *app) variables() eval.VariableSources {
	return eval.VariableSources{Environment: a.environ, Arguments: a.flags.variables}
}

// environmentVariables returns the values that the environment gives, by name of the variable.
func (a *app) environmentVariables() map[string]string {
	values := map[string]string{}
	for _, pair := range a.environ {
		key, value, _ := strings.Cut(pair, "=")
		if name, ok := strings.CutPrefix(key, eval.EnvironmentPrefix); ok {
			values[name] = value
		}
	}
	return values
}
