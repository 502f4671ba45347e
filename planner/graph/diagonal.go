package graph

import "slices"

// Diagonal says how far below an operand a result may lie that is written over it from below, row by row: a kernel that goes
// through the result in the order of memory, and writes a row of it only after it has read all that the row needs, finds
// each byte of the operand unharmed as long as the operand starts Distance bytes or more above the result.
type Diagonal struct {
	// Operand is the position of the operand among the op's inputs.
	Operand int
	// Distance in bytes is 0 or more and less than the result's size.
	Distance int64
}

// mostDiagonalRows bounds the rows that are gone through for one op.
const mostDiagonalRows = 1 << 18

// Diagonals lists the operands that the first result of the op may overlap so, where the form of the op says which rows of an
// operand each row of the result needs. A row is all that lies in memory inside of one position of
//
//   - the outermost window axes and the images, of convolutions, transposed ones too, and poolings with the channels last;
//   - the same and the channels, of poolings and depthwise convolutions with the channels second;
//   - the first axis that is resized and all before it, of a Resize;
//   - every axis, that is one element, of elementwise ops from one element type to another.
//
// An op with a second result has none, and neither has one whose meaning is not known. docs/diagonal.md derives the
// distances. It costs O(rows of one image, or of one channel).
func (g *Graph) Diagonals(op *Op) []Diagonal {
	if op.Domain != "" && op.Domain != "ai.onnx" && op.Domain != "tflite" || len(op.Inputs) == 0 || len(op.Outputs) == 0 {
		return nil
	}
	result := g.Tensor(op.Outputs[0])
	if result == nil || g.seesMore(op) {
		return nil
	}
	bytes, ok := result.Shape.Bytes(result.DType)
	if !ok || bytes == 0 {
		return nil
	}
	var out []Diagonal
	for _, i := range op.ReadInRows() {
		operand := g.Tensor(op.Inputs[i])
		if operand == nil || slices.Contains(op.Inputs[:i], op.Inputs[i]) || slices.Contains(op.Inputs[i+1:], op.Inputs[i]) {
			continue
		}
		if size, ok := operand.Shape.Bytes(operand.DType); !ok || size == 0 {
			continue
		}
		s, ok := g.sweepOf(op, operand, result)
		if !ok {
			continue
		}
		if distance := s.distance(); distance < bytes {
			out = append(out, Diagonal{i, distance})
		}
	}
	return out
}

// ReadInRows lists the operands, by their position, that ops of this kind read in the order of their result where the form of
// the op allows it; nil for other kinds.
func (o *Op) ReadInRows() []int {
	switch o.Op {
	case "Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool", "Resize", "Cast", "QuantizeLinear", "DequantizeLinear":
		return []int{0}
	}
	which, ok := elementwise[o.Op]
	switch {
	case !ok:
		return nil
	case which != anyOperand:
		return []int{which}
	}
	all := make([]int, len(o.Inputs))
	for i := range all {
		all[i] = i
	}
	return all
}

func (g *Graph) sweepOf(op *Op, operand, result *Tensor) (sweep, bool) {
	switch op.Op {
	case "Conv", "ConvTranspose", "MaxPool", "AveragePool", "LpPool":
		return g.windowSweep(op, operand, result)
	case "Resize":
		return g.resizeSweep(op, operand, result)
	}
	return elementSweep(op, operand, result)
}

// elementSweep is that of an op from one element type to another. One that keeps the type may write over its operand, see
// [Graph.Overwrites].
func elementSweep(op *Op, operand, result *Tensor) (sweep, bool) {
	n, ok := result.Shape.Elements()
	if !ok || len(op.Fused) > 1 || operand.DType == result.DType || !operand.Shape.Equal(result.Shape) || operand.Layout != result.Layout {
		return sweep{}, false
	}
	first := func(int64) (int64, bool) { return 0, true }
	return sweep{units: n, rows: 1, row: result.DType.Size(), unit: operand.DType.Size(), first: first}, true
}

// sweep is how an op goes through its result. The result is units runs of rows, each of which reads a part of its own of the
// operand: the parts lie in the same order as the runs. All sizes are bytes.
type sweep struct {
	units, rows int64
	// row is the size of a row of the result, unit that of the part of the operand.
	row, unit int64
	// first is the lowest byte of its part that a row of a run reads; false when it reads none.
	first func(row int64) (at int64, any bool)
}

// distance is the least for which no row is written over what a later row reads: the largest of
//
//	end of the row in the result - lowest byte of the operand that a later row reads
//
// over all rows. Within a run the difference depends on the run's number by a fixed amount for each, so that it is largest in
// the first or in the last run in which it occurs.
func (s *sweep) distance() int64 {
	within, across, reads := s.run()
	if !reads {
		return 0
	}
	grows := s.rows*s.row - s.unit
	worst := max(within, within+(s.units-1)*grows)
	if s.units > 1 {
		worst = max(worst, across, across+(s.units-2)*grows)
	}
	return max(0, worst)
}

// run is the largest difference in the first run: within looks at later rows of the same run, across at those of the next
// one, which matter where no later row of the same run reads anything. reads is false when no row does.
func (s *sweep) run() (within, across int64, reads bool) {
	const none = -1 << 62
	within, across = none, none
	lowest, any := int64(0), false
	tail := s.rows // the rows from here on have no later row of the run that reads
	for r := s.rows - 1; r >= 0; r-- {
		if any {
			within = max(within, (r+1)*s.row-lowest)
		} else {
			tail = r
		}
		if at, ok := s.first(r); ok && (!any || at < lowest) {
			lowest, any = at, true
		}
	}
	if !any {
		return 0, 0, false
	}
	if tail < s.rows {
		across = s.rows*s.row - (s.unit + lowest)
	}
	return within, across, true
}
