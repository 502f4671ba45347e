package exec

import (
	"cmp"
	"context"
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/device"
)

// upload writes each placed constant once. It reads each constant's data once.
func (r *Runner) upload(ctx context.Context) (diag.Diagnostics, error) {
	var diags diag.Diagnostics
	for i := range r.graph.Tensors {
		t := &r.graph.Tensors[i]
		placed := r.tensors[t.Name]
		if t.Role != graph.Constant || placed == nil {
			continue
		}
		if err := ctx.Err(); err != nil {
			return diags, err
		}
		data, problem := content(t, placed.LogicalBytes)
		if problem != nil {
			diags = append(diags, *problem)
			continue
		}
		if err := r.dev.Write(placed, data); err != nil {
			return diags, fmt.Errorf("upload constant: %w", err)
		}
	}
	return diags, nil
}

// content reads a constant and checks that it has the bytes of its shape.
func content(t *graph.Tensor, bytes int64) ([]byte, *diag.Diagnostic) {
	report := func(reason string) *diag.Diagnostic {
		d := diag.New(diag.ConstantNotUploaded, "Constant %q, %v %v, %s. Check that the model and its weight files belong together.",
			t.Name, t.DType, t.Shape, reason)
		return &d
	}
	if t.Data == nil {
		return nil, report("has no content in the model")
	}
	if t.Data.Size() != bytes {
		return nil, report(fmt.Sprintf("has %d bytes of content where its shape needs %d", t.Data.Size(), bytes))
	}
	data, err := t.Data.Read()
	if err != nil {
		return nil, report(fmt.Sprintf("cannot be read: %v", err))
	}
	if int64(len(data)) != bytes {
		return nil, report(fmt.Sprintf("gave %d bytes where its shape needs %d", len(data), bytes))
	}
	return data, nil
}

// prepare readies every step of the plan. All steps are tried, so that each operator without a kernel is reported, once
// with the number of its steps.
func (r *Runner) prepare(ctx context.Context, planned *plan.Graph, l *layout) (diag.Diagnostics, error) {
	ops := opsByResult(r.graph)
	scratch, over := scratchByStep(l), diagonals(planned)
	var diags diag.Diagnostics
	unknown := operators{}
	for i := range planned.Steps {
		if err := ctx.Err(); err != nil {
			return diags, err
		}
		if r.watch != nil {
			r.watch(Preparing, i, len(planned.Steps))
		}
		s, problem := r.bindStep(&planned.Steps[i], ops)
		if problem != nil {
			diags = append(diags, *problem)
			continue
		}
		s.Scratch = scratch[s.Index]
		if problem := cmp.Or(torn(s), r.overlap(s, over)); problem != nil {
			diags = append(diags, *problem)
			continue
		}
		prepared := step{of: s, silent: r.silent(s)}
		if !prepared.silent {
			if problem := r.rows(s); problem != nil {
				diags = append(diags, *problem)
				continue
			}
			handle, more, err := r.dev.Prepare(s)
			diags = unknown.add(diags, s.Op, more)
			if err != nil {
				return diags, err
			}
			prepared.handle = handle
		}
		r.steps = append(r.steps, prepared)
	}
	unknown.count(diags)
	return diags, nil
}

// opsByResult finds an op by the name of any tensor it writes.
func opsByResult(g *graph.Graph) map[string]*graph.Op {
	ops := make(map[string]*graph.Op, len(g.Tensors))
	for i := range g.Ops {
		for _, id := range g.Ops[i].Outputs {
			if t := g.Tensor(id); t != nil {
				ops[t.Name] = &g.Ops[i]
			}
		}
	}
	return ops
}

func scratchByStep(l *layout) map[int64][]*device.Tensor {
	by := map[int64][]*device.Tensor{}
	for _, t := range l.planned {
		if graph.Role(t.Role) == graph.Scratch {
			by[t.First] = append(by[t.First], l.tensors[t.Name])
		}
	}
	return by
}

// bindStep finds the op and the operands of a step. A step whose result no op of the graph writes is a copy between
// scopes, which the planner added.
func (r *Runner) bindStep(s *plan.Step, ops map[string]*graph.Op) (*device.Step, *diag.Diagnostic) {
	bound := &device.Step{Index: s.Step}
	var missing string
	resolve := func(names []string) []*device.Tensor {
		list := make([]*device.Tensor, len(names))
		for i, name := range names {
			if name == "" {
				continue
			}
			if list[i] = r.tensors[name]; list[i] == nil {
				missing = name
			}
		}
		return list
	}
	bound.Inputs, bound.Outputs = resolve(s.Inputs), resolve(s.Outputs)
	if missing != "" {
		d := diag.New(diag.PlanGraphMismatch, "Step %d, op %q, uses tensor %q, which the plan does not place. Make the plan again.", s.Step, s.Name, missing)
		return nil, &d
	}
	for _, name := range s.Outputs {
		if op := ops[name]; op != nil {
			bound.Op = op
			break
		}
	}
	if bound.Op == nil && len(s.Inputs) == 1 && len(s.Outputs) == 1 {
		bound.Op = &graph.Op{Name: s.Name, Op: graph.CopyOp, Domain: graph.CopyDomain}
	}
	if bound.Op == nil {
		d := diag.New(diag.PlanGraphMismatch, "Step %d, op %q (%s), has no counterpart in the model. The model has changed since; plan again.", s.Step, s.Name, s.Op)
		return nil, &d
	}
	return bound, nil
}

// silentView reports whether a step has nothing to do: it only renames, and the plan gave input and result the same
// bytes.
func silentView(s *device.Step) bool {
	in, out := renamed(s)
	return in != nil && in.LogicalBytes == out.LogicalBytes && in.Row == out.Row && in.Stride == out.Stride && sameStart(in.Place, out.Place) && (in.Place.Image < 0 || sameImage(in, out))
}

// renamed returns the two tensors of a step that only renames, nil for other steps.
func renamed(s *device.Step) (in, out *device.Tensor) {
	if len(s.Inputs) == 0 || s.Inputs[0] == nil {
		return nil, nil
	}
	wanted := 0
	for _, t := range s.Outputs {
		if t != nil {
			wanted++
		}
	}
	if wanted != 1 || s.Outputs[0] == nil || !s.Op.IsReshape(info(s.Inputs[0]), info(s.Outputs[0])) {
		return nil, nil
	}
	return s.Inputs[0], s.Outputs[0]
}

// info is what the graph would know of a tensor's type.
func info(t *device.Tensor) *graph.Tensor { return &graph.Tensor{DType: t.DType, Shape: t.Shape} }

func sameStart(a, b device.Region) bool {
	return a.Pool == b.Pool && a.Image == b.Image && a.Offset == b.Offset
}

// bindValues finds the inputs and outputs of the graph.
func (r *Runner) bindValues(l *layout) (diag.Diagnostics, error) {
	var diags diag.Diagnostics
	for _, id := range r.graph.Inputs {
		t := r.graph.Tensor(id)
		if t == nil {
			return diags, fmt.Errorf("graph input %d is not a tensor", id)
		}
		v := graphValue{info: t, tensor: l.tensors[t.Name]}
		if v.tensor == nil {
			diags = append(diags, unplaced(t))
			continue
		}
		if r.linked[t.Name] {
			continue // the graph before has written it
		}
		if r.prefix != "" {
			named := *t
			named.Name = InputName(r.prefix, t.Name)
			v.info = &named
		}
		r.inputs = append(r.inputs, v)
	}
	for _, id := range r.graph.Outputs {
		t := r.graph.Tensor(id)
		if t == nil {
			return diags, fmt.Errorf("graph output %d is not a tensor", id)
		}
		v := graphValue{info: t, tensor: l.tensors[t.Name]}
		if v.tensor == nil {
			data, problem := unplacedOutput(t)
			if problem != nil {
				diags = append(diags, *problem)
				continue
			}
			v.data = data
		}
		r.outputs = append(r.outputs, v)
	}
	return diags, nil
}

// unplacedOutput is the content of an output that no pool holds: only a constant has one.
func unplacedOutput(t *graph.Tensor) ([]byte, *diag.Diagnostic) {
	if t.Role != graph.Constant && t.Data == nil {
		d := unplaced(t)
		return nil, &d
	}
	bytes, _ := t.Shape.Bytes(t.DType)
	return content(t, bytes)
}

func unplaced(t *graph.Tensor) diag.Diagnostic {
	return diag.New(diag.PlanGraphMismatch, "The plan does not place the %s %q of the model. The model has changed since; plan again.", t.Role, t.Name)
}

// Reset gives every state tensor its first content, zeros, also in the graphs that run before.
func (r *Runner) Reset() error {
	for _, x := range r.chain() {
		if err := x.clearState(); err != nil {
			return err
		}
	}
	return nil
}

// clearState gives every state tensor its first content, zeros.
func (r *Runner) clearState() error {
	for i := range r.graph.Tensors {
		t := r.tensors[r.graph.Tensors[i].Name]
		if t == nil || t.Role != graph.State {
			continue
		}
		if err := r.dev.Write(t, make([]byte, t.LogicalBytes)); err != nil {
			return fmt.Errorf("clear state: %w", err)
		}
	}
	return nil
}
