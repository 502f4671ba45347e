package opencl

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// panels are weights as the kernels of sums want them; see kernels/panels.cl.
type panels struct {
	b                    *site
	weights, bias, slope *operand
	// scale multiplies the weights, biasScale the bias.
	scale, biasScale float32
	// columns are the output channels of a group, channels the common factor.
	groups, columns, channels, lanes int
	window                           form.Dims
	// zeros is how many zeros stand before the panels.
	zeros int
	// Strides of the weights in elements.
	group, column, channel int
	step                   form.Dims
}

// panelSize is the number of elements of all panels of a group, for a common factor of k channels and steps.
func panelSize(columns, k, lanes int) int { return ceilDiv(columns, lanes) * lanes * (k + 2) }

// pack returns memory that holds the panels: filled now when all operands are constant, else before each run.
func (p *panels) pack() (*flat, error) {
	k := p.channels * p.window.Volume()
	size := int64(panelSize(p.columns, k, p.lanes))*int64(p.groups) + int64(p.zeros)
	if size > maxElements {
		return nil, form.RefuseTensor(p.weights.t, "weights of %d elements are more than the kernels count, %d", size, maxElements)
	}
	constant := isConstant(p.weights) && isConstant(p.bias) && isConstant(p.slope)
	to, err := p.memory(constant, size)
	if err != nil {
		return nil, err
	}
	w, err := p.b.floatsOf(p.weights)
	if err != nil {
		return nil, err
	}
	bias, slope, given := w, w, 0
	if p.bias != nil {
		given |= 1
		if bias, err = p.b.floatsOf(p.bias); err != nil {
			return nil, err
		}
	}
	if p.slope != nil {
		given |= 2
		if p.slope.elements() == 1 {
			given ^= 6
		}
		if slope, err = p.b.floatsOf(p.slope); err != nil {
			return nil, err
		}
	}
	global, group := alone(k+1, ceilDiv(p.columns, p.lanes), p.groups)
	group[0] = 16
	l, err := p.b.launch(sums, "pack_panels", global, group, w, bias, slope, to,
		ints8(p.columns, p.channels, p.lanes, given, p.zeros, p.window[0], p.window[1], p.window[2]),
		ints8(p.group, p.column, p.channel, p.step[0], p.step[1], p.step[2]), [4]float32{p.scale, p.biasScale})
	if err != nil {
		return nil, err
	}
	if constant {
		return to, p.b.once(l)
	}
	p.b.before = append(p.b.before, l)
	return to, nil
}

func (p *panels) memory(constant bool, size int64) (*flat, error) {
	if constant {
		return p.b.workspace(graph.Float32, graph.Shape{size})
	}
	return p.b.scratch(graph.Float32, graph.Shape{size})
}

// ints8 is an argument of up to eight numbers, all of which count elements of tensors or are smaller.
func ints8(values ...int) (a [8]int32) {
	for i, v := range values {
		a[i] = int32(v)
	}
	return a
}
