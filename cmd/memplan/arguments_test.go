package main

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNormalise(t *testing.T) {
	takesValue := func(flag string) bool { return flag == "var" || flag == "o" || flag == "out" }
	for name, c := range map[string]struct{ in, want string }{
		"one dash becomes two":                {"plan -json net.hcl", "plan --json net.hcl"},
		"two dashes of a letter become one":   {"solve --o=y.csv x.csv", "solve -o=y.csv x.csv"},
		"two dashes stay":                     {"plan --json net.hcl", "plan --json net.hcl"},
		"a value after an equals sign":        {"fmt -write=false", "fmt --write=false"},
		"the value of a flag is left alone":   {"plan -var -json -json", "plan --var -json --json"},
		"also of a flag of one letter":        {"solve -o -json x.csv", "solve -o -json x.csv"},
		"one dash alone is standard input":    {"fmt -", "fmt -"},
		"a negative number is a value":        {"solve -5", "solve -5"},
		"everything after two dashes stays":   {"plan -json -- -net.hcl", "plan --json -- -net.hcl"},
		"a flag that lacks its value is kept": {"plan -out", "plan --out"},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, strings.Join(normalise(strings.Fields(c.in), takesValue), " "))
		})
	}
}

func TestAsksForJSON(t *testing.T) {
	for in, want := range map[string]bool{
		"plan --json":               true,
		"plan --json=true x":        true,
		"plan":                      false,
		"plan --json --json=false":  false,
		"plan -- --json":            false,
		"frobnicate --json --wrong": true,
	} {
		require.Equal(t, want, asksForJSON(strings.Fields(in)), in)
	}
}
