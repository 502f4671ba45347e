package scope_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/planner/scope"
	"github.com/memplan/memplan/planner/shape"
)

// sizes are those of the open dimensions of the models.
var sizes = map[string]int64{"p2o.DynamicDimension.0": 1, "p2o.DynamicDimension.1": 48, "p2o.DynamicDimension.2": 192}

// readModel imports a model of testdata/models and folds its constants.
func readModel(t *testing.T, name string, read func(*source.File) (*graph.Graph, diag.Diagnostics)) *graph.Graph {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("../../testdata/models", name))
	require.NoError(t, err)
	model, diags := read(source.FromBytes(name, content))
	require.False(t, diags.HasErrors())
	dims := map[string]shape.Dim{}
	for i := range model.Tensors {
		for _, symbol := range model.Tensors[i].Symbols {
			if size, ok := sizes[symbol]; ok {
				dims[symbol] = shape.Dim{Value: size}
			}
		}
	}
	_, diags = shape.Infer(model, dims)
	require.False(t, diags.HasErrors())
	model, _ = rewrite.Fold(model, nil)
	return model
}

func TestMinCopyCopiesNoMoreThanOtherPoliciesOnModels(t *testing.T) {
	penalty := int64(4096)
	rulesets := []struct {
		name  string
		rules []scope.Rule
	}{
		{"weights in images", []scope.Rule{{Address: "scope_rule.w", Op: []string{"Conv"}, Operand: []string{"weight"}, Scope: w}}},
		{"results of convolutions in images", []scope.Rule{{Address: "scope_rule.c", Op: []string{"Conv"}, Operand: []string{"output"}, Scope: a}}},
		{"a wish for images of activations", []scope.Rule{{Address: "scope_rule.a", Role: []string{"activation"}, Scope: a, Penalty: &penalty}}},
		{"weights in images and a wish for the rest", []scope.Rule{
			{Address: "scope_rule.w", Op: []string{"Conv"}, Operand: []string{"weight"}, Scope: w},
			{Address: "scope_rule.a", Role: []string{"activation"}, Scope: h, Penalty: &penalty},
		}},
	}
	for _, name := range []string{"ch_ppocr_mobile_v2.0_cls_infer.onnx", "face_detection_front_128x128_barracuda.onnx",
		"face_detection_short_range.tflite", "hand_landmark_lite.tflite", "palm_detection_lite.tflite"} {
		read := onnx.Import
		if filepath.Ext(name) == ".tflite" {
			read = tflite.Import
		}
		model := readModel(t, name, read)
		for _, set := range rulesets {
			t.Run(name+": "+set.name, func(t *testing.T) {
				best, diags := scope.Decide(adreno(model, scope.MinCopy, set.rules...))
				require.False(t, diags.HasErrors())
				textures := 0
				for _, decision := range best.Tensors {
					if decision.Geometry != nil {
						textures++
					}
				}
				t.Logf("mincopy: %d tensors of %d are images, %d copies, %d bytes copied, penalties %d, exact %v",
					textures, len(model.Tensors), len(best.Copies), best.CopiedBytes, best.PenaltyBytes, best.Exact)
				for _, policy := range []string{scope.TVMRelay, scope.TVMRelax, scope.FlatPolicy} {
					other, _ := scope.Decide(adreno(model, policy, set.rules...))
					t.Logf("%s: %d copies, %d bytes copied, penalties %d", policy, len(other.Copies), other.CopiedBytes, other.PenaltyBytes)
					require.LessOrEqual(t, best.CopiedBytes+best.PenaltyBytes, other.CopiedBytes+other.PenaltyBytes)
				}
				grown, _ := scope.InsertCopies(model, best)
				require.NoError(t, grown.Validate())
			})
		}
	}
}
