package main

import (
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// faults reports what is wrong with the runs of the configuration, as far as that shows without a device: names that
// their graphs do not have, and array files that cannot be read or hold another type or shape. It costs a read of the start
// of each file.
func (r *runner) faults() (ds diag.Diagnostics) {
	for _, run := range r.job.cfg.Runs {
		g := r.graph(run.Graph.Name)
		if g == nil {
			continue // the graph has no plan, and that is reported
		}
		ds = append(ds, r.inputFaults(run, tensorsOf(g, g.Inputs))...)
		ds = append(ds, r.expectFaults(run, tensorsOf(g, g.Outputs))...)
	}
	return ds
}

func tensorsOf(g *graph.Graph, ids []graph.TensorID) (tensors []*graph.Tensor) {
	for _, id := range ids {
		tensors = append(tensors, g.Tensor(id))
	}
	return tensors
}

func tensorNamed(tensors []*graph.Tensor, name string) *graph.Tensor {
	if at := slices.IndexFunc(tensors, func(t *graph.Tensor) bool { return t.Name == name }); at >= 0 {
		return tensors[at]
	}
	return nil
}

func (r *runner) inputFaults(run *config.Run, inputs []*graph.Tensor) (ds diag.Diagnostics) {
	own := inputs
	for _, in := range run.Inputs {
		inputs := own
		if in.Graph != nil && in.Graph != run.Graph {
			g := r.graph(in.Graph.Name)
			inputs = tensorsOf(g, g.Inputs)
		}
		t := tensorNamed(inputs, in.Tensor)
		switch {
		case t == nil:
			ds = append(ds, noSuchInput(run, in, tensorNames(inputs)))
		case in.NPY != "":
			a, found := readArrayType(r.job.beside(in.NPY))
			if ds = append(ds, found.At(in.Range)...); !found.HasErrors() && (a.DType != fileType(t.DType) || !a.Shape.Equal(t.Shape)) {
				ds = append(ds, diag.New(diag.InputMismatch, "%q holds %v %v, and input %q of graph %q is %v %v. Convert the array, or bind the dimensions of the graph to its shape.",
					in.NPY, a.DType, a.Shape, t.Name, run.Graph.Name, t.DType, t.Shape).At(in.Range))
			}
		}
	}
	return ds
}

func (r *runner) expectFaults(run *config.Run, outputs []*graph.Tensor) (ds diag.Diagnostics) {
	for _, e := range run.Expects {
		t := tensorNamed(outputs, e.Tensor)
		if t == nil {
			ds = append(ds, noSuchOutput(run, e, tensorNames(outputs)))
			continue
		}
		want, found := readArrayType(r.job.beside(e.NPY))
		if ds = append(ds, found.At(e.Range)...); !found.HasErrors() && (want.DType != fileType(t.DType) || !want.Shape.Equal(t.Shape)) {
			ds = append(ds, notComparable(e, t.DType, t.Shape, want))
		}
	}
	return ds
}
