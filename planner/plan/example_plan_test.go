package plan_test

import "github.com/memplan/memplan/planner/plan"

func ptr[T any](v T) *T { return &v }

// chain is a plan of two ops with one pool of each type: input 64 bytes, hidden 128, output 32.
func chain() *plan.Plan {
	return &plan.Plan{
		FormatVersion:  plan.FormatVersion,
		MemplanVersion: "0.1.0",
		ConfigDigest:   "sha256:00",
		Settings: map[string]plan.Setting{
			"planner.algorithm": {Value: "auto", Origin: "default"},
			"planner.views":     {Value: []string{"reshape", "inplace"}, Origin: "config"},
		},
		Devices: []plan.Device{{Name: "gpu", Driver: "opencl", BaseAlignment: 64, Image2D: &plan.Image2D{MaxWidth: 16384, MaxHeight: 16384, PitchAlignment: 1}}},
		Pools: []plan.Pool{
			{Name: "arena", Device: "gpu", Type: "flat", Capacity: ptr(int64(1024)), Alignment: 64, Holds: []string{"input", "activation"}, Bound: 192, Peak: 192, Used: 224, PeakGraph: "net", PeakStep: ptr(int64(0)), Optimality: "optimal"},
			{Name: "weights", Device: "gpu", Type: "texture", Alignment: 64, Holds: []string{"constant"}, Bound: 256, Peak: 256, Used: 256, Optimality: "optimal"},
		},
		Storages: []plan.Storage{
			{ID: 0, Pool: "arena", Offset: ptr(int64(0)), Size: 64},
			{ID: 1, Pool: "arena", Offset: ptr(int64(64)), Size: 128},
			{ID: 2, Pool: "weights", Size: 256, Width: 4, Height: 4, Texel: "rgba_float32", RowPitch: 64},
		},
		Graphs: []plan.Graph{{
			Name: "net", Source: "net.json", Digest: "sha256:01", Format: "json",
			Steps: []plan.Step{
				{Step: 0, Op: "Conv", Name: "conv1", Inputs: []string{"x", "w"}, Outputs: []string{"h"}},
				{Step: 1, Op: "Relu", Name: "relu1", Inputs: []string{"h"}, Outputs: []string{"y"}},
			},
			Tensors: []plan.Tensor{
				{Name: "x", Role: "input", DType: "float32", Shape: []int64{1, 16}, Scope: "global", Pool: "arena", Storage: 0, Offset: ptr(int64(0)), Size: 64, LogicalSize: 64, Alignment: 64, First: 0, Last: 1},
				{Name: "w", Role: "constant", DType: "float32", Shape: []int64{4, 4, 4}, Scope: "global.texture", Pool: "weights", Storage: 2, Size: 256, LogicalSize: 256, Alignment: 64, First: 0, Last: 2,
					Reason: plan.Reason{Rule: ptr("scope_rule.w"), Excluded: []plan.Exclusion{{Scope: "global.texture-weight", Because: "width 64 exceeds max_width 32"}}}},
				{Name: "h", Role: "activation", DType: "float32", Shape: []int64{1, 32}, Scope: "global", Pool: "arena", Storage: 1, Offset: ptr(int64(64)), Size: 128, LogicalSize: 128, Alignment: 64, First: 0, Last: 2, Producer: "conv1"},
				{Name: "y", Role: "output", DType: "float32", Shape: []int64{1, 32}, Scope: "global", Pool: "arena", Storage: 1, Offset: ptr(int64(64)), Size: 128, LogicalSize: 128, Alignment: 64, First: 1, Last: 2, Producer: "relu1", ViewOf: ptr("h"),
					Reason: plan.Reason{Policy: ptr("mincopy"), Spill: &plan.Spill{From: []string{"fast"}, Because: "needs 128 bytes, 0 are free"}}},
			},
		}},
	}
}
