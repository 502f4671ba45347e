package exec

import (
	"context"
	"time"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/device"
)

// Profile is what the steps of one run took.
type Profile struct {
	// OnDevice says that the device's clock was read; otherwise each step was waited for, and its time holds what starting
	// it and waiting for it cost.
	OnDevice bool
	// Steps are in order; views, which do nothing, are left out.
	Steps []StepTime
}

// StepTime is what one step took.
type StepTime struct {
	Step *device.Step
	// Start counts from the start of the first step.
	Start, Duration time.Duration
	// of is the runner of the step's graph.
	of *Runner
}

// Bytes is what the step reads and writes: the elements of its operands, each once.
func (s *StepTime) Bytes() int64 {
	sum := int64(0)
	for _, list := range [][]*device.Tensor{s.Step.Inputs, s.Step.Outputs} {
		for _, t := range list {
			if t != nil {
				sum += t.LogicalBytes
			}
		}
	}
	return sum
}

// Scope is the memory scope of the step's first result, after that of its first input and an arrow where that is another.
func (s *StepTime) Scope() string {
	in, out := firstScope(s.Step.Inputs), firstScope(s.Step.Outputs)
	if in == "" || in == out {
		return out
	}
	return in + " → " + out
}

func firstScope(tensors []*device.Tensor) string {
	for _, t := range tensors {
		if t != nil {
			return t.Scope
		}
	}
	return ""
}

// Profile is Execute with the time of every step.
func (r *Runner) Profile(ctx context.Context, inputs map[string]*array.Array) (*Profile, diag.Diagnostics, error) {
	timer, ok := r.dev.(device.Timer)
	if !ok {
		return r.byHostClock(ctx, inputs)
	}
	diags, err := r.Execute(ctx, inputs)
	if err != nil || diags.HasErrors() {
		return nil, diags, err
	}
	times, err := timer.Times()
	if err != nil {
		return nil, diags, err
	}
	if len(times) == 0 {
		return r.byHostClock(ctx, inputs)
	}
	steps := map[device.Handle]StepTime{}
	for _, x := range r.chain() {
		for i := range x.steps {
			if !x.steps[i].silent {
				steps[x.steps[i].handle] = StepTime{Step: x.steps[i].of, of: x}
			}
		}
	}
	p := &Profile{OnDevice: true}
	for _, t := range times {
		s := steps[t.Handle]
		s.Start, s.Duration = t.Start-times[0].Start, t.End-t.Start
		p.Steps = append(p.Steps, s)
	}
	return p, diags, nil
}

// byHostClock waits for each step.
func (r *Runner) byHostClock(ctx context.Context, inputs map[string]*array.Array) (*Profile, diag.Diagnostics, error) {
	p := &Profile{}
	start := time.Now()
	for _, x := range r.chain() {
		if err := x.begin(inputs); err != nil {
			return nil, nil, err
		}
		for i := range x.steps {
			s := &x.steps[i]
			before := time.Since(start)
			err := x.step(ctx, i)
			if err == nil {
				err = r.dev.Finish()
			}
			if err != nil {
				diags, err := failed(err)
				return nil, diags, err
			}
			if !s.silent {
				p.Steps = append(p.Steps, StepTime{s.of, before, time.Since(start) - before, x})
			}
		}
	}
	return p, nil, nil
}
