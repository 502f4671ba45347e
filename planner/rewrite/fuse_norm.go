package rewrite

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
)

// normalization are the constants of a batch normalisation, one value for each channel.
type normalization struct {
	scale, offset, mean, variance graph.Data
	epsilon                       float64
}

// foldNormalization makes a batch normalisation a part of the weights and the bias of a convolution. Both are replaced by
// constants of the same bytes, or a bias is added.
func (f *fuser) foldNormalization(h, op *graph.Op) bool {
	if h.Op != "Conv" || len(h.Fused) > 1 || len(op.Inputs) != 5 || op.Attrs.Int("training_mode", 0) != 0 || h.Attrs.String(graph.AttrKernelLayout, "") != "" {
		return false
	}
	n, axis := f.channels(h)
	if axis != 1 || n == 0 {
		return false
	}
	var constants [4]graph.Data
	for i := range constants {
		t := f.constant(op.Inputs[i+1])
		if t == nil || t.Data.Size() != 4*n {
			return false
		}
		constants[i] = t.Data
	}
	weights := f.constant(h.Inputs[1])
	if weights == nil || f.readers[h.Inputs[1]] != 1 || len(weights.Shape) == 0 || weights.Shape[0] != n || weights.Data.Size()%(4*n) != 0 {
		return false
	}
	var bias *graph.Tensor
	biased := len(h.Inputs) > 2 && h.Inputs[2] != graph.NoTensor
	if biased {
		if bias = f.constant(h.Inputs[2]); bias == nil || f.readers[h.Inputs[2]] != 1 || bias.Data.Size() != 4*n {
			return false
		}
	}
	norm := &normalization{constants[0], constants[1], constants[2], constants[3], float64(op.Attrs.Float("epsilon", 1e-5))}
	old := weights.Data
	weights.Data = &graph.Lazy{Bytes: old.Size(), Compute: func() ([]byte, error) { return norm.weights(old) }}
	f.setBias(h, op, norm, bias, n)
	return true
}

// constant is a constant of float32 with content that may be replaced, nil for other tensors: those that the caller sees keep
// their content.
func (f *fuser) constant(id graph.TensorID) *graph.Tensor {
	t := f.Tensor(id)
	if t == nil || f.fixed[id] || t.Role != graph.Constant || t.Data == nil || t.DType != graph.Float32 {
		return nil
	}
	return t
}

// setBias replaces the bias of a convolution, or gives it one that is named after the normalisation.
func (f *fuser) setBias(h, op *graph.Op, norm *normalization, bias *graph.Tensor, n int64) {
	if bias != nil {
		old := bias.Data
		bias.Data = &graph.Lazy{Bytes: 4 * n, Compute: func() ([]byte, error) { return norm.bias(old, n) }}
		return
	}
	added := f.add(graph.Tensor{Name: op.Name + "/bias", Role: graph.Constant, DType: graph.Float32, Shape: graph.Shape{n},
		Data: &graph.Lazy{Bytes: 4 * n, Compute: func() ([]byte, error) { return norm.bias(nil, n) }}})
	h.Inputs = append(h.Inputs[:2:2], added)
}

// add adds a tensor, with as many apostrophes behind its name as make it new, that one op reads.
func (f *fuser) add(t graph.Tensor) graph.TensorID {
	if f.names == nil {
		f.names = make(map[string]bool, len(f.Tensors))
		for i := range f.Tensors {
			f.names[f.Tensors[i].Name] = true
		}
	}
	t.Name = newName(f.names, t.Name)
	f.Tensors, f.readers = append(f.Tensors, t), append(f.readers, 1)
	return graph.TensorID(len(f.Tensors) - 1)
}

// newName adds as many apostrophes to a name as make it none of names, and makes it one of them.
func newName(names map[string]bool, name string) string {
	for names[name] {
		name += "'"
	}
	names[name] = true
	return name
}

// read decodes a constant.
func read(d graph.Data) ([]float32, error) {
	data, err := d.Read()
	if err == nil && int64(len(data)) != d.Size() {
		err = fmt.Errorf("%d bytes where %d were announced", len(data), d.Size())
	}
	return decodeFloats(data), err
}

// factors are scale / sqrt(variance + epsilon).
func (n *normalization) factors() ([]float64, error) {
	scale, err := read(n.scale)
	if err != nil {
		return nil, err
	}
	variance, err := read(n.variance)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(scale))
	for i := range out {
		out[i] = float64(scale[i]) / math.Sqrt(float64(variance[i])+n.epsilon)
	}
	return out, nil
}

// weights scales each output channel of [O, ...].
func (n *normalization) weights(old graph.Data) ([]byte, error) {
	factors, err := n.factors()
	if err != nil {
		return nil, err
	}
	values, err := read(old)
	if err != nil {
		return nil, err
	}
	per := len(values) / len(factors)
	for i, v := range values {
		values[i] = float32(float64(v) * factors[i/per])
	}
	return encodeFloats(values), nil
}

// bias is (bias - mean) · factor + offset, with a bias of 0 where there is none.
func (n *normalization) bias(old graph.Data, channels int64) ([]byte, error) {
	factors, err := n.factors()
	if err != nil {
		return nil, err
	}
	values := make([]float32, channels)
	if old != nil {
		if values, err = read(old); err != nil {
			return nil, err
		}
	}
	mean, err := read(n.mean)
	if err != nil {
		return nil, err
	}
	offset, err := read(n.offset)
	if err != nil {
		return nil, err
	}
	out := make([]float32, channels)
	for i := range out {
		out[i] = float32((float64(values[i])-float64(mean[i]))*factors[i] + float64(offset[i]))
	}
	return encodeFloats(out), nil
}
