package opencl_test

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/texture"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/cl"
	"github.com/memplan/memplan/runtime/opencl/cl/cltest"
	"github.com/stretchr/testify/require"
)

// life opens a device on a driver, runs an op on an image and a buffer, reads the result and closes. It returns everything
// that was said, and what the binding has left.
func life(t *testing.T, driver *cltest.Driver) (left cl.Counts, diags diag.Diagnostics, failed error) {
	counter := cl.Count(driver)
	dev, diags, err := opencl.New(opencl.Options{API: counter, Timed: true})
	if dev == nil {
		return counter.Counts(), diags, err
	}
	said := func(more diag.Diagnostics, err error) bool {
		diags, failed = append(diags, more...), errors.Join(failed, err)
		return err == nil && !more.HasErrors()
	}
	r := rig{op: &graph.Op{Name: "op", Op: "Relu"}, inputs: []operand{input(1, 4, 2, 3).in(texture.Activation, "NCHW")}, outputs: []operand{output(graph.Float32, 1, 4, 2, 3)}}
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
		// The driver is told to begin once in so many launches.
		for range opencl.FlushEvery {
			if !said(nil, dev.Run(context.Background(), h)) {
				return false
			}
		}
		if !said(nil, dev.Finish()) {
			return false
		}
		if _, err := dev.Times(); !said(nil, err) {
			return false
		}
		return said(nil, dev.Read(p.step.Outputs[0], make([]byte, p.step.Outputs[0].LogicalBytes)))
	}
	run()
	said(nil, dev.Close())
	return counter.Counts(), diags, failed
}

func TestEachCallThatFailsIsNamedAndNothingIsLeft(t *testing.T) {
	whole := cltest.New()
	left, diags, err := life(t, whole)
	require.NoError(t, err)
	require.Empty(t, diags)
	require.Empty(t, left.Left())
	require.Greater(t, whole.Calls, 40)
	flushed := false
	for at := 1; at <= whole.Calls; at++ {
		driver := cltest.New()
		driver.FailAt = at
		left, diags, err := life(t, driver)
		require.NotEmpty(t, driver.Failed, "call %d", at)
		flushed = flushed || driver.Failed == "clFlush"
		text := ""
		for _, d := range diags {
			text += d.Detail
		}
		if err != nil {
			text += err.Error()
		}
		require.Contains(t, text, driver.Failed+": CL_OUT_OF_RESOURCES (-5)", "call %d of %d", at, whole.Calls)
		if strings.HasPrefix(driver.Failed, "clRelease") {
			// What cannot be freed is left, and the error says so.
			require.NotEmpty(t, left.Left(), driver.Failed)
			continue
		}
		require.Empty(t, left.Left(), "after %s failed as call %d: %s", driver.Failed, at, text)
	}
	require.True(t, flushed, "a flush is among the calls")
}
