package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// conversions are the float types that kernels take as float32, by the end of the names of the converting kernels.
var conversions = map[graph.DType]string{graph.Float16: "float16", graph.BFloat16: "bfloat16", graph.Float64: "float64"}

// convert returns the launch that widens elements to float32, or narrows them from it, rounding to the nearest.
func (b *site) convert(verb string, dtype graph.DType, from, to *flat) (launch, error) {
	options := ""
	if dtype == graph.Float64 {
		if !b.d.facts.Float64 {
			return launch{}, form.Refuse("the device does not compute with float64")
		}
		options = "-DFLOAT64"
	}
	n := from.elements()
	return b.launch(source{"convert", options}, verb+"_"+conversions[dtype], cl.Size{(n + 15) / 16}, cl.Size{64}, from, to, n)
}

// move returns the launch that copies elements of one type as they are.
func (b *site) move(from, to *flat) (launch, error) {
	n := from.elements()
	return b.launch(raw("copy", from.dtype), "copy_elements", cl.Size{(n + 15) / 16}, cl.Size{64}, from, to, n)
}
