package host

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/texels"
)

// Options adjust the host device; the zero value is right for most uses.
type Options struct {
	// Workers is the number of goroutines that compute, 0 for one per usable core. Results do not depend on it.
	Workers int
	// Held is about how many bytes of a result are computed before they are written over an operand, 0 for a default that keeps
	// all workers busy. Results do not depend on it.
	Held int
}

// Device runs steps on byte arrays. It implements device.Device.
type Device struct {
	crew    *crew
	arenas  [][]byte
	images  []device.Image
	steps   []prepared
	work    workspace
	staging staging
	// rows holds rows of results that may not be written yet.
	rows staging
	// held is about how many bytes of them there are at once.
	held int
	// movers has the tensors that are stored in images.
	movers  map[*device.Tensor]*texels.Mover
	counted device.Counters
}

// prepared is a step whose operands are bound to memory.
type prepared struct {
	step *device.Step
	run  func() error
}

// New returns a device without memory. It fails on a big-endian machine, whose numbers have another form in memory than
// the tensors.
func New(o Options) (*Device, error) {
	if binary.NativeEndian.Uint16([]byte{1, 0}) != 1 {
		return nil, errors.New("host device: a big-endian machine cannot run it")
	}
	return &Device{crew: newCrew(o.Workers), held: cmp.Or(max(0, o.Held), heldBytes), movers: map[*device.Tensor]*texels.Mover{}}, nil
}

// Open implements device.Device.
func (d *Device) Open(m device.Memory) (diag.Diagnostics, error) {
	if d.arenas != nil {
		return nil, errors.New("host device: opened twice")
	}
	m.Images = slices.Clone(m.Images)
	sizes, err := arenaSizes(m)
	if err != nil {
		return nil, err
	}
	var diags diag.Diagnostics
	d.arenas = make([][]byte, len(m.Pools))
	for i, p := range m.Pools {
		arena, err := newArena(sizes[i], p.Alignment)
		if err != nil {
			diags = append(diags, diag.New(diag.PoolTooLarge,
				"Pool %q needs %d bytes at an alignment of %d, and the machine does not provide them: %v. Plan with a smaller batch or on a machine with more memory.",
				p.Name, sizes[i], p.Alignment, err))
			continue
		}
		d.arenas[i] = arena
		d.counted.Pools++
		d.counted.PoolBytes += sizes[i]
	}
	d.images = m.Images
	return diags, nil
}

// Prepare implements device.Device.
func (d *Device) Prepare(s *device.Step) (device.Handle, diag.Diagnostics, error) {
	run, err := d.compile(s)
	if err != nil {
		var refused *form.Refusal
		if errors.As(err, &refused) {
			return 0, diag.Diagnostics{refused.Diagnostic(s)}, nil
		}
		return 0, nil, fmt.Errorf("prepare %s: %w", s.Op.Name, err)
	}
	d.steps = append(d.steps, prepared{s, run})
	return device.Handle(len(d.steps) - 1), nil, nil
}

// Run implements device.Device. The step has ended when it returns.
func (d *Device) Run(ctx context.Context, h device.Handle) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if h < 0 || int(h) >= len(d.steps) {
		return fmt.Errorf("host device: no step has the handle %d", h)
	}
	p := &d.steps[h]
	if err := p.run(); err != nil {
		return &device.StepError{Step: p.step, Err: err}
	}
	return nil
}

// Finish implements device.Device.
func (d *Device) Finish() error { return nil }

// Write implements device.Device.
func (d *Device) Write(t *device.Tensor, data []byte) error {
	if t.Place.Image >= 0 {
		m, err := d.ready(t, data)
		if err == nil {
			m.Pack(data)
		}
		return err
	}
	memory, err := d.dense(t)
	if err != nil {
		return err
	}
	if len(data) != len(memory) {
		return fmt.Errorf("tensor %s holds %d bytes, %d were written", t.Name, len(memory), len(data))
	}
	copy(memory, data)
	return nil
}

// Read implements device.Device.
func (d *Device) Read(t *device.Tensor, data []byte) error {
	if t.Place.Image >= 0 {
		m, err := d.ready(t, data)
		if err == nil {
			m.Open(data)
		}
		return err
	}
	memory, err := d.dense(t)
	if err != nil {
		return err
	}
	if len(data) != len(memory) {
		return fmt.Errorf("tensor %s holds %d bytes, %d were asked for", t.Name, len(memory), len(data))
	}
	copy(data, memory)
	return nil
}

// Fill implements device.Device.
func (d *Device) Fill(r device.Region, value byte) error {
	memory, err := d.region(r)
	if err != nil {
		return err
	}
	if len(memory) == 0 {
		return nil
	}
	memory[0] = value
	for n := 1; n < len(memory); n *= 2 {
		copy(memory[n:], memory[:n])
	}
	return nil
}

// Counters implements device.Device.
func (d *Device) Counters() device.Counters {
	c := d.counted
	c.Workspace, c.WorkspaceBytes = d.work.count, d.work.bytes
	return c
}

// Close implements device.Device.
func (d *Device) Close() error {
	d.crew.stop()
	d.arenas, d.steps, d.work, d.staging, d.rows, d.movers = nil, nil, workspace{}, staging{}, staging{}, nil
	return nil
}
