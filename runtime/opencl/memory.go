package opencl

import (
	"errors"
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// memory is a buffer; a pool without bytes has none.
type memory struct {
	name  string
	mem   cl.Mem
	bytes int64
}

// picture is a planned image: an object, or the bytes of a pool.
type picture struct {
	device.Image
	// mem is the image object, 0 for one over the bytes of a pool.
	mem cl.Mem
}

// Open implements device.Device.
func (d *Device) Open(m device.Memory) (diag.Diagnostics, error) {
	if d.pools != nil {
		return nil, errors.New("OpenCL device: opened twice")
	}
	d.pools = make([]memory, len(m.Pools))
	var diags diag.Diagnostics
	for i, p := range m.Pools {
		d.pools[i] = memory{name: p.Name}
		if p.Texture || p.Bytes == 0 {
			continue
		}
		problem, err := d.openPool(&d.pools[i], p)
		if diags = append(diags, problem...); err != nil {
			return diags, err
		}
	}
	for i := range m.Images {
		problem, err := d.openImage(m, i)
		if diags = append(diags, problem...); err != nil {
			return diags, err
		}
	}
	now := d.api.Counts()
	d.opened = device.Counters{Pools: now.Created - d.base.Created, PoolBytes: now.CreatedBytes - d.base.CreatedBytes}
	return diags, nil
}

func (d *Device) openPool(into *memory, p device.Pool) (diag.Diagnostics, error) {
	mem, err := d.create(p.Bytes)
	if tooLarge(err) {
		return diag.Diagnostics{diag.New(diag.PoolTooLarge,
			"Pool %q needs %d bytes, and %s does not provide them: %v. Its largest allocation is %d bytes. Plan with a smaller batch, or give the pool a size and add another one.",
			p.Name, p.Bytes, d.Name(), err, d.facts.MaxAlloc)}, nil
	}
	if err != nil {
		return nil, fmt.Errorf("pool %s of %d bytes: %w", p.Name, p.Bytes, err)
	}
	*into = memory{p.Name, mem, p.Bytes}
	if err := d.api.FillBuffer(d.queue, mem, 0, 0, p.Bytes); err != nil {
		return nil, fmt.Errorf("clear pool %s: %w", p.Name, err)
	}
	return nil, nil
}

// create makes a buffer of so many bytes, at least one.
func (d *Device) create(bytes int64) (cl.Mem, error) {
	return d.api.CreateBuffer(d.ctx, bytes)
}

// tooLarge reports whether memory could not be had.
func tooLarge(err error) bool {
	var e *cl.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code {
	case cl.AllocationFailure, cl.OutOfResources, cl.OutOfHostMemory, cl.InvalidBufferSize, cl.InvalidImageSize:
		return true
	}
	return false
}

// memories lists everything that Close frees.
func (d *Device) memories() []cl.Mem {
	var list []cl.Mem
	for _, p := range d.pools {
		if p.mem != 0 {
			list = append(list, p.mem)
		}
	}
	for _, im := range d.images {
		if im.mem != 0 {
			list = append(list, im.mem)
		}
	}
	return append(list, d.work.buffers...)
}

// flatRegion checks bytes of a pool.
func (d *Device) flatRegion(r device.Region) (*memory, error) {
	if r.Pool < 0 || r.Pool >= len(d.pools) {
		return nil, fmt.Errorf("OpenCL device: no pool %d", r.Pool)
	}
	p := &d.pools[r.Pool]
	if r.Offset < 0 || r.Bytes < 0 || r.Bytes > p.bytes || r.Offset > p.bytes-r.Bytes {
		return nil, fmt.Errorf("OpenCL device: bytes [%d, %d+%d) are outside of the %d of pool %s", r.Offset, r.Offset, r.Bytes, p.bytes, p.name)
	}
	return p, nil
}

// workspace is memory beside the plan: weights as kernels want them, and staging. It lives as long as the device.
type workspace struct {
	buffers []cl.Mem
	// The present piece of the staging, which the steps use one after the other; taken is what the step being prepared has
	// of it.
	piece      cl.Mem
	pieceBytes int64
	taken      int64
	// The present piece of what is kept, its size, what is taken of it, and the sum of the sizes of all pieces.
	kept                          cl.Mem
	keptBytes, keptTaken, allKept int64
}

// leastKept is the size of the first piece of what is kept, in bytes.
const leastKept = 64 << 10

// keep returns bytes that live as long as the device, as a buffer and an offset. A piece that is full is followed by one of half
// the size of all before: so they are few, and a joined launch can take them all. What is left of a piece is less than what the
// next one begins with, so the sum of all stays below three times what was asked for, and the first piece.
func (d *Device) keep(bytes int64) (cl.Mem, int64, error) {
	w := &d.work
	if w.kept == 0 || bytes > w.keptBytes-w.keptTaken {
		size := d.pieceOf(bytes, max(w.allKept/2, leastKept))
		mem, err := d.workspaceBytes(size)
		if err != nil {
			return 0, 0, err
		}
		w.kept, w.keptBytes, w.keptTaken = mem, size, 0
		w.allKept += size
	}
	at := w.keptTaken
	w.keptTaken = min(aligned(at+bytes), w.keptBytes)
	return w.kept, at, nil
}

// pieceOf is the size of a piece for so many bytes: as large as is wanted for what follows, where the device allocates as much at
// once.
func (d *Device) pieceOf(bytes, wanted int64) int64 { return max(bytes, min(wanted, d.facts.MaxAlloc)) }

// workspaceBytes allocates bytes that live as long as the device.
func (d *Device) workspaceBytes(bytes int64) (cl.Mem, error) {
	mem, err := d.create(max(bytes, 1))
	if err != nil {
		return 0, fmt.Errorf("workspace of %d bytes: %w", bytes, err)
	}
	d.work.buffers = append(d.work.buffers, mem)
	return mem, nil
}

// stagingAlignment separates operands in the workspace, in bytes.
const stagingAlignment = 128

// aligned is the next offset in the workspace at which an operand may begin.
func aligned(at int64) int64 {
	return (at + stagingAlignment - 1) / stagingAlignment * stagingAlignment
}

// stage returns bytes that belong to the step being prepared while it runs, as a buffer and an offset. Steps run one
// after the other, so all of them use the same bytes. A piece that is too small is followed by one at least twice as
// large, if the device allocates as much at once, which keeps the sum below four times what the largest step needs.
func (d *Device) stage(bytes int64) (cl.Mem, int64, error) {
	w := &d.work
	if w.piece == 0 || bytes > w.pieceBytes-w.taken {
		size := d.pieceOf(bytes, max(2*w.pieceBytes, stagingAlignment))
		mem, err := d.workspaceBytes(size)
		if err != nil {
			return 0, 0, err
		}
		w.piece, w.pieceBytes, w.taken = mem, size, 0
	}
	at := w.taken
	w.taken = min(aligned(at+bytes), w.pieceBytes)
	return w.piece, at, nil
}
