package opencl

import (
	"encoding/binary"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/form"
)

// generateBuilders make arrays from little or nothing.
var generateBuilders = map[string]builder{
	"ConstantOfShape": buildConstantOfShape, "ZerosLike": buildZerosLike, "EyeLike": buildEyeLike,
	"Shape": buildFacts, "Size": buildFacts, "Rank": buildFacts, "Range": buildRange,
}

// buildConstantOfShape binds ConstantOfShape. The shape is the result's.
func buildConstantOfShape(b *site) ([]launch, error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	value, ok := b.op.Attrs["value"].(*graph.AttrTensor)
	if !ok {
		value = &graph.AttrTensor{DType: graph.Float32, Data: graph.Bytes(make([]byte, 4))}
	}
	if value.DType != out.t.DType || value.Data == nil || rawTypes[out.t.DType.Size()] == "" {
		return nil, form.RefuseTensor(out.t, "a value of type %v does not fill %v", value.DType, out.t.DType)
	}
	element, err := value.Data.Read()
	if err != nil || int64(len(element)) != out.t.DType.Size() {
		return nil, form.Refuse("the attribute value is not one element (%v)", err)
	}
	return b.fill(out, element)
}

// fill repeats an element over an output.
func (b *site) fill(out *operand, element []byte) ([]launch, error) {
	y, err := b.resultElements(out, false)
	if err != nil {
		return nil, err
	}
	x, err := b.known(out.t.DType, graph.Shape{1}, element)
	if err != nil {
		return nil, err
	}
	return one(b.spread(x, y))
}

// buildZerosLike binds TensorFlow Lite's ZerosLike.
func buildZerosLike(b *site) ([]launch, error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if err := movable(out); err != nil {
		return nil, err
	}
	return b.fill(out, make([]byte, out.t.DType.Size()))
}

// buildEyeLike binds EyeLike: ones on the k-th diagonal of a matrix.
func buildEyeLike(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if len(in.shape()) != 2 || !in.shape().Equal(out.shape()) || clTypes[out.t.DType] == "" {
		return nil, form.RefuseTensor(out.t, "%v is no matrix of %v", in.shape(), out.t.DType)
	}
	all, err := b.fill(out, make([]byte, out.t.DType.Size()))
	if err != nil {
		return nil, err
	}
	one, err := b.converted(out.t.DType, 1)
	if err != nil {
		return nil, err
	}
	rows, columns := int(out.shape()[0]), int(out.shape()[1])
	k := int(min(max(b.op.Attrs.Int("k", 0), int64(-rows)), int64(columns)))
	first, end := max(0, -k), min(rows, columns-k)
	diagonal, err := b.moveBox(one, out.dense, []int{max(end-first, 0)}, box{0, []int{0}}, box{first*columns + first + k, []int{columns + 1}})
	return append(all, diagonal...), err
}

// converted returns an array of one element with a value, of any type that numbers convert to.
func (b *site) converted(dtype graph.DType, value int64) (*flat, error) {
	from, err := array.Of(graph.Shape{1}, value)
	if err != nil {
		return nil, err
	}
	to, err := array.Eval(&graph.Op{Op: "Cast"}, []*array.Array{from}, []array.Type{{DType: dtype, Shape: graph.Shape{1}}})
	if err != nil {
		return nil, form.Refuse("%v", err)
	}
	return b.known(dtype, graph.Shape{1}, to[0].Data)
}

// buildFacts binds Shape, Size and Rank, which only the input's shape decides.
func buildFacts(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	rank := int64(len(in.shape()))
	var values []int64
	switch b.op.Op {
	case "Size":
		values = []int64{int64(in.elements())}
	case "Rank":
		values = []int64{rank}
	default:
		start, end := b.op.Attrs.Int("start", 0), b.op.Attrs.Int("end", rank)
		if start < 0 {
			start += rank
		}
		if end < 0 {
			end += rank
		}
		start, end = min(max(start, 0), rank), min(max(end, 0), rank)
		values = in.shape()[start:max(start, end)]
	}
	size := int(out.t.DType.Size())
	if kindOf(out.t.DType) != ofIntegers || out.elements() != len(values) {
		return nil, form.RefuseTensor(out.t, "%v %v does not hold %v", out.t.DType, out.shape(), values)
	}
	var data []byte
	for _, v := range values {
		data = append(data, binary.LittleEndian.AppendUint64(nil, uint64(v))[:size]...)
	}
	x, err := b.known(out.t.DType, out.shape(), data)
	if err != nil {
		return nil, err
	}
	y, err := b.resultElements(out, false)
	if err != nil {
		return nil, err
	}
	return one(b.move(x, y))
}

// buildRange binds Range. The number of elements was planned; a run whose operands give another one fails.
func buildRange(b *site) ([]launch, error) {
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	if kindOf(out.t.DType)&numbers == 0 || len(out.shape()) != 1 {
		return nil, form.RefuseTensor(out.t, "%v %v is no range", out.t.DType, out.shape())
	}
	var operands [3]*flat
	for i := range operands {
		o, err := b.need(i)
		if err != nil {
			return nil, err
		}
		if o.t.DType != out.t.DType || o.elements() != 1 {
			return nil, form.RefuseTensor(o.t, "%v %v is not one element of %v", o.t.DType, o.shape(), out.t.DType)
		}
		if operands[i], err = b.numbersOf(o); err != nil {
			return nil, err
		}
	}
	y, err := b.resultNumbers(out, false)
	if err != nil {
		return nil, err
	}
	fault, err := b.fault("the number of elements is not the planned one")
	if err != nil {
		return nil, err
	}
	from := arithmetic("walk+select", y.dtype)
	from.options += " -DNUMBERS"
	n := y.elements()
	return one(b.line(from, "count_up", n, operands[0], operands[1], operands[2], y, n, fault))
}
