package main

import (
	"bytes"
	"context"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/problemfile"
	"github.com/memplan/memplan/planner/plan"
)

const solveHelp = `solve places the buffers of a bare layout problem: sizes and lifetimes, without a network.

FILE is CSV with the columns id, lower, upper and size, in any order, and optionally alignment, hint, offset (a place
that is fixed), gaps and pool; "start", "begin", "end" (inclusive), "buffer" and "buffer_id" are read as well. Gaps are
spans of the lifetime in which a buffer is free, such as "2-4 6-7@0:16": from 2 to 4 all of it, from 6 to 7 all but its
bytes from 0 up to 16. Or it is JSON:

  {"pools": [{"name": "sram", "capacity": 65536, "alignment": 16}],
   "buffers": [{"id": "a", "size": 4096, "lower": 0, "upper": 3, "pools": ["sram"]}]}

where buffers may have "gaps": [[2, 4], [6, 7, 0, 16]], or list "conflicts" instead of lifetimes. Either may be compressed by gzip, and "-" is standard input.
Offsets are multiples of what the file asks for, 1 where it asks for nothing. "memplan plan" reads a CSV as a graph on a device,
whose pools start every tensor at a multiple of 64 bytes unless a configuration says otherwise; for the same here, declare a pool:
-workspace-pools=memory -workspace-pools-alignment=memory:64.

A buffer whose gaps free a part of its bytes may stand above another one at one time and below it at another: interlocked. The
validator of google/minimalloc, which wants one of the two above the other at all times, refuses such placements.

With -capacity any placement that fits will do, or the proof that there is none; without, the least peak is looked for.

Exit status: 0 everything is placed; 1 not, or problems in the file; 2 wrong use of the command line.`

// solveFlags are the flags of solve alone.
type solveFlags struct {
	capacity  capacityFlag
	algorithm string
	out       string
	compare   bool
	minimise  bool
	effort    int64
	timeout   time.Duration
	pools     string
	options   []problemfile.PoolOption
}

func (a *app) solveCommand() *cobra.Command {
	f := solveFlags{algorithm: "auto"}
	cmd := command("solve [flags] FILE", "Place the buffers of a bare layout problem", solveHelp,
		func(ctx context.Context, path string) {
			v := view.NewSolve(a.flags.json, a.term, a.sources)
			a.finish(v, a.solve(ctx, v, path, &f))
		})
	flags := cmd.Flags()
	flags.Var(&f.capacity, "capacity", "fit everything into `BYTES`, such as 1048576 or 1MiB")
	flags.Var((*algorithmFlag)(&f.algorithm), "algorithm", "solve with the layout algorithm `NAME`: "+diag.Enumerate(layout.Algorithms(), "or"))
	flags.StringVarP(&f.out, "out", "o", "", "write the problem with the places found to `OUT` when there is one for every buffer: JSON when it ends in .json, CSV when it ends in .csv, else as FILE; \"-\" is standard output, and the summary then goes to standard error")
	flags.BoolVar(&f.compare, "compare", false, "run all algorithms and print a table of what they reach")
	flags.BoolVar(&f.minimise, "minimise", false, "look for the least peak within the capacity as well")
	flags.Int64Var(&f.effort, "effort", 0, "search `NODES` nodes instead of the algorithm's default")
	flags.DurationVar(&f.timeout, "timeout", 0, "stop after `TIME`, such as 10s; the result may then differ from run to run")
	flags.StringVar(&f.pools, "workspace-pools", "", "declare pools in order of preference: `NAME,...`")
	for _, name := range []string{"size-hint-bytes", "alignment", "targets"} {
		flags.Var(&poolOptionFlag{name: name, list: &f.options}, "workspace-pools-"+name, "set this of a pool: `POOL:VALUE`; may be repeated")
	}
	cmd.PreRunE = func(*cobra.Command, []string) error { return f.check() }
	return cmd
}

// check refuses limits that none of the work could keep to. 0 stands for the default effort, and for as much time as it takes.
func (f *solveFlags) check() error {
	switch {
	case f.effort < 0:
		return &misuseError{diag.New(diag.InvalidFlag, "The flag -effort does not take the value %d: no search has fewer than 0 nodes.", f.effort)}
	case f.timeout < 0:
		return &misuseError{diag.New(diag.InvalidFlag, "The flag -timeout does not take the value %s: the time would be over before it began.", f.timeout)}
	}
	return nil
}

func (a *app) solve(ctx context.Context, v view.Solve, path string, f *solveFlags) outcome {
	pools, ds := problemfile.DeclarePools(f.pools, f.options)
	if ds.HasErrors() {
		return outcome{exit: exitMisuse, diags: ds}
	}
	problem, ds := a.readProblem(path, pools)
	if ds.HasErrors() {
		return problems(ds)
	}
	if f.capacity.given {
		if len(problem.Pools) > 1 {
			return outcome{exit: exitMisuse, diags: diag.Diagnostics{diag.New(diag.WrongArguments,
				"-capacity is for one pool, and %s has %d: %s. Give each its own with -workspace-pools-size-hint-bytes, or in the file.",
				problem.Name, len(problem.Pools), diag.Quoted(problem.PoolNames()))}}
		}
		problem.Pools[0].Capacity, problem.Problem.Pools[0].Capacity = f.capacity.bytes, f.capacity.bytes
	}
	if f.timeout > 0 {
		var stop context.CancelFunc
		ctx, stop = context.WithTimeout(ctx, f.timeout)
		defer stop()
	}
	s := &solver{problem: problem, effort: layout.Effort{Nodes: f.effort, Decide: f.capacity.given && !f.minimise}}
	stop := a.term.ProgressOf(s.progress())
	out, err := s.run(ctx, f.algorithm, f.compare)
	stop()
	if err != nil {
		return fault(err)
	}
	if f.out != "" && f.out != "-" {
		if refused := a.inputs.refuse("-o", f.out); refused.HasErrors() {
			return problems(refused)
		}
	}
	if f.out != "" && len(s.result.Unplaced) == 0 {
		if err := a.writeSolved(problem, s.result, f.out); err != nil {
			return *err
		}
		out.Written = filepath.ToSlash(f.out)
	}
	if f.out == "-" && out.Written != "" {
		v = view.NewSolveBeside(a.term, a.sources) // standard output is the file
		out.Written = ""
	}
	out.Diagnostics = a.judged(out.Diagnostics)
	v.Result(out)
	if len(s.result.Unplaced) > 0 || out.Diagnostics.HasErrors() {
		return done(exitProblems)
	}
	return done(exitOK)
}

// readProblem reads the file with the pools of the command line.
func (a *app) readProblem(path string, pools []problemfile.Pool) (*problemfile.File, diag.Diagnostics) {
	name, content, err := a.readInput(path)
	if err != nil {
		return nil, diag.Diagnostics{unreadable(path, err)}
	}
	problem, ds := problemfile.Read(name, content, pools)
	a.remember(name, problem.Text)
	return problem, ds
}

// readInput reads a file, "-" being standard input.
func (a *app) readInput(path string) (name string, content []byte, err error) {
	if path == "-" {
		content, err = io.ReadAll(a.stdin)
		return "standard input", content, err
	}
	a.inputs.add(path)
	info, err := os.Stat(path)
	if err == nil && info.IsDir() {
		return "", nil, errors.New("it is a directory, and a layout problem is a file")
	}
	content, err = os.ReadFile(path)
	return filepath.ToSlash(path), content, err
}

// writeSolved writes the problem with its places to a file.
func (a *app) writeSolved(problem *problemfile.File, result *layout.Result, out string) *outcome {
	form := problem.Format
	switch name := strings.TrimSuffix(strings.ToLower(out), ".gz"); filepath.Ext(name) {
	case ".json":
		form = problemfile.JSON
	case ".csv":
		form = problemfile.CSV
	}
	var text bytes.Buffer
	err := problem.Write(&text, form, result)
	var wrong *diag.Diagnostic
	switch {
	case errors.As(err, &wrong):
		o := problems(diag.Diagnostics{*wrong})
		return &o
	case err != nil:
		o := fault(err)
		return &o
	}
	if strings.HasSuffix(strings.ToLower(out), ".gz") {
		packed, err := problemfile.Pack(text.Bytes())
		if err != nil {
			o := fault(err)
			return &o
		}
		text = *bytes.NewBuffer(packed)
	}
	if out == "-" {
		_, err = a.failed.Write(text.Bytes())
	} else {
		err = plan.WriteFile(out, text.Bytes())
	}
	if err != nil {
		o := problems(diag.Diagnostics{notWritten(out, err)})
		return &o
	}
	return nil
}
