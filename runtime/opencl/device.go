package opencl

import (
	"context"
	"errors"
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// Device runs the steps of one plan in a session. It implements device.Device.
type Device struct {
	*Session
	// owned says that Close ends the session too.
	owned bool

	pools   []memory
	images  []picture
	kernels []cl.Kernel
	// steps are what handles run: the launches of a step, or of a stretch of them.
	steps  [][]launch
	work   workspace
	faults faults
	// small says why the launches of the last graph are too few to be joined, "" where they are not.
	small string
	// made is the number of launches made for the step being prepared.
	made int
	// band is host memory for filling and moving rows of images.
	band []byte
	// base is what the session had created before, opened what the pools and images are.
	base   cl.Counts
	opened device.Counters
	// events are those of timed launches since the last call of Times.
	events []timedLaunch
}

// flushEvery is the number of launches after which the driver is told to begin.
const flushEvery = 16

// New opens an OpenCL device without planned memory. Diagnostics say what the machine lacks, and the device is nil then.
func New(o Options) (*Device, diag.Diagnostics, error) {
	s, diags, err := Connect(o)
	if s == nil {
		return nil, diags, err
	}
	d := s.NewDevice()
	d.owned = true
	return d, diags, nil
}

// NewDevice returns a device without memory that runs in the session.
func (s *Session) NewDevice() *Device { return &Device{Session: s, base: s.api.Counts()} }

// Prepare implements device.Device.
func (d *Device) Prepare(s *device.Step) (device.Handle, diag.Diagnostics, error) {
	launches, err := d.compile(s)
	if err != nil {
		var refused *form.Refusal
		if errors.As(err, &refused) {
			return 0, diag.Diagnostics{refused.Diagnostic(s)}, nil
		}
		return 0, nil, fmt.Errorf("prepare %s: %w", describe(s), err)
	}
	d.steps = append(d.steps, launches)
	return device.Handle(len(d.steps) - 1), nil, nil
}

// describe names a step for an error.
func describe(s *device.Step) string {
	return fmt.Sprintf("step %d, op %q (%s), tensor %q", s.Index, s.Op.Name, form.OpName(s.Op), form.FirstName(s))
}

// Run implements device.Device. It enqueues the step and does not wait for it.
func (d *Device) Run(ctx context.Context, h device.Handle) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if h < 0 || int(h) >= len(d.steps) {
		return fmt.Errorf("OpenCL device: no step has the handle %d", h)
	}
	for i := range d.steps[h] {
		l := &d.steps[h][i]
		event, err := d.enqueue(l, d.timed)
		// A launch may have its event though telling the driver to begin failed.
		if event != 0 {
			d.events = append(d.events, timedLaunch{h, event})
		}
		if err != nil {
			return fmt.Errorf("run %s: %w", describe(l.step), err)
		}
	}
	return nil
}

// enqueue starts a launch. The event is none unless the launch is timed; with an error there may be one too.
func (d *Device) enqueue(l *launch, timed bool) (cl.Event, error) {
	event, err := d.api.EnqueueKernel(d.queue, l.kernel, l.global, l.local, timed)
	if err != nil {
		return 0, fmt.Errorf("kernel %s, global size %v, local size %v: %w", l.name, l.global, l.local, err)
	}
	if d.waiting += max(l.joined, 1); d.waiting < flushEvery {
		return event, nil
	}
	d.waiting = 0
	return event, d.api.Flush(d.queue)
}

// Finish implements device.Device.
func (d *Device) Finish() error {
	d.waiting = 0
	if err := d.api.Finish(d.queue); err != nil {
		return fmt.Errorf("OpenCL device: %w", err)
	}
	return d.faults.report(d)
}

// Counters implements device.Device. What is not a pool or an image is what else was created through the binding since:
// of several open devices of one session, only the last one may ask.
func (d *Device) Counters() device.Counters {
	now, c := d.api.Counts(), d.opened
	c.Workspace = now.Created - d.base.Created - c.Pools
	c.WorkspaceBytes = now.CreatedBytes - d.base.CreatedBytes - c.PoolBytes
	return c
}

// Close implements device.Device. It frees everything that can be freed and says what is left.
func (d *Device) Close() error {
	var failed []error
	if d.queue != 0 && len(d.steps)+len(d.pools) > 0 {
		failed = append(failed, d.api.Finish(d.queue))
	}
	for _, e := range d.events {
		failed = append(failed, d.api.ReleaseEvent(e.event))
	}
	for _, k := range d.kernels {
		failed = append(failed, d.api.ReleaseKernel(k))
	}
	for _, m := range d.memories() {
		failed = append(failed, d.api.ReleaseMem(m))
	}
	*d = Device{Session: d.Session, owned: d.owned, base: d.base, opened: d.opened}
	if d.owned {
		failed = append(failed, d.Session.Close())
	}
	if err := errors.Join(failed...); err != nil {
		return fmt.Errorf("close OpenCL device: %w", err)
	}
	return nil
}
