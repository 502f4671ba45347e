package planner_test

import (
	"context"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/source"
)

// openDims binds the dimensions that a model leaves open.
var openDims = map[string]map[string]int64{
	"ch_ppocr_mobile_v2.0_cls_infer.onnx": {"p2o.DynamicDimension.0": 1, "p2o.DynamicDimension.1": 48, "p2o.DynamicDimension.2": 192},
}

// BenchmarkPlan reads a model file and plans it as it stands, as "memplan plan MODEL" does. It is meant to stay below
// 50 ms for each of these models, so that an editor can plan while its user types.
func BenchmarkPlan(b *testing.B) {
	const dir = "../testdata/models"
	var models []string
	for _, pattern := range []string{"*.onnx", "*.tflite"} {
		found, err := filepath.Glob(filepath.Join(dir, pattern))
		require.NoError(b, err)
		models = append(models, found...)
	}
	require.NotEmpty(b, models)
	open := func(path string) (*source.File, error) {
		name := filepath.Base(path)
		return source.Open(source.Confined(dir, name), name)
	}
	for _, model := range models {
		name := filepath.Base(model)
		dims := map[string]config.Dim{}
		for symbol, n := range openDims[name] {
			dims[symbol] = config.Dim{Value: n}
		}
		b.Run(strings.TrimSuffix(name, filepath.Ext(name)), func(b *testing.B) {
			for b.Loop() {
				result, diags, err := planner.Plan(context.Background(), config.Bare(name, dims), planner.Options{Open: open, Version: "bench"})
				require.NoError(b, err)
				require.False(b, diags.HasErrors(), "%v", diags)
				require.NoError(b, result.Close())
			}
		})
	}
}
