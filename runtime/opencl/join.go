package opencl

import (
	"cmp"
	"fmt"

	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

const (
	// stretchWork bounds the work of a stretch: a run can be interrupted between two of them. It is about what a slow processor does
	// in 10 ms.
	stretchWork = 10e6
	// stretchLaunches bounds the launches of a stretch.
	stretchLaunches = 256
	// worthJoining is how many launches a graph must save: nearly 0.2 ms of a run. With fewer, the compilation of the program of joined
	// launches, 10 s once on a machine, would be the longest part of what is done with a small graph for a long time.
	worthJoining = 24
)

// Join implements device.Joiner. Where the driver's time for a launch is a good part of the work, and the processors are those
// that run this program, many launches become one that does them in order; see kernels/joined.cl. That is a departure from one
// kernel object with its arguments for each step: the step's own stay as they are, and run it where steps must be apart.
func (d *Device) Join(handles []device.Handle) ([]device.Stretch, error) {
	if d.Session.Unjoined() != "" {
		return device.Apart(handles), nil
	}
	d.small = ""
	if n := d.saves(handles); n < d.joinFrom {
		d.small = fmt.Sprintf("the graph would save %d launches, and %d are worth the compilation", n, d.joinFrom)
		return device.Apart(handles), nil
	}
	var out []device.Stretch
	for at := 0; at < len(handles); {
		n := d.stretch(handles[at:])
		s, err := d.join(handles[at : at+n])
		if err != nil {
			return nil, fmt.Errorf("join launches: %w", err)
		}
		out, at = append(out, s...), at+n
	}
	return out, nil
}

// saves is the most launches that joining saves: all that can be parts of a joined launch and follow another one that can.
func (d *Device) saves(handles []device.Handle) (n int) {
	follows := false
	for _, h := range handles {
		for i := range d.steps[h] {
			_, part := d.steps[h][i].task()
			if part && follows {
				n++
			}
			follows = part
		}
	}
	return n
}

// stretch is the number of steps, at least one, that together are a small amount of work. A step with launches that are no parts of
// joined ones is alone: how long these take is not known, and on images that is long.
func (d *Device) stretch(handles []device.Handle) int {
	work, launches := 0.0, 0
	for n, h := range handles {
		if !d.joinable(h) {
			return max(n, 1)
		}
		for i := range d.steps[h] {
			work += d.steps[h][i].work()
		}
		launches += len(d.steps[h])
		if n > 0 && (work > stretchWork || launches > stretchLaunches) {
			return n
		}
	}
	return len(handles)
}

// joinable reports whether all launches of a step can be parts of a joined one.
func (d *Device) joinable(h device.Handle) bool {
	for i := range d.steps[h] {
		if _, part := d.steps[h][i].task(); !part {
			return false
		}
	}
	return true
}

// work is an estimate of what a launch takes, in nanoseconds of a slow processor: 4 multiply-adds or 2 bytes of an operand in each.
func (l *launch) work() float64 {
	bytes := int64(0)
	for _, arg := range l.args {
		if f, ok := arg.(*flat); ok {
			bytes += int64(f.elements()) * f.dtype.Size()
		}
	}
	return float64(l.macs)/4 + float64(bytes)/2
}

// join gives steps a handle for all of them, or leaves them apart where no launches can be joined.
func (d *Device) join(handles []device.Handle) ([]device.Stretch, error) {
	var all []launch
	for _, h := range handles {
		all = append(all, d.steps[h]...)
	}
	joined, err := d.joinLaunches(all, 2)
	if err != nil {
		return nil, err
	}
	if len(joined) == len(all) {
		return device.Apart(handles), nil
	}
	d.steps = append(d.steps, joined)
	return []device.Stretch{{Handle: device.Handle(len(d.steps) - 1), Steps: len(handles)}}, nil
}

// joinLaunches replaces launches that follow each other by joined ones, as far as they can be parts of one and are so many at
// least.
func (d *Device) joinLaunches(all []launch, least int) ([]launch, error) {
	var out []launch
	for at := 0; at < len(all); {
		t, err := d.tableOf(all[at:])
		if err != nil {
			return nil, err
		}
		if t.launches < least {
			n := max(t.launches, 1)
			out, at = append(out, all[at:at+n]...), at+n
			continue
		}
		l, err := d.joinedLaunch(t)
		if err != nil {
			return nil, err
		}
		if l == nil {
			return append(out, all[at:]...), nil
		}
		last := all[at+t.launches-1].step
		l.name = fmt.Sprintf("joined of %d launches up to those of step %d, op %q", t.launches, last.Index, last.Op.Name)
		l.step, l.joined = all[at].step, t.launches
		out, at = append(out, *l), at+t.launches
	}
	return out, nil
}

const (
	// maxLanes bounds the lanes that the tickets of a launch are divided into.
	maxLanes = 16
	// groupsPerUnit is how many work-groups there are for each processor: one that has lost patience is followed by another.
	groupsPerUnit = 4
	// patience is what a session begins with, a few hundred microseconds.
	patience = 1 << 18
	// counterBytes is the size of a counter, LINE of kernels/joined.cl.
	counterBytes = 64
)

// lanes are as many as there are processors.
func (d *Device) lanes() int { return int(min(max(d.facts.ComputeUnits, 1), maxLanes)) }

// joinedLaunch makes the launch of a table: none when the driver does not compile or start its program.
func (d *Device) joinedLaunch(t *table) (*launch, error) {
	p, err := d.joinedProgram()
	if p == 0 {
		return nil, err
	}
	kept, err := d.keepTable(t)
	if err != nil {
		return nil, err
	}
	k, err := d.api.CreateKernel(p, "joined")
	if err != nil {
		return nil, err
	}
	d.kernels = append(d.kernels, k)
	set := func(launches int) error {
		args := []any{kept[0], kept[1], launches, d.lanes(), d.patience, local(max(t.held, 4))}
		for i := range joinedBuffers {
			// The last buffer stands for those that the table does not need.
			args = append(args, buffer(t.memories[min(i, len(t.memories)-1)]))
		}
		return d.setArgs(k, args)
	}
	l := &launch{kernel: k, global: cl.Size{int(max(d.facts.ComputeUnits, 1)) * groupsPerUnit, 1, 1}, local: cl.Size{1, 1, 1}}
	if !d.joins {
		if err := set(0); err != nil {
			return nil, err
		}
		if err := d.try(l); err != nil {
			d.unjoined = "the device does not start joined launches: " + err.Error()
			return nil, nil
		}
		d.joins = true
	}
	return l, set(t.launches)
}

// try runs a launch now. PoCL finishes the compilation of a kernel when it is first enqueued: what fails then, fails before any step
// depends on it.
func (d *Device) try(l *launch) error {
	if _, err := d.enqueue(l, false); err != nil {
		return err
	}
	return d.api.Finish(d.queue)
}

// Unjoined says why the launches of the device are not joined, "" when some may be.
func (d *Device) Unjoined() string { return cmp.Or(d.Session.Unjoined(), d.small) }

// Unjoined says why no launches are joined in the session, "" when some may be.
func (s *Session) Unjoined() string {
	switch {
	case s.unjoined != "":
		return s.unjoined
	case !s.facts.Joins:
		return "the device is no processor with the atomic operations of OpenCL 3.0 that joined launches need"
	case s.timed:
		return "each step is timed"
	}
	return ""
}
