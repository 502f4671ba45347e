package shape

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// constant: one of the value attributes is the output.
func constant(n *node) ([]array.Type, error) {
	a, err := n.valueAttr()
	if err != nil {
		return nil, err
	}
	if a.Data != nil {
		n.results[0] = a
	}
	return one(a.DType, a.Shape.Clone()), nil
}

// valueAttr returns the value of a Constant. Its Data is nil when it is too large to be evaluated or cannot be read.
func (n *node) valueAttr() (*array.Array, error) {
	if v, ok, err := attr[int64](n, "value_int", "an integer"); ok || err != nil {
		return scalarOr(err, v)
	}
	if v, ok, err := attr[float32](n, "value_float", "a real number"); ok || err != nil {
		return scalarOr(err, v)
	}
	if v, ok, err := attr[[]int64](n, "value_ints", "a list of integers"); ok || err != nil {
		return vectorOr(err, v)
	}
	if v, ok, err := attr[[]float32](n, "value_floats", "a list of real numbers"); ok || err != nil {
		return vectorOr(err, v)
	}
	t, ok, err := attr[*graph.AttrTensor](n, "value", "a tensor")
	if err != nil {
		return nil, err
	}
	if !ok || t == nil || !t.Shape.Known() {
		return nil, n.fault(diag.InvalidAttribute, "lacks the attribute value, the tensor that it writes. Correct the op.")
	}
	return readSmall(t), nil
}

func scalarOr[T array.Value](err error, v T) (*array.Array, error) {
	if err != nil {
		return nil, err
	}
	return array.Of(graph.Shape{}, v)
}

func vectorOr[T array.Value](err error, v []T) (*array.Array, error) {
	if err != nil {
		return nil, err
	}
	return array.Of(graph.Shape{int64(len(v))}, v...)
}

// readSmall returns the array of a tensor attribute; its Data is nil when it is too large or cannot be read.
func readSmall(t *graph.AttrTensor) *array.Array {
	a := &array.Array{DType: t.DType, Shape: t.Shape}
	count, ok := t.Shape.Elements()
	if !ok || count > maxValues || t.Data == nil {
		return a
	}
	if data, err := t.Data.Read(); err == nil && int64(len(data)) == count*t.DType.Size() {
		a.Data = data
	}
	return a
}

// constantOfShape: the input is the shape, the attribute value gives the element type.
func constantOfShape(n *node) ([]array.Type, error) {
	d := graph.Float32
	t, ok, err := attr[*graph.AttrTensor](n, "value", "a tensor")
	if err != nil {
		return nil, err
	}
	if ok && t != nil {
		d = t.DType
	}
	shape, err := n.extentsInput(0)
	return one(d, shape), err
}

// sequence: start, start+delta, ... before limit (Range).
func sequence(n *node) ([]array.Type, error) {
	var v [3]float64
	for i := range v {
		list, err := n.floats(i)
		if err != nil {
			return nil, err
		}
		if len(list) != 1 {
			return nil, n.fault(diag.InvalidOperandValue, "is steered by %s, which must hold one number. Correct that input.", n.operand(i))
		}
		v[i] = list[0]
	}
	for i := 1; i < 3; i++ {
		if err := n.wantSameType(0, i); err != nil {
			return nil, err
		}
	}
	count, err := n.countSequence(v[0], v[1], v[2])
	return one(n.dtype(0), graph.Shape{count}), err
}

func (n *node) countSequence(start, limit, delta float64) (int64, error) {
	count := math.Ceil((limit - start) / delta)
	switch {
	case delta == 0 || math.IsNaN(count):
		return 0, n.fault(diag.InvalidOperandValue, "counts from %g to %g by %g, which never ends. Correct %s.", start, limit, delta, n.name(2))
	case count >= math.MaxInt64:
		return 0, n.fault(diag.ExtentOverflow, "counts from %g to %g by %g, which is more than 2^63-1 elements. Correct its inputs.", start, limit, delta)
	case n.dtype(0).IsFloat():
		return int64(max(count, 0)), nil
	}
	return n.countIntegers()
}

// countIntegers counts an integer sequence without rounding.
func (n *node) countIntegers() (int64, error) {
	var v [3]int64
	for i := range v {
		x, err := n.integer(i)
		if err != nil {
			return 0, err
		}
		v[i] = x
	}
	var c checked
	distance := c.sub(v[1], v[0])
	if c.overflow {
		return 0, n.fault(diag.ExtentOverflow, "counts from %d to %d, which is more than 2^63-1 apart. Correct its inputs.", v[0], v[1])
	}
	if distance == 0 || (distance < 0) != (v[2] < 0) {
		return 0, nil
	}
	return int64((magnitude(distance)-1)/magnitude(v[2])) + 1, nil
}

// eyeLike: a matrix of the input's shape, of the element type in "dtype".
func eyeLike(n *node) ([]array.Type, error) {
	if err := n.wantRank(0, 2); err != nil {
		return nil, err
	}
	return likeInput(n)
}

// likeInput: the input's shape, of the element type in "dtype", else the input's.
func likeInput(n *node) ([]array.Type, error) {
	d, err := n.typeAttr("dtype", n.dtype(0))
	return one(d, n.shape(0).Clone()), err
}

// random: the attributes give shape and element type.
func random(n *node) ([]array.Type, error) {
	d, err := n.typeAttr("dtype", graph.Float32)
	if err != nil {
		return nil, err
	}
	extents, ok, err := attr[[]int64](n, "shape", "a list of integers")
	if err != nil {
		return nil, err
	}
	if !ok {
		return nil, n.fault(diag.InvalidAttribute, "lacks the attribute shape. Correct the op.")
	}
	for i, e := range extents {
		if e < 0 {
			return nil, n.fault(diag.InvalidAttribute, "has the value %d in shape, position %d; the least is 0. Correct the attribute.", e, i)
		}
	}
	return one(d, append(make(graph.Shape, 0, len(extents)), extents...)), nil
}

// signalWindow: as many values as the input says.
func signalWindow(n *node) ([]array.Type, error) {
	d, err := n.typeAttr("output_datatype", graph.Float32)
	if err != nil {
		return nil, err
	}
	size, err := n.integer(0)
	if err != nil {
		return nil, err
	}
	if size < 0 {
		return nil, n.fault(diag.InvalidOperandValue, "has the size %d, from %s; the least is 0. Correct that input.", size, n.name(0))
	}
	return one(d, graph.Shape{size}), nil
}
