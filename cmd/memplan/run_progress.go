package main

import (
	"fmt"
	"sync/atomic"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/runtime/exec"
)

// runProgress is how far a run has come: one goroutine runs it, another tells.
type runProgress struct {
	name string
	// iterations of the run are counted from 0.
	iterations, iteration, stage, step, steps atomic.Int64
}

// watch is told of each step that is about to be prepared or run.
func (p *runProgress) watch(stage exec.Stage, step, steps int) {
	p.stage.Store(int64(stage))
	p.step.Store(int64(step))
	p.steps.Store(int64(steps))
}

// text is what stands on the terminal while the run goes on.
func (p *runProgress) text() string {
	switch {
	case p.steps.Load() == 0:
		return "Preparing " + p.name
	case exec.Stage(p.stage.Load()) == exec.Preparing:
		return p.counted("Preparing", "step", p.step.Load(), p.steps.Load())
	}
	if n := p.iterations.Load(); n > 1 {
		return p.counted("Running", "iteration", p.iteration.Load(), n)
	}
	return p.counted("Running", "step", p.step.Load(), p.steps.Load())
}

// counted says which of several, from 0, is under way.
func (p *runProgress) counted(verb, what string, number, of int64) string {
	return fmt.Sprintf("%s %s: %s %d of %d  %s", verb, p.name, what, number+1, of, view.Bar(number, of))
}

// show tells of a run on the terminal until the result is called.
func (p *runProgress) show(term *view.Terminal, name string, iterations int) (stop func()) {
	p.name = name
	p.iterations.Store(int64(iterations))
	p.iteration.Store(0)
	p.watch(exec.Preparing, 0, 0)
	if term == nil {
		return func() {}
	}
	return term.ProgressOf(p.text)
}
