package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
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
		if stored := fileType(a.DType); path != "" && stored != a.DType {
			out.StoredAs = stored.String()
		}
		diags = append(diags, ds...)
		if e := expects[name]; e != nil {
			diags = append(diags, r.compare(e, a, &out)...)
		}
		result.Outputs = append(result.Outputs, out)
		delete(expects, name)
	}
	for _, e := range run.Expects {
		if _, left := expects[e.Tensor]; left {
			diags = append(diags, noSuchOutput(run, e, names))
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
	if want.DType != fileType(got.DType) || !want.Shape.Equal(got.Shape) {
		return diag.Diagnostics{notComparable(e, got.DType, got.Shape, array.Type{DType: want.DType, Shape: want.Shape})}
	}
	got, err := cast(got, want.DType)
	if err != nil {
		return diag.Diagnostics{failure(err)}
	}
	d := difference(got, want, e.ATol, e.RTol)
	out.MaxAbsError = &d.largest
	if pass = d.outside == 0; pass {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.UnexpectedValue,
		"%d of the %d elements of output %q %s; the largest difference is %g, at element %v, which is %g and not %g. Look at the input and the tolerance first.",
		d.outside, d.elements, e.Tensor, beyond(e), d.largest, d.at, d.got, d.want).At(e.Range)}
}

// beyond says how elements differ that differ too much.
func beyond(e *config.Expect) string {
	switch {
	case e.ATol == 0 && e.RTol == 0:
		return fmt.Sprintf("differ from %q, and without atol and rtol they must be equal", e.NPY)
	case e.RTol == 0:
		return fmt.Sprintf("are farther from %q than %g", e.NPY, e.ATol)
	case e.ATol == 0:
		return fmt.Sprintf("are farther from %q than %g times the expected value", e.NPY, e.RTol)
	}
	return fmt.Sprintf("are farther from %q than %g + %g times the expected value", e.NPY, e.ATol, e.RTol)
}

func noSuchOutput(run *config.Run, e *config.Expect, names []string) diag.Diagnostic {
	return diag.New(diag.UnknownOutput, "Graph %q has no output %q to compare.%s%s", run.Graph.Name, e.Tensor, diag.DidYouMean(e.Tensor, names), listed("outputs", names)).At(e.Range)
}

func notComparable(e *config.Expect, dtype graph.DType, shape graph.Shape, want array.Type) diag.Diagnostic {
	return diag.New(diag.UnexpectedValue, "Output %q is %v %v, and %q holds %v %v. Record what is expected again.",
		e.Tensor, dtype, shape, e.NPY, want.DType, want.Shape).At(e.Range)
}

func (r *runner) write(run *config.Run, file string, a *array.Array) (string, diag.Diagnostics) {
	if r.options.outputs == "" {
		return "", nil
	}
	path := r.outputPath(run, file)
	if err := writeArray(path, a); err != nil {
		return "", diag.Diagnostics{notWritten(path, err)}
	}
	return path, nil
}

// outputPath is where an output of a run goes.
func (r *runner) outputPath(run *config.Run, file string) string {
	dir := r.options.outputs
	if r.options.perRun {
		dir = filepath.Join(dir, fileNames([]string{run.Name})[0])
	}
	return filepath.Join(dir, file+".npy")
}

// longestName is what is kept of the name of a tensor in that of a file, in bytes: file systems allow 255 in all.
const longestName = 200

// fileNames makes names of files of names of tensors: every character but letters, digits, ".", "_" and "-" becomes
// "_", and a name that is taken gets a number.
func fileNames(names []string) []string {
	taken := map[string]bool{}
	out := make([]string, len(names))
	for i, name := range names {
		file := strings.Map(func(r rune) rune {
			if r < 128 && (isLetter(byte(r)) || '0' <= r && r <= '9' || strings.ContainsRune("._-", r)) {
				return r
			}
			return '_'
		}, name)
		if file == "" || file[0] == '.' {
			file = "_" + file // no hidden file, and none of the names of directories
		}
		if len(file) > longestName {
			file = file[:longestName/2] + "__" + file[len(file)-longestName/2:]
		}
		base := file
		for n := 2; taken[file]; n++ {
			file = fmt.Sprintf("%s_%d", base, n)
		}
		taken[file] = true
		out[i] = file
	}
	return out
}
