package exec_test

import (
	"math"
	"testing"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// openclDefaults leaves order, rewrites and views to the defaults of OpenCL devices.
func openclDefaults(c *config.Config) {
	belowPacking(c)
	c.Devices[0].Driver = "opencl"
}

// openclPlannings are the settings under which every model must give its peer's results on OpenCL, poisoned, beside those of
// images.
var openclPlannings = []struct {
	name   string
	change func(*config.Config)
}{
	{"none", algorithm("none")},
	{"greedy", algorithm("greedy")},
	{"as OpenCL devices have it", openclDefaults},
	{"source order, no views", func(c *config.Config) { c.Planner.Order, c.Planner.Views = "source", nil }},
	{"images", images("global.texture", false)},
	{"images by weight", images("global.texture-weight", false)},
	{"images, channels last", images("global.texture-nhwc", false)},
	{"images over buffers", images("global.texture", true)},
}

func TestModelsOnOpenCLGiveThePeersResults(t *testing.T) {
	open := openclDevice(t)
	names, all := goldens(t)
	for i, name := range names {
		for k, planning := range openclPlannings {
			if !needs.Turn(i+k, len(names)) {
				continue
			}
			t.Run(name+"/"+planning.name, func(t *testing.T) {
				p, g := planModel(t, name, all[name], planning.change)
				r := startOn(t, open, p, g, exec.Options{Poison: true})
				outputs := run(t, r, ramp(t, g))
				requireGolden(t, all[name], outputs)
				if runsAgain[planning.name] {
					require.Equal(t, outputs, run(t, r, ramp(t, g)), "a second run")
				}
				if planning.name == "as OpenCL devices have it" {
					requireGolden(t, all[name], run(t, startOn(t, hostDevice, p, g, exec.Options{Poison: true}), ramp(t, g)))
				}
				for _, pool := range p.Pools {
					require.Equal(t, pool.Peak, r.PoolBytes()[pool.Name])
				}
			})
		}
	}
}

func TestSharingBytesChangesNoOutputOnOpenCL(t *testing.T) {
	open, session := openclDevice(t), opencltest.Connect(t)
	rapid.Check(t, func(t *rapid.T) {
		g := drawNetwork(t, 10)
		plain := planGraph(t, g, plainly)
		shared := planGraph(t, g, sharings["all of them"])
		inputs := inputsOf(g)
		want := runPoisoned(t, hostDevice, plain.Plan, plain.Graphs[0], inputs)
		got := runPoisoned(t, open, shared.Plan, shared.Graphs[0], inputs)
		joined, _ := counted(t, session, session.NewDevice(), shared.Plan, shared.Graphs[0], inputs)
		require.Equal(t, got, joined, "stretches of steps")
		require.Len(t, got, len(want))
		for name, w := range want {
			// Conv and BatchNormalization fold to other roundings; everything else is exact.
			requireAgree(t, w, got[name])
		}
	})
}

// requireAgree requires floats that agree within 1e-4 of each and of 1.
func requireAgree(t require.TestingT, want, got *array.Array) {
	w, err := want.Floats()
	require.NoError(t, err)
	g, err := got.Floats()
	require.NoError(t, err)
	require.Len(t, g, len(w))
	for i := range w {
		if !near(w[i], g[i], 1e-4*(1+math.Abs(w[i]))) {
			require.Failf(t, "differs", "element %d is %v, the host has %v", i, g[i], w[i])
		}
	}
}
