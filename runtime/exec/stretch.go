package exec

import (
	"context"
	"fmt"

	"github.com/memplan/memplan/runtime/device"
)

// join divides the steps into stretches: of several steps where the device can start these at once, else of one. Poison goes
// between steps, which stay apart for it. The device may compile for seconds: an interrupt stops before that.
func (r *Runner) join(ctx context.Context) (err error) {
	if r.poison {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	var handles []device.Handle
	for i := range r.steps {
		if !r.steps[i].silent {
			handles = append(handles, r.steps[i].handle)
		}
	}
	joiner, ok := r.dev.(device.Joiner)
	if !ok {
		r.stretches = device.Apart(handles)
		return nil
	}
	if r.stretches, err = joiner.Join(handles); err != nil {
		return fmt.Errorf("prepare stretches of steps: %w", err)
	}
	return nil
}

// start starts all steps. It stops when the context ends, between stretches.
func (r *Runner) start(ctx context.Context) error {
	if r.poison {
		for i := range r.steps {
			if err := r.step(ctx, i); err != nil {
				return err
			}
		}
		return nil
	}
	next := 0
	for _, s := range r.stretches {
		if err := ctx.Err(); err != nil {
			return err
		}
		next = r.tell(next, s.Steps)
		if err := r.dev.Run(ctx, s.Handle); err != nil {
			return err
		}
	}
	r.tell(next, len(r.steps))
	return nil
}

// tell tells of the steps from next on that are about to run, so many and the silent ones before each, and returns the one after.
func (r *Runner) tell(next, steps int) int {
	for ; next < len(r.steps) && steps > 0; next++ {
		if r.watch != nil {
			r.watch(Running, next, len(r.steps))
		}
		if !r.steps[next].silent {
			steps--
		}
	}
	return next
}
