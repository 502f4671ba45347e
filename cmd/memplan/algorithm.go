package main

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
)

// algorithmFlag reads "-algorithm NAME".
type algorithmFlag string

// Set takes the name of a layout algorithm.
func (f *algorithmFlag) Set(name string) error {
	names := layout.Algorithms()
	if !slices.Contains(names, name) {
		return fmt.Errorf("the algorithms are %s.%s", diag.Enumerate(names, "and"), diag.DidYouMean(name, names))
	}
	*f = algorithmFlag(name)
	return nil
}

// String is the name, "" when none was given.
func (f *algorithmFlag) String() string { return string(*f) }

// Type names the value in the help.
func (f *algorithmFlag) Type() string { return "NAME" }
