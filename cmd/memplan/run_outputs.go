package main

import (
	"bytes"
	"os"
	"path/filepath"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/exec"
)

// deliver writes the outputs and compares them with what the run expects.
func (r *runner) deliver(run *config.Run, walker *exec.Runner, outputs map[string]*array.Array, result *view.RunResult) diag.Diagnostics {
	var diags diag.Diagnostics
	expects := map[string]*config.Expect{}
	for _, e := range run.Expects {
		expects[e.Tensor] = e
	}
	names := tensorNames(walker.OutputTensors())
	files := fileNames(names)
	for i, name := range names {
		a := outputs[name]
		out := view.RunOutput{Name: name, Shape: a.Shape, DType: a.DType.String()}
		path, ds := r.write(run, files[i], a)
		out.NPY = filepath.ToSlash(path)
		diags = append(diags, ds...)
		if e := expects[name]; e != nil {
			diags = append(diags, r.compare(e, a, &out)...)
		}
		result.Outputs = append(result.Outputs, out)
		delete(expects, name)
	}
	for _, e := range run.Expects {
		if _, left := expects[e.Tensor]; left {
			diags = append(diags, diag.New(diag.UnexpectedValue, "Graph %q has no output %q to compare.%s", run.Graph.Name, e.Tensor, diag.DidYouMean(e.Tensor, names)).At(e.Range))
		}
	}
	return diags
}

func (r *runner) compare(e *config.Expect, got *array.Array, out *view.RunOutput) diag.Diagnostics {
	want, ds := readArray(r.job.beside(e.NPY))
	if ds.HasErrors() {
		return ds.At(e.Range)
	}
	pass := false
	out.Pass = &pass
	if want.DType != got.DType || !want.Shape.Equal(got.Shape) {
		return diag.Diagnostics{diag.New(diag.UnexpectedValue, "Output %q is %v %v, and %q holds %v %v. Record what is expected again.",
			e.Tensor, got.DType, got.Shape, e.NPY, want.DType, want.Shape).At(e.Range)}
	}
	d := difference(got, want, e.ATol, e.RTol)
	out.MaxAbsError = &d.largest
	if pass = d.outside == 0; pass {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.UnexpectedValue,
		"%d of the %d elements of output %q are farther from %q than %g + %g times the expected value; the largest difference is %g, at element %v, which is %g and not %g. Look at the input and the tolerance first.",
		d.outside, d.elements, e.Tensor, e.NPY, e.ATol, e.RTol, d.largest, d.at, d.got, d.want).At(e.Range)}
}

func (r *runner) write(run *config.Run, file string, a *array.Array) (string, diag.Diagnostics) {
	if r.options.outputs == "" {
		return "", nil
	}
	dir := r.options.outputs
	if r.options.perRun {
		dir = filepath.Join(dir, fileNames([]string{run.Name})[0])
	}
	path := filepath.Join(dir, file+".npy")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return "", diag.Diagnostics{notWritten(path, err)}
	}
	var b bytes.Buffer
	if err := exec.WriteNpy(&b, a); err != nil {
		return "", diag.Diagnostics{notWritten(path, err)}
	}
	if err := plan.WriteFile(path, b.Bytes()); err != nil {
		return "", diag.Diagnostics{notWritten(path, err)}
	}
	return path, nil
}
