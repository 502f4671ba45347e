package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"
	"github.com/mitchellh/go-wordwrap"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpWidth is the width in columns of help where there is no terminal, and the widest elsewhere.
const helpWidth = 120

// showHelp writes the help of a command, as wide as the terminal allows.
func (a *app) showHelp(cmd *cobra.Command, _ []string) {
	width := helpWidth
	if a.term != nil && a.term.OutWidth > 0 {
		width = min(width, a.term.OutWidth)
	}
	fmt.Fprint(cmd.OutOrStdout(), helpText(cmd, width))
}

// helpText is the help of a command: what it is for, how it is called, its commands and its flags.
func helpText(cmd *cobra.Command, width int) string {
	var b strings.Builder
	description := cmd.Long
	if description == "" {
		description = cmd.Short + "."
	}
	usage := cmd.UseLine()
	if cmd == cmd.Root() {
		usage = "memplan COMMAND [flags] [FILE or DIR]"
	}
	fmt.Fprintf(&b, "%s\n\nUsage:\n  %s\n", wrapped(description, width), usage)
	if cmd.HasAvailableSubCommands() {
		b.WriteString("\nCommands:\n")
		for _, sub := range cmd.Commands() {
			if sub.IsAvailableCommand() {
				fmt.Fprintf(&b, "  %-13s %s\n", sub.Name(), sub.Short)
			}
		}
	}
	writeFlags(&b, "Flags", ownFlags(cmd), width)
	writeFlags(&b, "Flags of every command", cmd.Root().PersistentFlags(), width)
	if cmd.HasSubCommands() {
		fmt.Fprintf(&b, "\n\"%s COMMAND -help\" says more about a command.\n", cmd.CommandPath())
	}
	return b.String()
}

// wrapped fills the paragraphs of a description to a width; what is indented stays as it is.
func wrapped(description string, width int) string {
	var out, paragraph []string
	flush := func() {
		if len(paragraph) > 0 {
			out = append(out, wordwrap.WrapString(strings.Join(paragraph, " "), uint(width)))
		}
		paragraph = nil
	}
	for line := range strings.SplitSeq(description, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		out = append(out, line)
	}
	flush()
	return strings.Join(out, "\n")
}

// ownFlags are the flags of a command and of those above it that not every command has.
func ownFlags(cmd *cobra.Command) *pflag.FlagSet {
	own := pflag.NewFlagSet(cmd.Name(), pflag.ContinueOnError)
	for _, flags := range []*pflag.FlagSet{cmd.LocalFlags(), cmd.InheritedFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			if cmd.Root().PersistentFlags().Lookup(f.Name) == nil {
				own.AddFlag(f)
			}
		})
	}
	return own
}

// flagName of the help's own flag, which needs no line.
const helpFlag = "help"

// writeFlags lists flags as they are written on the command line, with one dash.
func writeFlags(b *strings.Builder, title string, flags *pflag.FlagSet, width int) {
	lines := flagLines(flags)
	if len(lines) == 0 {
		return
	}
	column := 0
	for _, line := range lines {
		column = max(column, min(len(line.form), widestForm))
	}
	fmt.Fprintf(b, "\n%s:\n", title)
	for _, line := range lines {
		usage := strings.Split(wordwrap.WrapString(line.usage, uint(max(30, width-column-4))), "\n")
		form := line.form
		if len(form) > column {
			fmt.Fprintf(b, "  %s\n", form)
			form = ""
		}
		for _, part := range usage {
			fmt.Fprintf(b, "  %s  %s\n", text.Pad(form, column, ' '), part)
			form = ""
		}
	}
}

// widestForm is the widest form of a flag, in columns, that its description stands beside.
const widestForm = 34

// flagLine is a flag as it is written, and what it does.
type flagLine struct{ form, usage string }

// flagLines describes flags in order of name.
func flagLines(flags *pflag.FlagSet) (lines []flagLine) {
	flags.VisitAll(func(f *pflag.Flag) {
		if f.Hidden || f.Name == helpFlag {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		line := flagLine{form: "-" + f.Name, usage: usage}
		if f.NoOptDefVal == "" && value != "" {
			line.form += " " + value
		}
		if f.NoOptDefVal != "" && f.DefValue == "true" {
			line.form += "=false"
		}
		if f.NoOptDefVal == "" && f.DefValue != "" && f.DefValue != "0" && f.DefValue != "0s" && f.DefValue != "[]" {
			line.usage += " (default " + f.DefValue + ")"
		}
		if f.Shorthand != "" && f.Shorthand != f.Name {
			line.form += ", -" + f.Shorthand
		}
		lines = append(lines, line)
	})
	return lines
}
