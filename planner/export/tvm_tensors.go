package export

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/texture"
)

// tvmDTypes are the element types that TVM reads under the name memplan has for them.
var tvmDTypes = []graph.DType{
	graph.Float16, graph.Float32, graph.Float64, graph.BFloat16, graph.Int8, graph.Int16, graph.Int32, graph.Int64,
	graph.Uint8, graph.Uint16, graph.Uint32, graph.Uint64, graph.Bool,
}

// dtypes lists the element type of each entry.
func (b *tvmBuilder) dtypes() ([]string, error) {
	out := make([]string, len(b.entries))
	for i := range b.entries {
		row := b.entries[i].row
		if d, ok := graph.ParseDType(row.DType); !ok || !slices.Contains(tvmDTypes, d) {
			return nil, fmt.Errorf("the tensor %q has the element type %s, which TVM does not know", row.Name, row.DType)
		}
		out[i] = row.DType
	}
	return out, nil
}

func isImage(row *plan.Tensor) bool { return row.Scope != "" && row.Scope != "global" }

// scopes lists the memory scope of each entry; nil when all are flat, as runtimes without textures want it.
func (b *tvmBuilder) scopes() []string {
	out := make([]string, len(b.entries))
	images := false
	for i := range b.entries {
		out[i] = "global"
		if row := b.entries[i].row; isImage(row) {
			out[i], images = row.Scope, true
		}
	}
	if !images {
		return nil
	}
	return out
}

// tvmDevices are TVM's numbers of the devices that memplan drives.
var tvmDevices = map[string]int64{"host": 1, "opencl": 4}

// devices lists the kind of device of each entry; nil when the plan is for one that TVM has no number for.
func (b *tvmBuilder) devices() []int64 {
	drivers := map[string]string{}
	for _, d := range b.p.Devices {
		drivers[d.Name] = d.Driver
	}
	byPool := map[string]int64{}
	for _, pool := range b.p.Pools {
		byPool[pool.Name] = tvmDevices[drivers[pool.Device]]
	}
	kinds := make([]int64, len(b.entries))
	first := int64(0) // the kind for the caller's memory
	for i := len(kinds) - 1; i >= 0; i-- {
		if row := b.entries[i].row; row.Pool != "" {
			kinds[i] = byPool[row.Pool]
			first = kinds[i]
		}
	}
	for i := range kinds {
		if b.entries[i].row.Pool == "" {
			kinds[i] = first
		}
		if kinds[i] == 0 {
			return nil
		}
	}
	return kinds
}

// tvmShape is the shape of a tensor as it lies in memory: that of an image has its channels in fours, on a last axis.
func tvmShape(row *plan.Tensor) []int64 {
	if !isImage(row) {
		return row.Shape
	}
	layout := row.Layout
	if layout == "" && len(row.Shape) == 4 {
		layout = "NCHW" // as the planner takes what nobody labels
	}
	dtype, _ := graph.ParseDType(row.DType)
	geometry, reason := texture.Pack(texture.Scope(row.Scope), row.Shape, layout, dtype)
	if reason != "" {
		return row.Shape
	}
	return geometry.Packed
}
