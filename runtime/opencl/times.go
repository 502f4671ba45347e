package opencl

import (
	"errors"
	"fmt"
	"time"

	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// timedLaunch is a launch of a step whose time has not been asked for.
type timedLaunch struct {
	handle device.Handle
	event  cl.Event
}

// Times implements device.Timer, for a session that is timed. A step lasts from the start of its first kernel to the end of
// its last one.
func (d *Device) Times() ([]device.Time, error) {
	var times []device.Time
	var failed []error
	for _, e := range d.events {
		t, err := d.api.EventTimes(e.event)
		failed = append(failed, err, d.api.ReleaseEvent(e.event))
		start, end := time.Duration(t.Started), time.Duration(t.Ended)
		if n := len(times); n > 0 && times[n-1].Handle == e.handle {
			times[n-1].End = end
		} else {
			times = append(times, device.Time{Handle: e.handle, Start: start, End: end})
		}
	}
	d.events = d.events[:0]
	if err := errors.Join(failed...); err != nil {
		return nil, fmt.Errorf("times of steps: %w", err)
	}
	if !plausible(times) {
		return nil, nil
	}
	return times, nil
}

// plausible reports whether a clock counts: Mesa's rusticl answers 0 and 1.
func plausible(times []device.Time) bool {
	for i := range times {
		if times[i].End < times[i].Start || i > 0 && times[i].Start < times[i-1].Start {
			return false
		}
	}
	return len(times) > 0 && times[len(times)-1].End-times[0].Start > time.Duration(len(times))
}
