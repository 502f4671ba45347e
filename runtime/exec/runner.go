package exec

import (
	"context"
	"errors"
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// Options adjust a Runner; the zero value is right for production.
type Options struct {
	// Poison fills what is not live with 0xFF bytes, which are NaN in every float type: everything but constants and
	// state before a run, and after each step the bytes of the tensors that died with it. An image is filled whole, so
	// that texels beyond a tensor's rectangle and the ends of rows are NaN while the tensor lives in it.
	Poison bool
	// Before are the graphs that inputs of this one come from, directly or through others, in the order of the plan. They run
	// before it on the same memory, where their outputs are its inputs: nothing is copied.
	Before []Upstream
	// Watch is told of each step that is about to be prepared, and of each before it runs, counted from 0 of so many; nil for
	// nobody. It is part of what is measured, so it must be quick.
	Watch func(stage Stage, step, steps int)
}

// Stage is what a Runner does with steps.
type Stage int

// The stages, in order.
const (
	Preparing Stage = iota
	Running
)

// Runner executes one planned graph. It is used from one goroutine.
type Runner struct {
	dev    device.Device
	memory device.Memory
	graph  *graph.Graph
	// tensors has the placed tensors by name.
	tensors map[string]*device.Tensor
	steps   []step
	// stretches are the steps as they are started, but for poisoned ones and those of a profile by the host's clock.
	stretches []device.Stretch
	// dead is what Poison fills before a run.
	dead []device.Region
	inputs,
	outputs []graphValue
	poison bool
	watch  func(stage Stage, step, steps int)
	// before are the runners of the graphs that run before; prefix is the name of a graph that does, before the names of its
	// inputs; linked are the inputs that such a graph writes.
	before []*Runner
	prefix string
	linked map[string]bool
	// planned is the graph as the plan has it.
	planned *plan.Graph
}

// step is a prepared step and what dies after it.
type step struct {
	of     *device.Step
	handle device.Handle
	// silent marks a view whose result is its input's bytes already.
	silent bool
	dead   []device.Region
}

// graphValue is an input or an output of the graph. An output that no pool holds, a constant, has its content instead.
type graphValue struct {
	info   *graph.Tensor
	tensor *device.Tensor
	data   []byte
}

// New allocates the pools of the graph's device, uploads the constants and prepares every step. g is the graph that the
// plan was made for, after rewriting; its tensors have the plan's names. The device is opened here and must be new; the
// caller closes it, also when New fails.
//
// Diagnostics report what the plan, the graph or the device do not allow; the Runner is nil when one of them is an
// error. Errors are faults of the device or of the plan's maker.
func New(ctx context.Context, p *plan.Plan, graphName string, g *graph.Graph, dev device.Device, o Options) (*Runner, diag.Diagnostics, error) {
	parts, diags := arrange(p, append(o.Before[:len(o.Before):len(o.Before)], Upstream{graphName, g}))
	if diags.HasErrors() {
		return nil, diags, nil
	}
	more, err := dev.Open(parts[len(parts)-1].layout.memory)
	if diags = append(diags, more...); err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	runners, more, err := newRunners(ctx, parts, dev, o)
	if diags = append(diags, more...); err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	last := len(runners) - 1
	runners[last].before = runners[:last]
	return runners[last], diags, nil
}

// load does everything after the allocation. The claims are those of other graphs that run on the same memory.
func (r *Runner) load(ctx context.Context, planned *plan.Graph, l *layout, others []claim) (diag.Diagnostics, error) {
	diags, err := r.upload(ctx)
	if err != nil {
		return diags, err
	}
	more, err := r.prepare(ctx, planned, l)
	if diags = append(diags, more...); err != nil {
		return diags, err
	}
	more, err = r.bindValues(l)
	if diags = append(diags, more...); err != nil || diags.HasErrors() {
		return diags, err
	}
	if r.poison {
		r.plantPoison(planned, l, others)
	}
	if err := r.clearState(); err != nil {
		return diags, err
	}
	return diags, r.join(ctx)
}

// Run writes the inputs, executes all steps and returns the outputs by name. Diagnostics report inputs that do not fit
// and data that an operator cannot take; an interrupted run returns the context's error.
func (r *Runner) Run(ctx context.Context, inputs map[string]*array.Array) (map[string]*array.Array, diag.Diagnostics, error) {
	if diags := r.CheckInputs(inputs); diags.HasErrors() {
		return nil, diags, nil
	}
	if diags, err := r.Execute(ctx, inputs); err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	outputs, err := r.Outputs()
	return outputs, nil, err
}

// Execute is Run without checking the inputs and reading the outputs: it is what a latency measures. It stops between stretches of steps when the
// context ends. It allocates nothing on the device.
func (r *Runner) Execute(ctx context.Context, inputs map[string]*array.Array) (diag.Diagnostics, error) {
	for _, x := range r.chain() {
		if diags, err := x.execute(ctx, inputs); err != nil || diags.HasErrors() {
			return diags, err
		}
	}
	return nil, nil
}

// execute runs the graph alone.
func (r *Runner) execute(ctx context.Context, inputs map[string]*array.Array) (diag.Diagnostics, error) {
	if err := r.begin(inputs); err != nil {
		return nil, err
	}
	if err := r.start(ctx); err != nil {
		return failed(err)
	}
	return failed(r.dev.Finish())
}

// begin poisons what is dead and writes the inputs.
func (r *Runner) begin(inputs map[string]*array.Array) error {
	if r.poison {
		if err := r.fill(r.dead); err != nil {
			return err
		}
	}
	for _, in := range r.inputs {
		a := inputs[in.info.Name]
		if a == nil || in.tensor == nil {
			return fmt.Errorf("input %s was not checked", in.info.Name)
		}
		if err := r.dev.Write(in.tensor, a.Data); err != nil {
			return fmt.Errorf("write input: %w", err)
		}
	}
	return nil
}

func (r *Runner) step(ctx context.Context, i int) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if r.watch != nil {
		r.watch(Running, i, len(r.steps))
	}
	s := &r.steps[i]
	if !s.silent {
		if err := r.dev.Run(ctx, s.handle); err != nil {
			return err
		}
	}
	return r.fill(s.dead)
}

// failed turns the failure of a step on its data into a diagnostic.
func failed(err error) (diag.Diagnostics, error) {
	var step *device.StepError
	if !errors.As(err, &step) {
		return nil, err
	}
	return diag.Diagnostics{diag.New(diag.StepFailed,
		"Step %d, op %q (%s), writing %q: %v. Check the model's constants and the given inputs.",
		step.Step.Index, step.Step.Op.Name, step.Step.Op.Op, firstName(step.Step.Outputs), step.Err)}, nil
}

func firstName(tensors []*device.Tensor) string {
	for _, t := range tensors {
		if t != nil {
			return t.Name
		}
	}
	return ""
}

// Outputs reads the outputs of the last run, by name. Each array is new.
func (r *Runner) Outputs() (map[string]*array.Array, error) {
	outputs := make(map[string]*array.Array, len(r.outputs))
	for _, out := range r.outputs {
		a := &array.Array{DType: out.info.DType, Shape: out.info.Shape.Clone()}
		if out.tensor == nil {
			a.Data = append([]byte{}, out.data...)
		} else {
			a.Data = make([]byte, out.tensor.LogicalBytes)
			if err := r.dev.Read(out.tensor, a.Data); err != nil {
				return nil, fmt.Errorf("read output: %w", err)
			}
		}
		outputs[out.info.Name] = a
	}
	return outputs, nil
}

// Inputs lists the inputs that the caller gives, in the model's order: those of graphs that run before come first, with
// their graph's name before theirs, see [InputName].
func (r *Runner) Inputs() []*graph.Tensor { return infos(r.given()) }

// OutputTensors lists the outputs of the graph in the model's order.
func (r *Runner) OutputTensors() []*graph.Tensor { return infos(r.outputs) }

func infos(values []graphValue) []*graph.Tensor {
	list := make([]*graph.Tensor, len(values))
	for i := range values {
		list[i] = values[i].info
	}
	return list
}

// Allocations is the number of allocations of the device since New, pools and workspace together.
func (r *Runner) Allocations() int64 {
	c := r.dev.Counters()
	return c.Pools + c.Workspace
}

// PoolBytes returns the bytes allocated for each pool: the planned peak, and for a texture pool the sum of its images.
func (r *Runner) PoolBytes() map[string]int64 {
	bytes := make(map[string]int64, len(r.memory.Pools))
	for i, p := range r.memory.Pools {
		bytes[p.Name] = p.Bytes
		for _, im := range r.memory.Images {
			if im.Pool == i && im.Offset < 0 {
				bytes[p.Name] += im.Bytes
			}
		}
	}
	return bytes
}
