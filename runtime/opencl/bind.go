package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// elementsOf returns the elements of an input as they are, dense: the planned memory itself, or for a tensor stored as
// texels a staged copy that is made before each run, of a constant once.
func (b *site) elementsOf(o *operand) (*flat, error) {
	if o.dense != nil {
		return o.dense, nil
	}
	if o.held != nil {
		var err error
		o.dense, err = b.floatsOf(o.held)
		return o.dense, err
	}
	if o.stored == nil {
		var err error
		o.dense, err = b.placed(o)
		return o.dense, err
	}
	staged, err := b.staged(o, o.t.DType)
	if err != nil {
		return nil, err
	}
	open, err := b.open(o, staged)
	if err != nil {
		return nil, err
	}
	o.dense = staged
	return staged, b.prior(o, open)
}

// floatsOf is elementsOf with the elements as float32; those of narrower and wider float types are converted in a staged
// copy.
func (b *site) floatsOf(o *operand) (*flat, error) {
	if o.float != nil {
		return o.float, nil
	}
	dense, err := b.elementsOf(o)
	if err != nil || o.t.DType == graph.Float32 {
		o.float = dense
		return dense, err
	}
	if _, ok := conversions[o.t.DType]; !ok {
		return nil, form.RefuseTensor(o.t, "elements of type %v are not supported, float32 is", o.t.DType)
	}
	staged, err := b.staged(o, graph.Float32)
	if err != nil {
		return nil, err
	}
	widen, err := b.convert("widen", o.t.DType, dense, staged)
	if err != nil {
		return nil, err
	}
	o.float = staged
	return staged, b.prior(o, widen)
}

// floats returns the input i as float32, refusing the step when it is absent.
func (b *site) floats(i int) (*flat, error) {
	o, err := b.need(i)
	if err != nil {
		return nil, err
	}
	return b.floatsOf(o)
}

// prior runs what brings an input into its form: before each run, or at once for a constant.
func (b *site) prior(o *operand, l launch) error {
	if o.t.Role == graph.Constant {
		return b.once(l)
	}
	b.before = append(b.before, l)
	return nil
}

// once runs a launch now, after everything enqueued before: what it makes of constants holds for all runs.
func (b *site) once(l launch) error {
	_, err := b.d.enqueue(&l, false)
	return err
}

// resultElements returns memory for the elements of an output as they are: the planned memory, or a staged copy that is
// packed into it after each run. Memory that an input also uses is staged, unless aliased says that the kernel reads each
// element before it writes it.
func (b *site) resultElements(o *operand, aliased bool) (*flat, error) {
	if o.dense != nil {
		return o.dense, nil
	}
	if o.held != nil {
		var err error
		o.dense, err = b.resultFloats(o.held, false)
		return o.dense, err
	}
	if o.stored == nil && !b.overlaps(o, aliased) {
		var err error
		o.dense, err = b.placed(o)
		return o.dense, err
	}
	staged, err := b.stagedResult(o, o.t.DType)
	if err != nil {
		return nil, err
	}
	var out launch
	if o.stored != nil {
		out, err = b.pack(o, staged)
	} else {
		var place *flat
		if place, err = b.placed(o); err == nil {
			out, err = b.move(staged, place)
		}
	}
	if err != nil {
		return nil, err
	}
	o.dense = staged
	b.after = append([]launch{out}, b.after...)
	return staged, nil
}

// resultFloats is resultElements for a kernel that gives float32; other float types are rounded from a staged copy after
// each run.
func (b *site) resultFloats(o *operand, aliased bool) (*flat, error) {
	if o.float != nil {
		return o.float, nil
	}
	dense, err := b.resultElements(o, aliased && o.t.DType == graph.Float32)
	if err != nil {
		return nil, err
	}
	o.float = dense
	if o.t.DType != graph.Float32 {
		if _, ok := conversions[o.t.DType]; !ok {
			return nil, form.RefuseTensor(o.t, "elements of type %v are not supported, float32 is", o.t.DType)
		}
		if o.float, err = b.stagedResult(o, graph.Float32); err != nil {
			return nil, err
		}
		narrow, err := b.convert("narrow", o.t.DType, o.float, dense)
		if err != nil {
			return nil, err
		}
		b.after = append([]launch{narrow}, b.after...)
	}
	if o == b.result(0) {
		b.y = o.float
	}
	return o.float, nil
}

// placed returns the planned memory of a tensor in flat memory.
func (b *site) placed(o *operand) (*flat, error) {
	p, at, err := b.d.place(o.t)
	if err != nil {
		return nil, err
	}
	size := o.t.DType.Size()
	if at%size != 0 {
		return nil, form.RefuseTensor(o.t, "offset %d is no multiple of the %d bytes of an element; plan with a larger alignment", at, size)
	}
	return &flat{p.mem, at / size, o.t.DType, o.t.Shape}, nil
}

// staged returns memory for the elements of an input: its own for a constant, which is filled once, else of the staging.
func (b *site) staged(o *operand, dtype graph.DType) (*flat, error) {
	if o.t.Role != graph.Constant {
		return b.stagedResult(o, dtype)
	}
	return b.workspace(dtype, o.t.Shape)
}

func (b *site) stagedResult(o *operand, dtype graph.DType) (*flat, error) {
	bytes, _ := o.t.Shape.Bytes(dtype)
	mem, at, err := b.d.stage(bytes)
	if err != nil {
		return nil, err
	}
	return &flat{mem, at / dtype.Size(), dtype, o.t.Shape}, nil
}

// workspace returns memory that lives as long as the device, for packed weights.
func (b *site) workspace(dtype graph.DType, shape graph.Shape) (*flat, error) {
	bytes, ok := shape.Bytes(dtype)
	if n, counted := shape.Elements(); !ok || !counted || n > maxElements {
		return nil, form.Refuse("a workspace of %v %v is more than the kernels count", dtype, shape)
	}
	mem, at, err := b.d.keep(bytes)
	if err != nil {
		return nil, err
	}
	return &flat{mem, at / dtype.Size(), dtype, shape}, nil
}

// scratch returns memory that the step uses while it runs.
func (b *site) scratch(dtype graph.DType, shape graph.Shape) (*flat, error) {
	bytes, ok := shape.Bytes(dtype)
	if n, counted := shape.Elements(); !ok || !counted || n > maxElements {
		return nil, form.Refuse("a workspace of %v %v is more than the kernels count", dtype, shape)
	}
	mem, at, err := b.d.stage(bytes)
	if err != nil {
		return nil, err
	}
	return &flat{mem, at / dtype.Size(), dtype, shape}, nil
}

// overlaps reports whether an output shares bytes of flat memory with an input. With aliased, sharing all of them does
// not count.
func (b *site) overlaps(o *operand, aliased bool) bool {
	out := o.t.Place
	out.Bytes = o.t.LogicalBytes
	for _, in := range b.in {
		if in == nil || in.t.Place.Image >= 0 || in.t.Place.Pool != out.Pool {
			continue
		}
		at, bytes := in.t.Place.Offset, in.t.LogicalBytes
		if bytes == 0 || out.Bytes == 0 || at >= out.Offset+out.Bytes || out.Offset >= at+bytes {
			continue
		}
		if aliased && at == out.Offset && bytes == out.Bytes && in.t.DType == o.t.DType && in.stored == nil {
			continue
		}
		return true
	}
	return false
}
