package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/plan"
)

const completionHelp = `completion prints a script that completes memplan's commands, flags and their values in a shell. It edits no files; to use
it in every session, load it where the shell starts:

  bash        source <(memplan completion bash)
  zsh         source <(memplan completion zsh)
  fish        memplan completion fish | source
  powershell  memplan completion powershell | Out-String | Invoke-Expression

Names of tensors and graphs are completed from the lock.`

// shells are the arguments of completion, with what writes the script of each.
var shells = []struct {
	name  string
	write func(root *cobra.Command, out io.Writer) error
}{
	{"bash", func(root *cobra.Command, out io.Writer) error { return root.GenBashCompletionV2(out, true) }},
	{"zsh", func(root *cobra.Command, out io.Writer) error { return root.GenZshCompletion(out) }},
	{"fish", func(root *cobra.Command, out io.Writer) error { return root.GenFishCompletion(out, true) }},
	{"powershell", func(root *cobra.Command, out io.Writer) error { return root.GenPowerShellCompletionWithDesc(out) }},
}

func shellNames() []string {
	var names []string
	for _, shell := range shells {
		names = append(names, shell.name)
	}
	return names
}

func (a *app) completionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "completion SHELL", Short: "Print a script that completes commands in a shell", Long: completionHelp, ValidArgs: shellNames(),
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) == 1 && slices.Contains(shellNames(), args[0]) {
				return nil
			}
			var near diag.Hint
			if len(args) > 0 {
				near = diag.DidYouMean(args[0], shellNames())
			}
			return &misuseError{diag.New(diag.WrongArguments, "completion takes the name of a shell.%s There are scripts for %s.", near, diag.Enumerate(shellNames(), "and"))}
		},
		RunE: func(cmd *cobra.Command, args []string) error {
			at := slices.Index(shellNames(), args[0])
			return shells[at].write(cmd.Root(), a.failed)
		},
	}
}

// asksForCompletion reports whether a completion script asks for what may come next.
func asksForCompletion(args []string) bool {
	return len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd)
}

// complete answers a completion script. Flags are completed with as many dashes as were typed, one at first.
func (a *app) complete(root *cobra.Command, args []string) int {
	var answer bytes.Buffer
	root.SetOut(&answer)
	root.SetErr(io.Discard)
	root.SetArgs(args)
	if err := root.Execute(); err != nil {
		return exitProblems
	}
	typed := args[len(args)-1]
	for line := range strings.Lines(answer.String()) {
		if strings.HasPrefix(line, "--") && !strings.HasPrefix(a.typed, "--") && strings.HasPrefix(typed, "-") {
			line = strings.ReplaceAll(line[1:], "`", "")
		}
		if _, err := io.WriteString(a.failed, line); err != nil {
			return exitProblems
		}
	}
	return exitOK
}

// completeValues adds what is known of the values of a command's flags.
func (a *app) completeValues(cmd *cobra.Command) {
	lists := map[string][]string{"algorithm": layout.Algorithms(), "device": devices}
	for name, values := range lists {
		a.completeFlag(cmd, name, func(string) []string { return values })
	}
	a.completeFlag(cmd, "tensor", lockedTensors)
	a.completeFlag(cmd, "graph", lockedGraphs)
}

// completeFlag registers the values of a flag, if the command has it; values gets the path that was typed, "." when there
// is none.
func (a *app) completeFlag(cmd *cobra.Command, flag string, values func(path string) []string) {
	if cmd.Flags().Lookup(flag) == nil {
		return
	}
	err := cmd.RegisterFlagCompletionFunc(flag, func(_ *cobra.Command, args []string, toComplete string) ([]string, cobra.ShellCompDirective) {
		var out []string
		for _, value := range values(append(args, ".")[0]) {
			if strings.HasPrefix(value, toComplete) {
				out = append(out, value)
			}
		}
		return out, cobra.ShellCompDirectiveNoFileComp
	})
	if err != nil {
		panic("memplan: " + err.Error()) // a flag has its values registered once
	}
}

// locked is the plan in the lock of what a path leads to, or in the path itself, nil when there is none to read.
func locked(path string) *plan.Plan {
	info, err := os.Stat(path)
	if err != nil {
		return nil
	}
	if !strings.HasSuffix(path, lockSuffix) {
		path = plan.LockPath(filepath.Clean(path), info.IsDir())
	}
	p, _, err := plan.ReadLock(path)
	if err != nil {
		return nil // completion has nobody to tell
	}
	return p
}

func lockedTensors(path string) []string {
	var names []string
	if p := locked(path); p != nil {
		for _, g := range p.Graphs {
			for _, t := range g.Tensors {
				names = append(names, t.Name)
			}
		}
	}
	return names
}

func lockedGraphs(path string) []string {
	var names []string
	if p := locked(path); p != nil {
		for _, g := range p.Graphs {
			names = append(names, g.Name)
		}
	}
	return names
}
