package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/exec"
)

// inputs makes the arrays of a run: from the command line, from the run's files and seeds, else random with seed 0.
func (r *runner) inputs(run *config.Run, walker *exec.Runner) (map[string]*array.Array, diag.Diagnostics) {
	var diags diag.Diagnostics
	arrays := map[string]*array.Array{}
	given := map[string]*config.RunInput{}
	for _, in := range run.Inputs {
		given[inputKey(run, in)] = in
	}
	for _, t := range walker.Inputs() {
		a, ds := r.input(t, given[t.Name])
		diags = append(diags, ds...)
		if a != nil {
			arrays[t.Name] = a
		}
		delete(given, t.Name)
	}
	for _, in := range run.Inputs {
		if _, left := given[inputKey(run, in)]; left {
			diags = append(diags, noSuchInput(run, in, tensorNames(walker.Inputs())))
		}
	}
	return arrays, diags
}

// inputKey is the name by which a run's input is known to what executes the run.
func inputKey(run *config.Run, in *config.RunInput) string {
	if in.Graph == nil || in.Graph == run.Graph {
		return in.Tensor
	}
	return exec.InputName(in.Graph.Name, in.Tensor)
}

func noSuchInput(run *config.Run, in *config.RunInput, names []string) diag.Diagnostic {
	return diag.New(diag.UnknownInput, "Graph %q has no input %q.%s%s", run.Graph.Name, in.Tensor, diag.DidYouMean(in.Tensor, names), listed("inputs", names)).At(in.Range)
}

// listed is a sentence that lists the names of a graph's inputs or outputs.
func listed(what string, names []string) string {
	switch len(names) {
	case 0:
		return " It has no " + what + "."
	case 1:
		return fmt.Sprintf(" Its only %s is %q.", strings.TrimSuffix(what, "s"), names[0])
	}
	return fmt.Sprintf(" Its %s are %s.", what, diag.Quoted(names))
}

func tensorNames(tensors []*graph.Tensor) []string {
	var names []string
	for _, t := range tensors {
		names = append(names, t.Name)
	}
	return names
}

func (r *runner) input(t *graph.Tensor, in *config.RunInput) (*array.Array, diag.Diagnostics) {
	if path, ok := r.options.inputs[t.Name]; ok {
		return readInput(t, path)
	}
	seed := int64(0)
	if in != nil && in.RandomSeed != nil {
		seed = *in.RandomSeed
	}
	if in != nil && in.NPY != "" {
		a, ds := readInput(t, r.job.beside(in.NPY))
		return a, ds.At(in.Range)
	}
	a, err := exec.Seed(seed, t.Shape, t.DType)
	if err != nil {
		return nil, diag.Diagnostics{diag.New(diag.MissingInput, "Input %q gets no random content: %v. Give it an array file.", t.Name, err)}
	}
	return a, nil
}

// randomInputs are the names of the inputs that no file is given for.
func (r *runner) randomInputs(run *config.Run, walker *exec.Runner) []string {
	names := []string{}
	for _, t := range walker.Inputs() {
		filed := slices.ContainsFunc(run.Inputs, func(in *config.RunInput) bool { return inputKey(run, in) == t.Name && in.NPY != "" })
		if _, given := r.options.inputs[t.Name]; !given && !filed {
			names = append(names, t.Name)
		}
	}
	return names
}

// readInput reads an array for a tensor. One in the type that files have instead of the tensor's is rounded to it.
func readInput(t *graph.Tensor, path string) (*array.Array, diag.Diagnostics) {
	a, ds := readArray(path)
	if ds.HasErrors() || a.DType != fileType(t.DType) || !a.Shape.Equal(t.Shape) {
		return a, ds // what does not fit is reported with what the graph was planned for
	}
	rounded, err := cast(a, t.DType)
	if err != nil {
		return nil, diag.Diagnostics{failure(err)}
	}
	return rounded, ds
}
