package planner_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/testdata/needs"
)

const (
	phone = "module \"phone\" {\n  source = \"builtin:adreno\"\n  driver = \"none\"\n  from_buffer = false\n}\n"
	flat  = "device \"d\" { driver = \"none\" }\npool \"arena\" { device = device.d }\n"
	half  = "scope_rule \"half\" { store = \"float16\" }\n"
)

// TestThePlannableGraphOfAModelPlansAgain writes what can be planned again of each shipped model as a graph file. It holds
// nothing that planning made, and needs the bytes that the model needs under the same settings.
func TestThePlannableGraphOfAModelPlansAgain(t *testing.T) {
	for i, m := range []struct{ name, dims string }{
		{"ch_ppocr_mobile_v2.0_cls_infer.onnx", `{ "p2o.DynamicDimension.0" = 1, "p2o.DynamicDimension.1" = 48, "p2o.DynamicDimension.2" = 192 }`},
		{"face_detection_front_128x128_barracuda.onnx", "{}"},
		{"face_detection_short_range.tflite", "{}"},
		{"hand_landmark_lite.tflite", "{}"},
		{"palm_detection_lite.tflite", "{}"},
	} {
		if !needs.Turn(i, 5) {
			continue
		}
		name, dims := m.name, m.dims
		model, err := os.ReadFile(filepath.Join("../testdata/models", name))
		require.NoError(t, err)
		for kind, c := range map[string]struct{ settings, device string }{
			"flat": {flat, "device.d"}, "in half precision": {flat + half, "device.d"},
			"in textures": {phone, "module.phone.device"}, "in textures of half precision": {half + phone, "module.phone.device"},
		} {
			t.Run(name+" "+kind, func(t *testing.T) {
				block := func(source, dims string) string {
					return c.settings + "graph \"g\" {\n  source = \"" + source + "\"\n  device = " + c.device + "\n  dims = " + dims + "\n}\n"
				}
				first, ds := world{"main.hcl": block(name, dims), name: string(model)}.plan(t)
				require.False(t, ds.HasErrors(), ds)
				if kind == "in textures" && strings.HasPrefix(name, "ch_") {
					require.NotEmpty(t, first.Plan.Graphs[0].Copies, "a plan with copies is what this is about")
				}
				for _, tensor := range first.Plannable[0].Tensors {
					require.Equal(t, graph.InvalidDType, tensor.Computes, tensor.Name)
				}
				var written bytes.Buffer
				require.NoError(t, native.Write(&written, first.Plannable[0]))
				again, ds := world{"main.hcl": block("g.json", "{}"), "g.json": written.String()}.plan(t)
				require.False(t, ds.HasErrors(), ds)
				for i, pool := range first.Plan.Pools {
					// The file has the sizes of large constants only, so that equal ones are not found.
					if slices.Equal(pool.Holds, []string{"constant"}) {
						continue
					}
					require.Equal(t, pool.Peak, again.Plan.Pools[i].Peak, pool.Name)
				}
			})
		}
	}
}
