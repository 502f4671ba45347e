package exec_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

// planModel plans a model file through the façade, with one setting changed by change.
func planModel(t testing.TB, name string, want golden, change func(*config.Config)) (*plan.Plan, *graph.Graph) {
	t.Helper()
	dims := map[string]config.Dim{}
	for symbol, d := range openDims(t, importModel(t, name), want) {
		dims[symbol] = config.Dim{Value: d}
	}
	cfg := config.Bare(name, dims)
	change(cfg)
	open := func(path string) (*source.File, error) {
		content, err := os.ReadFile(filepath.Join(modelDir, path))
		return source.FromBytes(path, content), err
	}
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: open, Version: "test"})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	t.Cleanup(func() { require.NoError(t, result.Close()) })
	return result.Plan, result.Graphs[0]
}

// plannings are the settings under which every model must give its peer's results, poisoned.
var plannings = []struct {
	name   string
	change func(*config.Config)
}{
	{"none", algorithm("none")},
	{"tflite_greedy", algorithm("tflite_greedy")},
	{"greedy", algorithm("greedy")},
	{"below packing", belowPacking},
	{"below packing, diagonal", diagonally},
	{"below packing, without sharing", func(c *config.Config) { belowPacking(c); c.Planner.Algorithm = "none" }},
	{"images", images("global.texture", false)},
	{"images, below packing", func(c *config.Config) { images("global.texture", false)(c); belowPacking(c) }},
	{"images by weight", images("global.texture-weight", false)},
	{"images, channels last", images("global.texture-nhwc", false)},
	{"images over buffers", images("global.texture", true)},
}

// runsAgain names the settings under which models run a second time, which must not see what the first run left: one in flat
// memory for each device, and one in images.
var runsAgain = map[string]bool{"below packing": true, "as OpenCL devices have it": true, "images": true}

// belowPacking leaves order, rewrites and views to the defaults of the host device.
func belowPacking(c *config.Config) {
	c.Planner.Order, c.Planner.Rewrite, c.Planner.Views = "", nil, nil
}

// diagonally lets results overlap operands from below as well.
func diagonally(c *config.Config) {
	belowPacking(c)
	c.Planner.Views = []string{"reshape", "inplace", "concat", "diagonal"}
}

// images gives the device textures, as objects or over the bytes of a flat pool, and asks for them wherever convolutions,
// activations and sums are.
func images(scope string, buffers bool) func(*config.Config) {
	return func(c *config.Config) {
		dev := c.Devices[0]
		dev.Image2D = &config.Image2D{MaxWidth: 8192, MaxHeight: 8192, MaxLayers: 2048, PitchAlignment: 16, FromBuffer: buffers}
		if buffers {
			for _, pool := range c.Pools {
				pool.Images = true
			}
		} else {
			c.Pools = append(c.Pools, &config.Pool{
				Address: addr.Address{Kind: addr.Pool, Name: "images"}, Name: "images", Device: dev, Type: "texture",
				Holds: []string{"input", "output", "activation", "constant"}, Size: config.Unlimited, Alignment: 1,
			})
		}
		c.Rules = append(c.Rules, &config.ScopeRule{
			Address: addr.Address{Kind: addr.ScopeRule, Name: "images"}, Name: "images", Op: []string{"Conv", "Relu", "Add", "MaxPool", "Clip", "PRelu"},
			Role: []string{"activation", "constant"}, Rank: []int64{4}, Scope: scope,
		})
	}
}

// imagesOf counts the tensors in texture scopes.
func imagesOf(p *plan.Plan) int {
	n := 0
	for i := range p.Graphs[0].Tensors {
		if p.Graphs[0].Tensors[i].Scope != "global" {
			n++
		}
	}
	return n
}

func algorithm(name string) func(*config.Config) {
	return func(c *config.Config) { c.Planner.Algorithm = name }
}

func TestPlannedModelsGiveThePeersResults(t *testing.T) {
	names, all := goldens(t)
	for i, name := range names {
		for k, planning := range plannings {
			if !needs.Turn(i+k, len(names)) {
				continue
			}
			t.Run(name+"/"+planning.name, func(t *testing.T) {
				p, g := planModel(t, name, all[name], planning.change)
				r := start(t, p, g, exec.Options{Poison: true})
				outputs := run(t, r, ramp(t, g))
				requireGolden(t, all[name], outputs)
				if runsAgain[planning.name] {
					require.Equal(t, outputs, run(t, r, ramp(t, g)), "a second run")
				}
				for _, pool := range p.Pools {
					require.Equal(t, pool.Peak, r.PoolBytes()[pool.Name])
				}
				if strings.HasPrefix(planning.name, "images") {
					t.Logf("%d of %d tensors are images, %d copies", imagesOf(p), len(p.Graphs[0].Tensors), len(p.Graphs[0].Copies))
					require.Positive(t, imagesOf(p))
				}
			})
		}
	}
}
