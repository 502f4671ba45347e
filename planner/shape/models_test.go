package shape_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
	"github.com/memplan/memplan/planner/shape"
)

const models = "../../testdata/models"

func readModel(t testing.TB, name string) *source.File {
	t.Helper()
	content, err := os.ReadFile(filepath.Join(models, name))
	require.NoError(t, err)
	return source.FromBytes(name, content)
}

func TestTFLiteModelsHaveTheShapesOfTheirFiles(t *testing.T) {
	for _, name := range []string{"face_detection_short_range.tflite", "hand_landmark_lite.tflite", "palm_detection_lite.tflite"} {
		t.Run(name, func(t *testing.T) {
			g, diags := tflite.Import(readModel(t, name))
			require.Empty(t, describe(diags))
			stated := append([]graph.Tensor{}, g.Tensors...)
			inferred := *g
			inferred.Tensors = append([]graph.Tensor{}, g.Tensors...)
			forget(&inferred)
			_, diags = shape.Infer(&inferred, nil)
			require.Empty(t, describe(diags))
			for i := range stated {
				assert.Equal(t, stated[i].Shape, inferred.Tensors[i].Shape, stated[i].Name)
				assert.Equal(t, stated[i].DType, inferred.Tensors[i].DType, stated[i].Name)
			}
			t.Logf("%d tensors compared", len(stated))

			_, diags = shape.Infer(g, nil)
			assert.Empty(t, describe(diags), "the stated shapes are not stale")
		})
	}
}

func TestAModelWithOpenDimensionsIsInferredWhenTheyAreBound(t *testing.T) {
	g, diags := onnx.Import(readModel(t, "ch_ppocr_mobile_v2.0_cls_infer.onnx"))
	require.Empty(t, describe(diags))
	_, diags = shape.Infer(g, dims{
		"p2o.DynamicDimension.0": {Value: 1}, "p2o.DynamicDimension.1": {Value: 48}, "p2o.DynamicDimension.2": {Value: 192},
	})
	require.Empty(t, describe(diags))
	assert.Equal(t, "[1, 2]", g.Tensor(g.Outputs[0]).Shape.String())
	for i := range g.Tensors {
		assert.True(t, g.Tensors[i].Shape.Known(), g.Tensors[i].Name)
	}
}

func TestAModelWithOpenDimensionsNamesEachOfThem(t *testing.T) {
	g, diags := onnx.Import(readModel(t, "ch_ppocr_mobile_v2.0_cls_infer.onnx"))
	require.Empty(t, describe(diags))
	_, diags = shape.Infer(g, dims{"p2o.DynamicDimension.0": {Value: 8, Max: true}})
	require.Len(t, diags, 1, describe(diags))
	assert.Contains(t, diags[0].Detail, "axis 2")
	assert.Contains(t, diags[0].Detail, "-dim p2o.DynamicDimension.1=SIZE -dim p2o.DynamicDimension.2=SIZE")
}

func TestAModelIsInferredForTheBoundOfADimension(t *testing.T) {
	g, diags := onnx.Import(readModel(t, "ch_ppocr_mobile_v2.0_cls_infer.onnx"))
	require.Empty(t, describe(diags))
	_, diags = shape.Infer(g, dims{
		"p2o.DynamicDimension.0": {Value: 8, Max: true}, "p2o.DynamicDimension.1": {Value: 48}, "p2o.DynamicDimension.2": {Value: 192},
	})
	require.Empty(t, describe(diags))
	out := g.Tensor(g.Outputs[0])
	assert.Equal(t, "[8, 2]", out.Shape.String())
	assert.True(t, out.UpperBound)
}

func BenchmarkInfer(b *testing.B) {
	g, _ := tflite.Import(readModel(b, "palm_detection_lite.tflite"))
	require.NotNil(b, g)
	for b.Loop() {
		shape.Infer(g, nil)
	}
}
