package shape

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// attr returns the attribute as a T; the second result is false when it is absent. Another type is a fault.
func attr[T any](n *node, name, kind string) (v T, ok bool, err error) {
	raw, given := n.op.Attrs[name]
	if !given {
		return v, false, nil
	}
	if v, ok = raw.(T); !ok {
		return v, false, n.fault(diag.InvalidAttribute, "has the attribute %s, which must be %s. Correct the attribute.", name, kind)
	}
	return v, true, nil
}

// intAttr returns an integer attribute, def when it is absent.
func (n *node) intAttr(name string, def int64) (int64, error) {
	v, ok, err := attr[int64](n, name, "an integer")
	if !ok {
		v = def
	}
	return v, err
}

// flagAttr returns whether an integer attribute is not 0.
func (n *node) flagAttr(name string, def bool) (bool, error) {
	v, ok, err := attr[int64](n, name, "an integer")
	return ok && v != 0 || !ok && def, err
}

// stringAttr returns a string attribute, def when it is absent.
func (n *node) stringAttr(name, def string) (string, error) {
	v, ok, err := attr[string](n, name, "a string")
	if !ok {
		v = def
	}
	return v, err
}

// intsAttr returns a list of integers, nil when it is absent or empty.
func (n *node) intsAttr(name string) ([]int64, error) {
	v, _, err := attr[[]int64](n, name, "a list of integers")
	if len(v) == 0 {
		return nil, err
	}
	return v, err
}

// listAttr returns a list of count integers of at least least, def for each when it is absent.
func (n *node) listAttr(name string, count int, least, def int64) ([]int64, error) {
	v, err := n.intsAttr(name)
	if err != nil {
		return nil, err
	}
	if v == nil {
		return repeat(def, count), nil
	}
	if len(v) != count {
		return nil, n.fault(diag.InvalidAttribute, "has %d values in %s where %d are needed. Correct the attribute.", len(v), name, count)
	}
	for i, x := range v {
		if x < least {
			return nil, n.fault(diag.InvalidAttribute, "has the value %d in %s, position %d; the least is %d. Correct the attribute.", x, name, i, least)
		}
	}
	return v, nil
}

// axisAttr returns an axis of input i, counted from the first; negative values count from the last.
func (n *node) axisAttr(name string, def int64, i int) (int, error) {
	axis, err := n.intAttr(name, def)
	if err != nil {
		return 0, err
	}
	return n.axis(axis, n.rank(i), n.operand(i))
}

// axis makes a possibly negative axis of something with rank axes one from 0; of says in messages what it is an axis of.
func (n *node) axis(axis int64, rank int, of string) (int, error) {
	r := int64(rank)
	if axis < -r || axis >= r {
		return 0, n.fault(diag.AxisOutOfRange, "names axis %d of %s, which has %d axes. Correct the axis.", axis, of, rank)
	}
	if axis < 0 {
		axis += r
	}
	return int(axis), nil
}

// axes makes a list of possibly negative axes ones from 0. A repeated axis is a fault.
func (n *node) axes(list []int64, rank int, of string) ([]int, error) {
	out := make([]int, 0, min(len(list), MaxRank))
	seen := make([]bool, rank)
	for _, a := range list {
		axis, err := n.axis(a, rank, of)
		if err != nil {
			return nil, err
		}
		if seen[axis] {
			return nil, n.fault(diag.AxisOutOfRange, "names axis %d of %s twice. Remove one of the two.", axis, of)
		}
		seen[axis] = true
		out = append(out, axis)
	}
	return out, nil
}

// typeAttr returns an element type attribute, def when it is absent: ONNX's number or the name of the type.
func (n *node) typeAttr(name string, def graph.DType) (graph.DType, error) {
	raw, given := n.op.Attrs[name]
	if !given {
		return def, nil
	}
	switch v := raw.(type) {
	case int64:
		if v >= 0 && v < int64(len(onnxTypes)) && onnxTypes[v] != graph.InvalidDType {
			return onnxTypes[v], nil
		}
	case string:
		if d, ok := graph.ParseDType(v); ok {
			return d, nil
		}
	}
	return graph.InvalidDType, n.fault(diag.InvalidAttribute, "has %s in the attribute %s, which names no element type that memplan knows. Correct the attribute.", attrText(raw), name)
}

// attrText writes the value of an attribute, as far as it is a number or a name.
func attrText(v graph.Attr) string {
	switch v := v.(type) {
	case int64, float32:
		return fmt.Sprint(v)
	case string:
		return fmt.Sprintf("%q", v)
	}
	return "a list or tensor"
}

// onnxTypes are the element types by their number in ONNX files.
var onnxTypes = [...]graph.DType{
	1: graph.Float32, 2: graph.Uint8, 3: graph.Int8, 4: graph.Uint16, 5: graph.Int16, 6: graph.Int32, 7: graph.Int64,
	9: graph.Bool, 10: graph.Float16, 11: graph.Float64, 12: graph.Uint32, 13: graph.Uint64, 14: graph.Complex64,
	15: graph.Complex128, 16: graph.BFloat16,
}

func repeat(v int64, count int) []int64 {
	out := make([]int64, count)
	for i := range out {
		out[i] = v
	}
	return out
}
