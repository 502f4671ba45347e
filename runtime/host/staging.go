package host

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// staging is memory for the dense elements of operands that are stored as texels. Steps run one after the other, so all
// of them use the same bytes. Kernels keep slices of it, so it grows by pieces: each is at least twice the one before,
// which keeps the sum below four times what the largest step needs.
type staging struct{ piece []byte }

// stagingAlignment separates operands by cache lines.
const stagingAlignment = 64

// take returns n bytes that belong to one step while it runs.
func (s *staging) take(w *workspace, n int64) []byte {
	if int64(len(s.piece)) < n {
		s.piece = w.memory(max(n, 2*int64(len(s.piece))))
	}
	return s.piece[:n:n]
}

// bindStaging gives every operand that is stored as texels its part of the staging. A constant's elements are there when the
// kernel is bound.
func (b *site) bindStaging() error {
	total := int64(0)
	b.staged = b.stored()
	for _, o := range b.staged {
		bytes, ok := o.shape().Bytes(o.t.DType)
		if ok {
			bytes, ok = roundUp(bytes, stagingAlignment)
		}
		if !ok || total > total+bytes {
			return form.RefuseTensor(o.t, "its elements exceed 2^63-1 bytes")
		}
		total += bytes
	}
	memory := b.d.staging.take(&b.d.work, total)
	for _, o := range b.staged {
		n, _ := o.shape().Bytes(o.t.DType)
		aligned, _ := roundUp(n, stagingAlignment)
		o.bytes, memory = memory[:n:n], memory[aligned:]
	}
	for _, o := range b.staged {
		if o.t.Role == graph.Constant {
			o.texels.Open(o.bytes)
		}
	}
	return nil
}

// stored lists the operands that are stored as texels, inputs first.
func (b *site) stored() []*operand {
	var list []*operand
	for i, operands := range [][]*operand{b.in, b.out} {
		for _, o := range operands {
			if o != nil && o.texels != nil {
				o.written = i == 1
				list = append(list, o)
			}
		}
	}
	return list
}

// throughStaging wraps a step into the unpacking of its inputs and the packing of its results. Constants that the kernel
// has repacked for itself are not unpacked again.
func (b *site) throughStaging(run func() error) func() error {
	var opened, packed []*operand
	for _, o := range b.staged {
		switch {
		case o.written:
			packed = append(packed, o)
		case !o.spent:
			opened = append(opened, o)
		}
	}
	if len(opened)+len(packed) == 0 {
		return run
	}
	return func() error {
		for _, o := range opened {
			o.texels.Open(o.bytes)
		}
		if err := run(); err != nil {
			return err
		}
		for _, o := range packed {
			o.texels.Pack(o.bytes)
		}
		return nil
	}
}
