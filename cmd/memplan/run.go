package main

import (
	"context"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/exec"
)

const runHelp = `run plans, and executes the runs of the configuration with exactly the planned placements. A graph file, or a
configuration without runs, is executed once with random inputs, or with those of -input. Each output is written as a
NumPy file and, where the run expects an array, compared with it. NumPy has no bfloat16: such tensors are read and written as float32.

A graph runs on the driver of its device. One whose driver is "none", or one that this memplan does not have, is refused;
"-device host" runs it on the host instead, with the same placements.

Outputs go to -output-dir DIR as DIR/OUTPUT.npy (as DIR/RUN/OUTPUT.npy when there are several runs), and without the flag
to NAME.out/RUN/OUTPUT.npy beside NAME.hcl; of a graph file net.onnx to net.onnx.out/net/OUTPUT.npy. Characters of names
other than letters, digits, ".", "_" and "-" become "_".

Exit status: 0 every run gave what it expects; 1 problems; 2 wrong use of the command line.`

func (a *app) runCommand() *cobra.Command {
	var options runOptions
	cmd := command("run [flags] [FILE or DIR]", "Execute the runs of a configuration, or a graph once", runHelp,
		func(ctx context.Context, path string) {
			v := view.NewRun(a.flags.json, a.term, a.sources, version())
			a.finish(v, a.run(ctx, v, path, options))
		})
	a.configFlags(cmd.Flags())
	flags := cmd.Flags()
	flags.Var(&options.device, "device", deviceHelp())
	flags.Var(&inputFlag{&options.inputs}, "input", "read an input: `NAME=FILE.npy`; may be repeated")
	flags.StringVar(&options.outputs, "output-dir", "", "write outputs to `DIR`")
	flags.IntVar(&options.iterations, "iterations", 1, "run `N` times and measure each")
	flags.BoolVar(&options.poison, "poison", false, "fill dead memory with NaN between steps, so that a stale read shows")
	flags.BoolVar(&options.profile, "profile", false, "measure every step: time, bytes moved, memory scope")
	flags.StringVar(&options.trace, "trace", "", "write the steps of the last iteration to `FILE`, for Perfetto or Chrome's tracing page")
	cmd.PreRunE = func(*cobra.Command, []string) error {
		if options.iterations < 1 {
			return &misuseError{diag.New(diag.InvalidFlag, "The flag -iterations does not take the value %d: a graph is run at least once.", options.iterations)}
		}
		return nil
	}
	return cmd
}

// inputFlag reads "-input NAME=FILE".
type inputFlag struct{ files *map[string]string }

// Set takes one input.
func (f *inputFlag) Set(text string) error {
	// A tensor's name may hold "=", a file's hardly does.
	at := strings.LastIndexByte(text, '=')
	if at < 1 || at == len(text)-1 {
		return fmt.Errorf("an input is given as NAME=FILE.npy, such as image=cat.npy")
	}
	if *f.files == nil {
		*f.files = map[string]string{}
	}
	(*f.files)[text[:at]] = text[at+1:]
	return nil
}

// String lists the inputs, for the flag library.
func (f *inputFlag) String() string {
	if f.files == nil {
		return ""
	}
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(*f.files)) {
		parts = append(parts, name+"="+(*f.files)[name])
	}
	return strings.Join(parts, ",")
}

// Type names the value in the help.
func (f *inputFlag) Type() string { return "NAME=FILE" }

func (a *app) run(ctx context.Context, v view.Run, path string, options runOptions) (o outcome) {
	a.outputs = append(a.outputs, outputFile{"-trace", options.trace})
	for _, file := range options.inputs {
		a.arrays.add(file)
	}
	in, ds := a.recognise(path)
	if ds.HasErrors() {
		return problems(ds)
	}
	if in.kind == graphInput && len(options.inputs) > 0 {
		if ds := a.dimensionsOfInputs(path, options.inputs); ds.HasErrors() {
			return problems(ds)
		}
	}
	j, ds := a.load("run", in)
	if ds.HasErrors() {
		return problems(ds)
	}
	result, ds, failed := a.planOrSay(ctx, j)
	if result == nil {
		return failed
	}
	defer closing(result, &o)
	if unknown := unknownInputs(result, options.inputs); unknown.HasErrors() {
		return problems(append(ds, unknown...))
	}
	if ds = a.judged(ds); ds.HasErrors() {
		return problems(ds)
	}
	r := &runner{job: j, result: result, options: options, term: a.term, log: a.logger()}
	defer freeing(r, &o)
	r.options.perRun = len(j.cfg.Runs) > 1 || options.outputs == ""
	if options.outputs == "" {
		r.options.outputs = j.outputDirectory()
	}
	pending := r.runs()
	if len(pending) == 0 {
		return problems(append(ds, diag.New(diag.Unrunnable, "%q declares no graph and no run: there is nothing to run. Add a graph block.", j.path)))
	}
	if refused := r.overwrites(pending); refused.HasErrors() {
		return problems(append(ds, refused...))
	}
	runs, more, err := r.all(ctx, pending)
	if ds = append(ds, more...); err != nil {
		return outcome{exit: exitProblems, diags: ds, err: err}
	}
	if err := r.writeTrace(); err != nil {
		ds = append(ds, notWritten(options.trace, err))
	}
	ds = a.judged(ds)
	v.Result(runs, ds)
	return done(exitFor(ds))
}

// dimensionsOfInputs binds the symbolic dimensions of a graph file to the extents of the arrays given for its inputs.
func (a *app) dimensionsOfInputs(path string, inputs map[string]string) (diags diag.Diagnostics) {
	file, err := openGraph(path, &a.inputs)
	if err != nil {
		return diag.Diagnostics{unreadable(path, err)}
	}
	g, ds := planner.Import(file)
	if err := file.Close(); err != nil {
		return append(ds, failure(err))
	}
	if ds.HasErrors() {
		return ds
	}
	dims := &dimFlag{&a.flags.dims}
	for _, id := range g.Inputs {
		t := g.Tensor(id)
		if input, given := inputs[t.Name]; given && len(t.Symbols) > 0 {
			diags = append(diags, bindSymbols(dims, t, input)...)
		}
	}
	return diags
}

func bindSymbols(dims *dimFlag, t *graph.Tensor, path string) diag.Diagnostics {
	array, ds := readArray(path)
	if ds.HasErrors() || len(array.Shape) != len(t.Symbols) {
		return ds // an array of another rank is reported with the shape that it does not have
	}
	for axis, symbol := range t.Symbols {
		if symbol == "" {
			continue
		}
		if err := dims.Set(fmt.Sprintf("%s=%d", symbol, array.Shape[axis])); err != nil {
			ds = append(ds, diag.New(diag.WrongArguments, "Axis %d of %q gives the dimension %s of input %q the extent %d, but %v. Give arrays and -dim flags that agree.",
				axis, filepath.ToSlash(path), symbol, t.Name, array.Shape[axis], err))
		}
	}
	return ds
}

// unknownInputs reports the inputs of the command line that no graph has.
func unknownInputs(result *planner.Result, inputs map[string]string) diag.Diagnostics {
	var names []string
	for i, g := range result.Graphs {
		for _, id := range g.Inputs {
			names = append(names, g.Tensor(id).Name)
			if len(result.Graphs) > 1 {
				names = append(names, exec.InputName(result.Plan.Graphs[i].Name, g.Tensor(id).Name))
			}
		}
	}
	var diags diag.Diagnostics
	for _, name := range slices.Sorted(maps.Keys(inputs)) {
		if !slices.Contains(names, name) {
			diags = append(diags, diag.New(diag.UnknownInput, "No graph has an input %q.%s There is %s: name that in -input, or leave the flag out.", name, diag.DidYouMean(name, names), diag.Quoted(names)))
		}
	}
	return diags
}
