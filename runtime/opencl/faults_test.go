package opencl_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/opencl/cl/cltest"
	"github.com/stretchr/testify/require"
)

// lives are what happens to a device between its preparation and its end, by name.
var lives = map[string]struct {
	timed bool
	input operand
	run   func(t *testing.T, dev *opencl.Device, h device.Handle) error
}{
	"timed": {true, input(1, 4, 2, 3).in(texture.Activation, "NCHW"), func(_ *testing.T, dev *opencl.Device, h device.Handle) error {
		// The driver is told to begin once in so many launches.
		for range opencl.FlushEvery {
			if err := dev.Run(context.Background(), h); err != nil {
				return err
			}
		}
		if err := dev.Finish(); err != nil {
			return err
		}
		_, err := dev.Times()
		return err
	}},
	"joined": {false, input(1, 4, 2, 3), func(t *testing.T, dev *opencl.Device, h device.Handle) error {
		steps := slices.Repeat([]device.Handle{h}, opencl.FlushEvery)
		stretches, err := dev.Join(steps)
		if err != nil {
			return err
		}
		reason, want := dev.Unjoined(), []device.Stretch{{Handle: h + 1, Steps: len(steps)}}
		if reason != "" {
			want = device.Apart(steps)
		}
		require.Equal(t, want, stretches, reason)
		for _, s := range stretches {
			if err := dev.Run(context.Background(), s.Handle); err != nil {
				return err
			}
		}
		if err := dev.Finish(); err != nil || reason == "" {
			return err
		}
		return errors.New(reason)
	}},
}

// live opens a device on a driver, runs an op, reads the result and closes. It returns everything
// that was said, and what the binding has left.
func live(t *testing.T, name string, driver *cltest.Driver) (left cl.Counts, diags diag.Diagnostics, failed error) {
	counter := cl.Count(driver)
	dev, diags, err := opencl.New(opencl.Options{API: counter, Timed: lives[name].timed, JoinFrom: 1})
	if dev == nil {
		return counter.Counts(), diags, err
	}
	said := func(more diag.Diagnostics, err error) bool {
		diags, failed = append(diags, more...), errors.Join(failed, err)
		return err == nil && !more.HasErrors()
	}
	r := rig{op: &graph.Op{Name: "op", Op: "Relu"}, inputs: []operand{lives[name].input}, outputs: []operand{output(graph.Float32, 1, 4, 2, 3)}}
	p := r.place(t)
	run := func() bool {
		if !said(dev.Open(p.memory)) {
			return false
		}
		if !said(nil, dev.Write(p.step.Inputs[0], r.inputs[0].data)) {
			return false
		}
		h, more, err := dev.Prepare(&p.step)
		if !said(more, err) {
			return false
		}
		if !said(nil, lives[name].run(t, dev, h)) {
			return false
		}
		return said(nil, dev.Read(p.step.Outputs[0], make([]byte, p.step.Outputs[0].LogicalBytes)))
	}
	run()
	said(nil, dev.Close())
	return counter.Counts(), diags, failed
}

func TestEachCallThatFailsIsNamedAndNothingIsLeft(t *testing.T) {
	for _, name := range slices.Sorted(maps.Keys(lives)) {
		t.Run(name, func(t *testing.T) { eachCallFails(t, name) })
	}
}

func eachCallFails(t *testing.T, name string) {
	whole := cltest.New()
	left, diags, err := live(t, name, whole)
	require.NoError(t, err)
	require.Empty(t, diags)
	require.Empty(t, left.Left())
	require.Greater(t, whole.Calls, 40)
	flushed, ranged := false, false
	for at := 1; at <= whole.Calls; at++ {
		driver := cltest.New()
		driver.FailAt = at
		left, diags, err := live(t, name, driver)
		require.NotEmpty(t, driver.Failed, "call %d", at)
		flushed = flushed || driver.Failed == "clFlush"
		text := ""
		for _, d := range diags {
			text += d.Detail
		}
		if err != nil {
			text += err.Error()
		}
		ranged = ranged || strings.Contains(text, `run step 7, op "op" (Relu), tensor "out0": kernel joined of 16 launches up to those of step 7, op "op", global size`)
		require.Contains(t, text, driver.Failed+": CL_OUT_OF_RESOURCES (-5)", "call %d of %d", at, whole.Calls)
		if strings.HasPrefix(driver.Failed, "clRelease") {
			// What cannot be freed is left, and the error says so.
			require.NotEmpty(t, left.Left(), driver.Failed)
			continue
		}
		require.Empty(t, left.Left(), "after %s failed as call %d: %s", driver.Failed, at, text)
	}
	require.True(t, flushed, "a flush is among the calls")
	require.Equal(t, name == "joined", ranged, "a joined launch names its first step and its last one")
}
