package main

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// normalise turns long flags with one dash into ones with two, which is all that the flag library reads: "-var x=1"
// becomes "--var x=1". Letters have one dash, which is how it reads them: "--o x" becomes "-o x".
// "-" alone, negative numbers, the values of flags and everything after "--" stay as they are.
func normalise(args []string, takesValue func(flag string) bool) []string {
	out := make([]string, 0, len(args))
	for i := 0; i < len(args); i++ {
		arg := args[i]
		if arg == "--" {
			return append(out, args[i:]...)
		}
		name, isFlag := flagName(arg)
		if !isFlag {
			out = append(out, arg)
			continue
		}
		arg = strings.TrimLeft(arg, "-")
		if arg = "-" + arg; len(name) > 1 {
			arg = "-" + arg
		}
		out = append(out, arg)
		if !strings.Contains(arg, "=") && takesValue(name) && i+1 < len(args) {
			i++
			out = append(out, args[i])
		}
	}
	return out
}

// flagName returns the name in "-name", "--name" and "-name=value".
func flagName(arg string) (name string, ok bool) {
	rest := strings.TrimPrefix(strings.TrimPrefix(arg, "-"), "-")
	if rest == arg || rest == "" || !isLetter(rest[0]) {
		return "", false
	}
	name, _, _ = strings.Cut(rest, "=")
	return name, true
}

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' }

// valueFlags tells which flags of any command take a value from the next argument.
func valueFlags(root *cobra.Command) func(flag string) bool {
	takes := map[string]bool{}
	for _, cmd := range append(root.Commands(), root) {
		for _, flags := range []*pflag.FlagSet{cmd.Flags(), cmd.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				takes[f.Name] = f.NoOptDefVal == ""
				if f.Shorthand != "" {
					takes[f.Shorthand] = f.NoOptDefVal == ""
				}
			})
		}
	}
	return func(flag string) bool { return takes[flag] }
}

// asksForJSON looks for -json in arguments that could not be parsed, so that even the complaint about them is JSON. The
// last one decides, as it does for the flag library. One that a flag without its value has swallowed counts as well.
func asksForJSON(normalised []string) bool {
	asked := false
	for _, arg := range normalised {
		switch arg {
		case "--":
			return asked
		case "--json", "-json", "--json=true", "--json=1":
			asked = true
		case "--json=false", "--json=0":
			asked = false
		}
	}
	return asked
}

// spelledOut writes the usual other ways to ask for help and for the version as this command line takes them:
// "help plan" and "--help plan" as "plan --help", "--version" and "-v" without a verb as "version".
func spelledOut(normalised []string, takesValue func(flag string) bool) []string {
	verb := verbIndex(normalised, takesValue)
	switch {
	case verb >= 0 && normalised[verb] == "help":
		return append(slices.Delete(slices.Clone(normalised), verb, verb+1), "--help")
	case verb > 0 && asksForHelp(normalised[:verb]):
		return append(slices.Clone(normalised[verb:]), append(slices.Clone(normalised[:verb]), "--help")...)
	case verb < 0:
		for i, arg := range normalised {
			if arg == "--version" || arg == "-v" {
				return slices.Replace(slices.Clone(normalised), i, i+1, "version")
			}
		}
	}
	return normalised
}
