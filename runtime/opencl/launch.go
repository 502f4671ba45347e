package opencl

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/form"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// launch is a kernel with its arguments, ready to be enqueued.
type launch struct {
	kernel        cl.Kernel
	name          string
	global, local cl.Size
	// step is what it is a part of, the first one for a launch of several joined.
	step *device.Step
	// from, args and items, the items before global was rounded up, are what a joined launch takes over.
	from  source
	args  []any
	items cl.Size
	// joined is the number of launches that this one does, 0 for itself.
	joined int
	// macs are the multiply-adds, 0 where they are no more than the elements of the operands.
	macs int64
}

// flat is dense memory as a kernel takes it, by two arguments: global T *pool, long at.
type flat struct {
	mem cl.Mem
	// at is the offset of the first element, in elements.
	at    int64
	dtype graph.DType
	shape graph.Shape
}

// elements is the number of elements, which a kernel can count by an int.
func (f *flat) elements() int {
	n, _ := f.shape.Elements()
	return int(n)
}

// scalar is a number that a kernel takes as one of an element type.
type scalar struct {
	dtype graph.DType
	value float64
}

// local is an argument of so many bytes of local memory.
type local int64

// image is an argument of an image object, buffer one of a buffer as a whole.
type (
	image  cl.Mem
	buffer cl.Mem
)

// launch makes a kernel of a source with its arguments, in the order of the kernel's parameters:
//
//	*flat    global T *pool, long at
//	image    image2d_t
//	buffer   global T *
//	int      int, refused beyond its range
//	int64    long
//	float32  float
//	[4]float32 float4
//	[8]int32 int8
//	scalar   T
//	local    local T *
//
// global is rounded up to a multiple of local along each axis; the kernel guards against the rest.
func (b *site) launch(from source, kernel string, global, group cl.Size, args ...any) (launch, error) {
	l, err := b.d.newLaunch(from, kernel, global, group, args)
	if err != nil {
		return launch{}, fmt.Errorf("kernel %s: %w", kernel, err)
	}
	l.step = b.step
	return l, nil
}

// maxLaunches bounds the launches of a step: each has a kernel object of its own, and sizes that a model states must not
// make millions of them.
const maxLaunches = 1 << 14

// fewLaunches refuses n launches that are too many for a step. Builders whose launches are as many as a size says ask before
// they make the first one.
func fewLaunches(n int) error {
	if n > maxLaunches {
		return form.Refuse("the step takes %d kernel launches or more, and %d is the limit of a step", n, maxLaunches)
	}
	return nil
}

func (d *Device) newLaunch(from source, kernel string, global, group cl.Size, args []any) (launch, error) {
	d.made++
	if err := fewLaunches(d.made); err != nil {
		return launch{}, err
	}
	var items cl.Size
	for axis := range global {
		group[axis] = max(group[axis], 1)
		items[axis] = max(global[axis], 1)
		global[axis] = (items[axis] + group[axis] - 1) / group[axis] * group[axis]
	}
	if n := int64(group[0]) * int64(group[1]) * int64(group[2]); n > d.facts.MaxGroup {
		return launch{}, form.Refuse("a work-group of %d items exceeds the %d of the device", n, d.facts.MaxGroup)
	}
	p, err := d.program(from)
	if err != nil {
		return launch{}, err
	}
	k, err := d.api.CreateKernel(p, kernel)
	if err != nil {
		return launch{}, err
	}
	d.kernels = append(d.kernels, k)
	if err := d.setArgs(k, args); err != nil {
		return launch{}, err
	}
	return launch{kernel: k, name: kernel, global: global, local: group, from: from, args: args, items: items}, nil
}

// setArgs sets all arguments of a kernel.
func (d *Device) setArgs(k cl.Kernel, args []any) error {
	index := 0
	for _, arg := range args {
		n, err := d.setArg(k, index, arg)
		if err != nil {
			return fmt.Errorf("argument %d: %w", index, err)
		}
		index += n
	}
	return nil
}

// setArg sets the arguments that one value makes and returns how many.
func (d *Device) setArg(k cl.Kernel, index int, arg any) (int, error) {
	if f, ok := arg.(*flat); ok {
		if err := d.api.SetArg(k, index, number(uint64(f.mem))); err != nil {
			return 0, err
		}
		return 2, d.api.SetArg(k, index+1, number(uint64(f.at)))
	}
	if n, ok := arg.(local); ok {
		return 1, d.api.SetLocal(k, index, int64(n))
	}
	value, err := encode(arg)
	if err != nil {
		return 0, err
	}
	return 1, d.api.SetArg(k, index, value)
}

func number(v uint64) []byte { return binary.NativeEndian.AppendUint64(nil, v) }

// encode is the bytes of an argument that is a value.
func encode(arg any) ([]byte, error) {
	switch v := arg.(type) {
	case image:
		return number(uint64(v)), nil
	case buffer:
		return number(uint64(v)), nil
	case int:
		if v < math.MinInt32 || v > math.MaxInt32 {
			return nil, form.Refuse("%d is more than the kernel counts, 2^31-1", v)
		}
		return binary.NativeEndian.AppendUint32(nil, uint32(v)), nil
	case int64:
		return number(uint64(v)), nil
	case float32:
		return binary.NativeEndian.AppendUint32(nil, math.Float32bits(v)), nil
	case [4]float32:
		var data []byte
		for _, n := range v {
			data = binary.NativeEndian.AppendUint32(data, math.Float32bits(n))
		}
		return data, nil
	case [8]int32:
		var data []byte
		for _, n := range v {
			data = binary.NativeEndian.AppendUint32(data, uint32(n))
		}
		return data, nil
	case scalar:
		return v.encode()
	}
	return nil, fmt.Errorf("a value of type %T is no argument", arg)
}

// encode rounds towards zero for integers and gives the nearest number of their type, 0 for a NaN: Go leaves the conversion of
// other numbers to the processor.
func (s scalar) encode() ([]byte, error) {
	switch s.dtype {
	case graph.Float32:
		return encode(float32(s.value))
	case graph.Float64:
		return number(math.Float64bits(s.value)), nil
	}
	if s.dtype.IsFloat() || s.dtype == graph.Complex64 || s.dtype == graph.Complex128 {
		return nil, fmt.Errorf("no argument has the element type %v", s.dtype)
	}
	return binary.LittleEndian.AppendUint64(nil, s.bits())[:s.dtype.Size()], nil
}

// bits is the value as an integer of the type, or as a bool, in the lowest bits.
func (s scalar) bits() uint64 {
	width := uint(8 * s.dtype.Size())
	switch low, _ := limits(s.dtype); {
	case math.IsNaN(s.value):
		return 0
	case low < 0:
		// The largest number of 64 bits is no float64: the one above it is.
		if most := math.Ldexp(1, int(width)-1); s.value >= most {
			return 1<<(width-1) - 1
		}
		return uint64(int64(max(s.value, low)))
	}
	if s.value >= math.Ldexp(1, int(width)) {
		return ^uint64(0) >> (64 - width)
	}
	return uint64(max(s.value, 0))
}

// write replaces the content of dense memory.
func (d *Device) write(f *flat, data []byte) error {
	return d.api.WriteBuffer(d.queue, f.mem, f.at*f.dtype.Size(), data)
}
