package planner_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/scope"
)

var update = flag.Bool("update", false, "rewrite the tables of docs/performance.md")

// models are those of testdata/models with the image scope of their layout and the dimensions they leave open.
var models = []struct{ file, image, dims string }{
	{"ch_ppocr_mobile_v2.0_cls_infer.onnx", "global.texture", `dims = {
    "p2o.DynamicDimension.0" = 1
    "p2o.DynamicDimension.1" = 48
    "p2o.DynamicDimension.2" = 192
  }`},
	{"face_detection_front_128x128_barracuda.onnx", "global.texture", ""},
	{"face_detection_short_range.tflite", "global.texture-nhwc", ""},
	{"hand_landmark_lite.tflite", "global.texture-nhwc", ""},
	{"palm_detection_lite.tflite", "global.texture-nhwc", ""},
}

// adrenoLike is a device with the limits of an Adreno GPU; convolutions read their weights as images and write their
// results as images, and what else is an image the policy decides.
func adrenoLike(model, image, dims, policy string) string {
	return fmt.Sprintf(`
device "gpu" {
  driver         = "none"
  base_alignment = 128
  image2d {
    max_width       = 16384
    max_height      = 16384
    max_layers      = 2048
    pitch_alignment = 64
  }
}
pool "textures" {
  device = device.gpu
  type   = "texture"
  holds  = ["activation"]
}
pool "weights" {
  device = device.gpu
  type   = "texture"
  holds  = ["constant"]
}
pool "arena" { device = device.gpu }
scope_rule "weights" {
  match {
    op      = ["Conv"]
    operand = ["weight"]
  }
  scope = "global.texture-weight"
}
scope_rule "results" {
  match {
    op      = ["Conv"]
    operand = ["output"]
    role    = ["activation"]
  }
  scope = %q
}
graph "net" {
  source = %q
  device = device.gpu
  %s
}
planner { scope_policy = %q }
`, image, model, dims, policy)
}

func planModel(t *testing.T, file, image, dims, policy string) *plan.Plan {
	t.Helper()
	cfg, diags := config.Load(syntax.Memory{"main.hcl": adrenoLike(file, image, dims, policy)}, "main.hcl", eval.VariableSources{})
	require.Empty(t, diags)
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Version: "test", Open: func(string) (*source.File, error) {
		content, err := os.ReadFile(filepath.Join("../testdata/models", file))
		return source.FromBytes(file, content), err
	}})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), "%v", diags)
	require.NoError(t, result.Close())
	return result.Plan
}

// memory sums peaks and bounds over the pools of a plan that hold something besides constants, or over all.
func memory(p *plan.Plan, all bool) (peak, bound int64) {
	for i := range p.Pools {
		pool := &p.Pools[i]
		if all || len(pool.Holds) != 1 || pool.Holds[0] != "constant" {
			peak, bound = peak+pool.Peak, bound+pool.Bound
		}
	}
	return peak, bound
}

func TestMinCopyCopiesLeastAndMemoryIsNearItsBound(t *testing.T) {
	var copied, needed strings.Builder
	fmt.Fprintf(&copied, "| model | mincopy | tvm-relay | tvm-relax | flat | proved least |\n|---|---:|---:|---:|---:|---|\n")
	fmt.Fprintf(&needed, "| model | images | flat | bound | ratio | with constants | bound | ratio |\n|---|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, m := range models {
		row := []string{}
		var best *plan.Plan
		for _, policy := range scope.Policies() {
			p := planModel(t, m.file, m.image, m.dims, policy)
			if best == nil {
				best = p
			}
			cost := func(s *plan.Scopes) int64 { return s.CopiedBytes + s.PenaltyBytes }
			assert.LessOrEqual(t, cost(best.Graphs[0].Scopes), cost(p.Graphs[0].Scopes), "%s: %s", m.file, policy)
			row = append(row, fmt.Sprint(p.Graphs[0].Scopes.CopiedBytes))
		}
		exact := map[bool]string{true: "yes", false: "no"}[best.Graphs[0].Scopes.Exact]
		fmt.Fprintf(&copied, "| %s | %s | %s |\n", m.file, strings.Join(row, " | "), exact)
		peak, bound := memory(best, false)
		all, allBound := memory(best, true)
		assert.LessOrEqual(t, peak*100, bound*105, "%s: working memory", m.file)
		assert.LessOrEqual(t, all*100, allBound*105, "%s: all memory", m.file)
		textures := pool(t, best, "textures").Peak
		fmt.Fprintf(&needed, "| %s | %d | %d | %d | %.3f | %d | %d | %.3f |\n",
			m.file, textures, peak-textures, bound, float64(peak)/float64(bound), all, allBound, float64(all)/float64(allBound))
	}
	requireSection(t, "scope policies", copied.String())
	requireSection(t, "memory with textures", needed.String())
}

// requireSection compares a table with the one between the marks of that name in docs/performance.md.
func requireSection(t *testing.T, name, table string) {
	t.Helper()
	const path = "../docs/performance.md"
	content, err := os.ReadFile(path)
	require.NoError(t, err)
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, found := strings.Cut(string(content), begin)
	require.True(t, found, "%s has no mark %q", path, begin)
	old, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s has no mark %q", path, end)
	if *update {
		require.NoError(t, os.WriteFile(path, []byte(before+begin+table+end+after), 0o644))
		return
	}
	require.Equal(t, table, old, "the table of %s is stale: go test ./planner -update", path)
}
