package exec_test

import (
	"context"
	"testing"

	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/stretchr/testify/require"
)

// BenchmarkModels measures one run of each model on the host device, the reading of the outputs left out.
func BenchmarkModels(b *testing.B) {
	names, all := goldens(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			g, _ := rewrite.Fold(load(b, name, all[name]), nil)
			r := start(b, sequentialPlan(b, g), g, exec.Options{})
			inputs := ramp(b, g)
			b.ReportAllocs()
			for b.Loop() {
				diags, err := r.Execute(context.Background(), inputs)
				require.NoError(b, err)
				require.Empty(b, diags)
			}
		})
	}
}

// BenchmarkModelsInTextures is the same with every tensor that can be an image in one: what packing and unpacking cost.
func BenchmarkModelsInTextures(b *testing.B) {
	names, all := goldens(b)
	for _, name := range names {
		b.Run(name, func(b *testing.B) {
			g, _ := rewrite.Fold(load(b, name, all[name]), nil)
			p := sequentialPlan(b, g)
			intoImages(p, imaging{scope: everywhere, pitch: 4})
			r := start(b, p, g, exec.Options{})
			inputs := ramp(b, g)
			b.ReportAllocs()
			for b.Loop() {
				diags, err := r.Execute(context.Background(), inputs)
				require.NoError(b, err)
				require.Empty(b, diags)
			}
			flat := start(b, sequentialPlan(b, g), g, exec.Options{})
			b.ReportMetric(float64(r.Counters().WorkspaceBytes-flat.Counters().WorkspaceBytes), "staging-bytes")
		})
	}
}
