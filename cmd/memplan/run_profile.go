package main

import (
	"bytes"
	"slices"
	"time"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/exec"
)

// keepProfiles sums up the profiles of a run's iterations.
func (r *runner) keepProfiles(walker *exec.Runner, profiles []*exec.Profile, result *view.RunResult) {
	if len(profiles) == 0 {
		return
	}
	last := profiles[len(profiles)-1]
	r.traced = append(r.traced, exec.Traced{Name: result.Name, Device: result.Device, Runner: walker, Profile: last})
	if !r.options.profile {
		return
	}
	result.Profile = &view.Profile{Clock: "host", Steps: make([]view.ProfiledStep, len(last.Steps))}
	if last.OnDevice {
		result.Profile.Clock = "device"
	}
	for i := range last.Steps {
		s := &last.Steps[i]
		took := make([]time.Duration, len(profiles))
		for j, p := range profiles {
			took[j] = p.Steps[i].Duration
		}
		slices.Sort(took)
		median := took[(len(took)-1)/2]
		row := view.ProfiledStep{
			Step: s.Step.Index, Op: s.Step.Op.Op, Name: s.Step.Op.Name, Scope: s.Scope(), Bytes: s.Bytes(),
			Microseconds: float64(median.Nanoseconds()) / 1000,
		}
		if median > 0 {
			row.GBPerSecond = float64(row.Bytes) / float64(median.Nanoseconds())
		}
		result.Profile.Steps[i] = row
	}
}

// writeTrace writes the trace of all runs, where one is asked for.
func (r *runner) writeTrace() error {
	if r.options.trace == "" {
		return nil
	}
	var text bytes.Buffer
	if err := exec.WriteTrace(&text, r.traced); err != nil {
		return err
	}
	return plan.WriteFile(r.options.trace, text.Bytes())
}
