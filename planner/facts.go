package planner

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/scope"
	"github.com/memplan/memplan/planner/texture"
)

// tensorValue is the object "tensor" of a rule's condition.
func tensorValue(t scope.TensorFacts) cty.Value {
	axes := make([]cty.Value, len(t.Shape))
	for i, n := range t.Shape {
		axes[i] = cty.NumberIntVal(n)
	}
	facts := map[string]cty.Value{
		"name": cty.StringVal(t.Name), "role": cty.StringVal(string(t.Role)), "dtype": cty.StringVal(t.DType.String()),
		"shape": list(axes, cty.Number), "rank": cty.NumberIntVal(int64(t.Rank)), "layout": cty.StringVal(t.Layout), "bytes": cty.NumberIntVal(t.Bytes),
		"consumers": cty.NumberIntVal(int64(t.Consumers)), "producer": cty.StringVal(t.Producer),
	}
	for _, name := range texture.Scopes() {
		sides := t.Images[string(name)]
		facts[attributeOf(name)] = cty.ObjectVal(map[string]cty.Value{"width": cty.NumberIntVal(sides.Width), "height": cty.NumberIntVal(sides.Height)})
	}
	return cty.ObjectVal(facts)
}

// attributeOf names a texture scope within a condition: "global.texture-nhwc" is tensor.texture_nhwc there.
func attributeOf(name texture.Scope) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(name), "global."), "-", "_")
}

// opValue is the object "op" of a rule's condition.
func opValue(op scope.OpFacts) cty.Value {
	attributes := make(map[string]cty.Value, len(op.Attrs))
	for _, name := range op.Attrs.Names() {
		if value, ok := attrValue(op.Attrs[name]); ok {
			attributes[name] = value
		}
	}
	return cty.ObjectVal(map[string]cty.Value{
		"name": cty.StringVal(op.Name), "type": cty.StringVal(op.Op), "operand": cty.StringVal(op.Operand), "attributes": cty.ObjectVal(attributes),
	})
}

// attrValue converts an op's attribute. Tensors have no value in the language.
func attrValue(attr graph.Attr) (cty.Value, bool) {
	switch v := attr.(type) {
	case int64:
		return cty.NumberIntVal(v), true
	case float32:
		return cty.NumberFloatVal(float64(v)), true
	case string:
		return cty.StringVal(v), true
	case []int64:
		return list(convert(v, cty.NumberIntVal), cty.Number), true
	case []float32:
		return list(convert(v, func(x float32) cty.Value { return cty.NumberFloatVal(float64(x)) }), cty.Number), true
	case []string:
		return list(convert(v, cty.StringVal), cty.String), true
	}
	return cty.NilVal, false
}

func convert[T any](values []T, to func(T) cty.Value) []cty.Value {
	out := make([]cty.Value, len(values))
	for i, v := range values {
		out[i] = to(v)
	}
	return out
}

func list(values []cty.Value, element cty.Type) cty.Value {
	if len(values) == 0 {
		return cty.ListValEmpty(element)
	}
	return cty.ListVal(values)
}
