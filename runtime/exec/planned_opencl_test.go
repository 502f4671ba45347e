package exec_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/stretchr/testify/require"
)

// fused is what a configuration of a device with the driver "opencl" does by default.
func fused(c *config.Config) { c.Planner.Rewrite = []string{"fold", "fuse"} }

func TestPlannedModelsGiveThePeersResultsOnOpenCL(t *testing.T) {
	open := openclDevice(t)
	names, all := goldens(t)
	for _, name := range names {
		for _, planning := range []struct {
			name   string
			change func(*config.Config)
		}{{"plain", algorithm("greedy")}, {"fused", fused}} {
			t.Run(name+"/"+planning.name, func(t *testing.T) {
				p, g := planModel(t, name, all[name], planning.change)
				dev, err := open()
				require.NoError(t, err)
				defer func() { require.NoError(t, dev.Close()) }()
				r, diags, err := exec.New(context.Background(), p, p.Graphs[0].Name, g, dev, exec.Options{Poison: true})
				require.NoError(t, err)
				require.False(t, diags.HasErrors(), "%v", diags)
				outputs := run(t, r, ramp(t, g))
				requireGolden(t, all[name], outputs)
				require.Equal(t, outputs, run(t, r, ramp(t, g)), "a second run")
			})
		}
	}
}
