package main

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// dimFlag reads "-dim NAME=N".
type dimFlag struct{ dims *map[string]int64 }

// Set takes one binding.
func (f *dimFlag) Set(text string) error {
	name, value, ok := strings.Cut(text, "=")
	n, err := strconv.ParseInt(value, 10, 64)
	if !ok || name == "" || err != nil || n < 1 {
		return fmt.Errorf("a dimension is bound as NAME=N with a whole number N of 1 or more, such as batch=1")
	}
	if *f.dims == nil {
		*f.dims = map[string]int64{}
	}
	if old, bound := (*f.dims)[name]; bound && old != n {
		return fmt.Errorf("the dimension %s is bound to %d already", name, old)
	}
	(*f.dims)[name] = n
	return nil
}

// String lists the bindings, for the flag library.
func (f *dimFlag) String() string {
	if f.dims == nil {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(*f.dims)) {
		parts = append(parts, fmt.Sprintf("%s=%d", name, (*f.dims)[name]))
	}
	return strings.Join(parts, ",")
}

// Type names the value in the help.
func (f *dimFlag) Type() string { return "NAME=N" }
