package main

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/eval"
)

func TestTheOrderOfFlagsLeavesNoTraceWhereItDoesNotMatter(t *testing.T) {
	value := func(name, value string) eval.Argument { return eval.Argument{Name: name, Value: value} }
	file := func(path string) eval.Argument { return eval.Argument{File: path} }
	for name, c := range map[string]struct{ given, want []eval.Argument }{
		"values are sorted by name":           {[]eval.Argument{value("b", "1"), value("a", "2")}, []eval.Argument{value("a", "2"), value("b", "1")}},
		"the last value of a name remains":    {[]eval.Argument{value("b", "1"), value("a", "2"), value("b", "3")}, []eval.Argument{value("a", "2"), value("b", "3")}},
		"files stay where they are":           {[]eval.Argument{value("b", "1"), file("f"), value("a", "2"), file("e")}, []eval.Argument{value("b", "1"), file("f"), value("a", "2"), file("e")}},
		"a value goes for one behind a file":  {[]eval.Argument{value("b", "1"), file("f"), value("b", "2")}, []eval.Argument{file("f"), value("b", "2")}},
		"files given twice are no repetition": {[]eval.Argument{file("f"), file("f")}, []eval.Argument{file("f"), file("f")}},
		"nothing":                             {nil, nil},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, effective(c.given)) })
	}
}
