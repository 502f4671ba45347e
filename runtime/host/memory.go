package host

import (
	"fmt"
	"math"
	"unsafe"

	"github.com/edsrzf/mmap-go"
	"github.com/memplan/memplan/runtime/device"
)

// probeBytes is the size from which an arena is first asked of the operating system, which can say no: a Go allocation
// that fails ends the process.
const probeBytes = 64 << 20

// newArena returns size zero bytes whose first is at a multiple of alignment.
func newArena(size, alignment int64) ([]byte, error) {
	if alignment < 1 || alignment&(alignment-1) != 0 {
		return nil, fmt.Errorf("the alignment %d is not a power of two", alignment)
	}
	if size < 0 || size > math.MaxInt-alignment {
		return nil, fmt.Errorf("%d bytes cannot be counted", size)
	}
	total := int(size + alignment)
	if total >= probeBytes {
		probe, err := mmap.MapRegion(nil, total, mmap.RDWR, mmap.ANON, 0)
		if err != nil {
			return nil, err
		}
		if err := probe.Unmap(); err != nil {
			return nil, fmt.Errorf("release the probe: %w", err)
		}
	}
	raw := make([]byte, total)
	skip := int(-uintptr(unsafe.Pointer(unsafe.SliceData(raw))) & uintptr(alignment-1))
	return raw[skip : skip+int(size) : skip+int(size)], nil
}

// arenaSizes returns for each pool the bytes of its arena: the planned peak, and for a texture pool the sum of its
// images.
func arenaSizes(m device.Memory) ([]int64, error) {
	sizes := make([]int64, len(m.Pools))
	for i, p := range m.Pools {
		if !p.Texture {
			sizes[i] = p.Bytes
		}
	}
	for i := range m.Images {
		im := &m.Images[i]
		if err := checkImage(m, im); err != nil {
			return nil, err
		}
		if im.Offset >= 0 {
			continue
		}
		aligned, ok := roundUp(sizes[im.Pool], 64)
		if !ok || aligned > math.MaxInt64-im.Bytes {
			return nil, fmt.Errorf("host device: the images of pool %s exceed 2^63-1 bytes", m.Pools[im.Pool].Name)
		}
		im.Offset = aligned
		sizes[im.Pool] = aligned + im.Bytes
	}
	return sizes, nil
}

func roundUp(n, multiple int64) (int64, bool) {
	if n > math.MaxInt64-multiple {
		return 0, false
	}
	return (n + multiple - 1) / multiple * multiple, true
}

// region returns the memory of r.
func (d *Device) region(r device.Region) ([]byte, error) {
	base, limit := int64(0), int64(0)
	if r.Pool < 0 || r.Pool >= len(d.arenas) {
		return nil, fmt.Errorf("host device: no pool %d", r.Pool)
	}
	arena := d.arenas[r.Pool]
	limit = int64(len(arena))
	if r.Image >= 0 {
		if r.Image >= len(d.images) {
			return nil, fmt.Errorf("host device: no image %d", r.Image)
		}
		if d.images[r.Image].Pool != r.Pool {
			return nil, fmt.Errorf("host device: image %d is in pool %d, not %d", r.Image, d.images[r.Image].Pool, r.Pool)
		}
		base, limit = d.images[r.Image].Offset, d.images[r.Image].Offset+d.images[r.Image].Bytes
	}
	if r.Offset < 0 || r.Bytes < 0 || r.Bytes > limit-base || r.Offset > limit-base-r.Bytes {
		return nil, fmt.Errorf("host device: bytes [%d, %d+%d) are outside of the %d planned", r.Offset, r.Offset, r.Bytes, limit-base)
	}
	from := base + r.Offset
	return arena[from : from+r.Bytes : from+r.Bytes], nil
}

// dense returns the memory of a tensor's elements.
func (d *Device) dense(t *device.Tensor) ([]byte, error) {
	if t.Strided() {
		return nil, fmt.Errorf("tensor %s has other bytes between its rows", t.Name)
	}
	r := t.Place
	r.Bytes = t.LogicalBytes
	if t.LogicalBytes > t.Place.Bytes {
		return nil, fmt.Errorf("tensor %s has %d bytes and a place of %d", t.Name, t.LogicalBytes, t.Place.Bytes)
	}
	memory, err := d.region(r)
	if err != nil {
		return nil, fmt.Errorf("tensor %s: %w", t.Name, err)
	}
	return memory, nil
}

// workspace counts what is allocated beside the plan.
type workspace struct {
	count, bytes int64
	// lanes holds for each worker the scratch that every step shares, since steps run one after the other.
	lanes [][]float32
}

// floats allocates n elements that live as long as the device.
func (w *workspace) floats(n int) []float32 {
	w.count++
	w.bytes += 4 * int64(n)
	return make([]float32, n)
}

// memory allocates n bytes that live as long as the device.
func (w *workspace) memory(n int64) []byte {
	w.count++
	w.bytes += n
	return make([]byte, n)
}

// reserve makes sure that the scratch of each of the workers holds n elements.
func (w *workspace) reserve(workers, n int) {
	if w.lanes == nil {
		w.lanes = make([][]float32, workers)
	}
	for i := range w.lanes {
		if len(w.lanes[i]) < n {
			w.bytes -= 4 * int64(len(w.lanes[i]))
			w.lanes[i] = w.floats(n)
		}
	}
}
