package form

import (
	"strings"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Separable is a depthwise convolution and a pointwise one that reads its results, which no tensor holds: two ops of which
// the second has its own operands from position 3 of the step's on.
type Separable struct{ Depthwise, Pointwise *graph.Op }

// SeparableOf takes such an op apart; it is nil for others.
func SeparableOf(op *graph.Op) *Separable {
	at := op.Separable()
	if at == 0 {
		return nil
	}
	own := OwnAttrs(op.Attrs, "Conv.")
	for _, name := range op.Attrs.Names() {
		if strings.Contains(name, ".") && !strings.HasPrefix(name, "Conv.") {
			own[name] = op.Attrs[name]
		}
	}
	if layout, ok := op.Attrs[graph.AttrDataLayout]; ok {
		own[graph.AttrDataLayout] = layout
	}
	return &Separable{
		Depthwise: &graph.Op{Name: op.Name, Op: op.Op, Domain: op.Domain, Fused: op.Fused[:at], Attrs: op.Attrs},
		Pointwise: &graph.Op{Name: op.Name, Op: op.Op, Domain: op.Domain, Fused: op.Fused[at:], Attrs: own},
	}
}

// Activation is what follows the first convolution, nil for nothing.
func (s *Separable) Activation() *graph.Op {
	if len(s.Depthwise.Fused) < 2 {
		return nil
	}
	name := s.Depthwise.Fused[1]
	return &graph.Op{Name: s.Depthwise.Name, Op: name, Domain: s.Depthwise.Domain, Attrs: OwnAttrs(s.Depthwise.Attrs, name+".")}
}

// Convolutions reads both, of data x, the weights of each and the result y.
func (s *Separable) Convolutions(x, w, v, y *device.Tensor) (first, second *Convolution, err error) {
	if len(s.Depthwise.Fused) > 2 {
		return nil, nil, Refuse("%v between two convolutions is not supported, one operator is", s.Depthwise.Fused[1:])
	}
	between := s.between(x, y)
	if first, err = ConvolutionOf(s.Depthwise, x, w, between, false); err != nil {
		return nil, nil, err
	}
	if second, err = ConvolutionOf(s.Pointwise, between, v, y, false); err != nil {
		return nil, nil, err
	}
	if k := second.Window.Kernel; first.IC != 1 || first.OC != 1 || second.Groups != 1 || k.Volume() != 1 || second.In.Size != second.Out.Size || second.Window.Before != (Dims{}) {
		return nil, nil, Refuse("%v is not a depthwise convolution before a pointwise one", append(s.Depthwise.Fused[:len(s.Depthwise.Fused):len(s.Depthwise.Fused)], s.Pointwise.Fused...))
	}
	return first, second, nil
}

// between is the result of the first convolution: the pixels of the last result with the channels of the data.
func (s *Separable) between(x, y *device.Tensor) *device.Tensor {
	t := &device.Tensor{Name: y.Name, Role: graph.Activation, DType: graph.Float32, Shape: y.Shape.Clone(), Place: device.Region{Image: -1}}
	channels := 1
	if layout := s.Depthwise.Attrs.String(graph.AttrDataLayout, "NCHW"); strings.HasSuffix(layout, "C") {
		channels = len(t.Shape) - 1
	}
	if channels < len(t.Shape) && len(x.Shape) == len(t.Shape) {
		t.Shape[channels] = x.Shape[channels]
	}
	return t
}
