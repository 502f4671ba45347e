package planner_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/testdata/needs"
)

// after plans main.hcl where something was accepted before.
func (w world) after(t *testing.T, previous *plan.Plan) *plan.Plan {
	t.Helper()
	cfg, diags := config.Load(syntax.Memory(w), "main.hcl", eval.VariableSources{})
	require.Empty(t, diags)
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Version: "test", Open: w.open, Previous: previous})
	require.NoError(t, err)
	require.False(t, diags.HasErrors(), diags)
	t.Cleanup(func() { require.NoError(t, result.Close()) })
	return result.Plan
}

// requirePeaksKept fails when a pool needs more than it does without a previous plan.
func requirePeaksKept(t *testing.T, fresh, kept *plan.Plan) {
	t.Helper()
	for i, pool := range fresh.Pools {
		require.LessOrEqual(t, kept.Pools[i].Peak, pool.Peak, pool.Name)
		require.Equal(t, pool.Bound, kept.Pools[i].Bound, pool.Name)
	}
}

// moved names the tensors that are not where they were, by graph.
func moved(old, new *plan.Plan) []string {
	var out []string
	for _, c := range plan.Diff(old, new).Tensors {
		if c.Kind != plan.Same {
			out = append(out, c.Graph+"/"+c.Tensor)
		}
	}
	return out
}

func TestASmallEditLeavesTheOthersWhereTheyAre(t *testing.T) {
	chain := func(bytes ...string) []string {
		lines := []string{"x input 64"}
		for i, n := range bytes {
			lines = append(lines, "h"+string(rune('a'+i))+" activation "+n)
		}
		lines = append(lines, "y output 64")
		last := "x"
		for i := range bytes {
			next := "h" + string(rune('a'+i))
			lines = append(lines, next+": "+last+" -> "+next)
			last = next
		}
		return append(lines, "end: "+last+" -> y")
	}
	w := world{
		"main.hcl": `device "d" { driver = "none" }
pool "arena" { device = device.d }
graph "one" {
  source = "one.json"
  device = device.d
}
graph "two" {
  source = "two.json"
  device = device.d
}
`,
		"one.json": net(t, chain("320", "192", "448", "128", "256", "512", "64")...),
		"two.json": net(t, chain("128", "384", "256", "192")...),
	}
	first := w.must(t)
	require.Empty(t, moved(first, w.after(t, first)))

	w["one.json"] = net(t, chain("320", "256", "448", "128", "256", "512", "64")...)
	second := w.after(t, first)
	requirePeaksKept(t, w.must(t), second)
	require.LessOrEqual(t, len(moved(first, second)), 4, "of 14 tensors the edited one and what had to make room for it: %v, peaks %d and %d", moved(first, second), first.Pools[0].Peak, second.Pools[0].Peak)
	for _, name := range moved(first, second) {
		require.True(t, strings.HasPrefix(name, "one/"), "%s is of a graph that nobody edited", name)
	}
	require.Equal(t, encoded(t, second), encoded(t, w.after(t, second)))
}

// TestPlanningWithItsOwnResultChangesNothing takes plans that other algorithms made as those accepted before.
func TestPlanningWithItsOwnResultChangesNothing(t *testing.T) {
	dims := map[string]string{"ch_ppocr_mobile_v2.0_cls_infer.onnx": `{ "p2o.DynamicDimension.0" = 1, "p2o.DynamicDimension.1" = 48, "p2o.DynamicDimension.2" = 192 }`}
	for i, name := range []string{"face_detection_short_range.tflite", "hand_landmark_lite.tflite", "ch_ppocr_mobile_v2.0_cls_infer.onnx"} {
		if !needs.Turn(i, 3) {
			continue
		}
		model, err := os.ReadFile(filepath.Join("../testdata/models", name))
		require.NoError(t, err)
		for kind, c := range map[string]struct{ settings, device string }{"flat": {flat, "device.d"}, "in textures": {phone, "module.phone.device"}} {
			t.Run(name+" "+kind, func(t *testing.T) {
				bound := dims[name]
				if bound == "" {
					bound = "{}"
				}
				block := "graph \"g\" {\n  source = \"" + name + "\"\n  device = " + c.device + "\n  dims = " + bound + "\n}\n"
				planned := func(settings string, previous *plan.Plan) *plan.Plan {
					return world{"main.hcl": c.settings + block + settings, name: string(model)}.after(t, previous)
				}
				fresh := planned("", nil)
				for _, algorithm := range []string{"none", "tflite_greedy"} {
					before := planned("planner { algorithm = \""+algorithm+"\" }\n", nil)
					kept := planned("", before)
					requirePeaksKept(t, fresh, kept)
					require.Equal(t, encoded(t, kept), encoded(t, planned("", kept)))
				}
			})
		}
	}
}

func encoded(t *testing.T, p *plan.Plan) string {
	t.Helper()
	data, err := plan.Encode(p)
	require.NoError(t, err)
	return string(data)
}

// TestASmallEditLeavesImagesWhereTheyAre keeps one more tensor of a network that lies in image objects, each time another one.
func TestASmallEditLeavesImagesWhereTheyAre(t *testing.T) {
	model, err := os.ReadFile("../testdata/models/hand_landmark_lite.tflite")
	require.NoError(t, err)
	with := func(settings string) world {
		block := "graph \"g\" {\n  source = \"m.tflite\"\n  device = module.phone.device\n" + settings + "}\n"
		return world{"main.hcl": phone + block, "m.tflite": string(model)}
	}
	first := with("").must(t)
	anew, kept := 0, 0
	for _, name := range []string{"model_1/model/add_1/add", "model_1/model/add_4/add", "model_1/model/add_7/add"} {
		edited := with(fmt.Sprintf("  keep = [%q]\n", name))
		fresh, second := edited.must(t), edited.after(t, first)
		requirePeaksKept(t, fresh, second)
		require.LessOrEqual(t, len(moved(first, second)), len(moved(first, fresh)), name)
		anew, kept = anew+len(moved(first, fresh)), kept+len(moved(first, second))
		require.Equal(t, encoded(t, second), encoded(t, edited.after(t, second)))
	}
	t.Logf("%d tensors move when all are placed anew, %d when they are kept", anew, kept)
	require.Less(t, 4*kept, 3*anew, "%d and %d", kept, anew)
}
