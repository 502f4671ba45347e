package main

import (
	"runtime"
	"runtime/debug"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/planner/plan"
)

// release is the version of this tree, without a leading "v".
const release = "0.1.0"

func version() string { return release }

func (a *app) versionCommand() *cobra.Command {
	return &cobra.Command{
		Use: "version", Short: "Show which memplan this is", Args: noArguments,
		RunE: func(*cobra.Command, []string) error {
			view.NewVersion(a.flags.json, a.term).Result(view.Build{
				Version: version(), Commit: commit(), Go: runtime.Version(), Platform: runtime.GOOS + "/" + runtime.GOARCH, PlanFormat: plan.FormatVersion,
			})
			return nil
		},
	}
}

// commit is the revision that the binary was built from, "" when the build does not say.
func commit() string {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return ""
	}
	for _, s := range info.Settings {
		if s.Key == "vcs.revision" {
			return s.Value
		}
	}
	return ""
}
