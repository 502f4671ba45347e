package picture_test

import (
	"fmt"

	"github.com/memplan/memplan/planner/plan"
)

func ptr[T any](v T) *T { return &v }

// shape makes 1024 bytes of float32 that are 4 × 16 texels.
var shape = []int64{1, 16, 4, 4}

// small is a plan with everything that a picture shows: two flat pools and one of images, a copy, a view, a pin, a spill,
// a capacity, and names that would be markup.
func small() *plan.Plan {
	flat := func(name, role string, offset, first, last int64) plan.Tensor {
		return plan.Tensor{Name: name, Role: role, DType: "float32", Shape: shape, Layout: "NCHW", Scope: "global", Pool: "arena", Offset: ptr(offset), Size: 1024, LogicalSize: 1024,
			Alignment: 64, First: first, Last: last, Reason: plan.Reason{Policy: ptr("mincopy"), Excluded: []plan.Exclusion{}}}
	}
	x, copied, y := flat("x", "input", 0, 0, 1), flat("c@global", "activation", 1024, 1, 3), flat("</script><img src=x onerror=alert(1)>", "output", 0, 2, 4)
	x.Reason.Pinned = ptr(`graph.net.place["x"]`)
	y.Reason.Spill = &plan.Spill{From: []string{"fast"}, Because: "it is full"}
	view := flat("flat & <b>bold</b>", "activation", 1024, 2, 3)
	view.ViewOf, view.Shape = ptr("c@global"), []int64{256}
	w := flat("w", "constant", 0, 0, 4)
	w.Pool = "weights"
	image := flat("c", "activation", 0, 0, 2)
	image.Pool, image.Offset, image.Scope, image.Storage = "images", nil, "global.texture", 9
	other := flat("late", "activation", 0, 2, 4)
	other.Pool, other.Offset, other.Scope, other.Storage, other.Shape, other.Size, other.LogicalSize = "images", nil, "global.texture", 9, []int64{1, 4, 4, 4}, 256, 256
	return &plan.Plan{
		FormatVersion: plan.FormatVersion, Settings: map[string]plan.Setting{},
		Devices: []plan.Device{{Name: "gpu", Driver: "host", BaseAlignment: 64, Image2D: &plan.Image2D{MaxWidth: 64, MaxHeight: 64, PitchAlignment: 1}}},
		Pools: []plan.Pool{
			{Name: "weights", Device: "gpu", Type: "flat", Alignment: 64, Holds: []string{"constant"}, Bound: 1024, Peak: 1024, Optimality: "optimal"},
			{Name: "arena", Device: "gpu", Type: "flat", Capacity: ptr(int64(3072)), Alignment: 64, Bound: 2048, Peak: 2048, PeakGraph: "net", PeakStep: ptr(int64(2)), Optimality: "optimal"},
			{Name: "images", Device: "gpu", Type: "texture", Alignment: 64, Bound: 1024, Peak: 1280, Gap: 256, PeakGraph: "net", PeakStep: ptr(int64(0)), Optimality: "best_found"},
		},
		Storages: []plan.Storage{{ID: 9, Pool: "images", Size: 1280, Width: 4, Height: 20, Texel: "rgba_float32", RowPitch: 64}},
		Graphs: []plan.Graph{{
			Name: "net", Source: "net.json", Format: "json", Rewrites: []plan.Rewrite{},
			Steps: []plan.Step{
				{Step: 0, Op: "Conv", Name: "conv", Inputs: []string{"x", "w"}, Outputs: []string{"c"}, Fused: []string{}},
				{Step: 1, Op: "Copy", Name: "c@global", Inputs: []string{"c"}, Outputs: []string{"c@global"}, Fused: []string{}},
				{Step: 2, Op: "Relu", Name: "relu <i>", Inputs: []string{"c@global"}, Outputs: []string{y.Name, view.Name, "late"}, Fused: []string{}},
				{Step: 3, Op: "Last", Name: "last", Inputs: []string{y.Name, "late"}, Outputs: []string{}, Fused: []string{}},
			},
			Tensors: []plan.Tensor{x, w, image, copied, view, y, other},
			Copies:  []plan.Copy{{Tensor: "c", To: "c@global", Step: 1, Bytes: 1024, Because: "Relu reads it in global"}},
		}},
	}
}

// large is a chain of n tensors, each of which is live with its neighbours.
func large(n int64) *plan.Plan {
	p := &plan.Plan{
		FormatVersion: plan.FormatVersion, Settings: map[string]plan.Setting{}, Devices: []plan.Device{{Name: "d", Driver: "host", BaseAlignment: 64}},
		Pools:  []plan.Pool{{Name: "arena", Device: "d", Type: "flat", Alignment: 64, Bound: 64 << 14, Peak: 64 << 14, PeakGraph: "net", PeakStep: ptr(int64(10)), Optimality: "optimal"}},
		Graphs: []plan.Graph{{Name: "net", Source: "net.csv", Format: "intervals"}},
	}
	g := &p.Graphs[0]
	for i := range n {
		size := 64 * (1 + i*7919%997)
		offset := i * 104729 % 15000 * 64
		name := fmt.Sprintf("block%d/tensor_%d", i/100, i)
		g.Steps = append(g.Steps, plan.Step{Step: i, Op: "Conv", Name: fmt.Sprintf("op%d", i), Outputs: []string{name}})
		g.Tensors = append(g.Tensors, plan.Tensor{Name: name, Role: "activation", DType: "uint8", Shape: []int64{size}, Scope: "global", Pool: "arena", Storage: i, Offset: &offset,
			Size: size, LogicalSize: size, Alignment: 64, First: i, Last: min(n, i+2+i%40), Producer: fmt.Sprintf("op%d", i)})
	}
	return p
}
