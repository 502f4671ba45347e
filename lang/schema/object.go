package schema

import (
	"slices"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
)

// Field is a field of an object that expressions see.
type Field struct {
	Name string
	Type cty.Type
	// Planned marks a field that is unknown until the plan is made.
	Planned bool
	Doc     string
}

// Object is what a reference to a block, or a name in a rule's condition, gives.
type Object struct {
	// Name is the address's form, as in "pool.NAME", or the name in a condition.
	Name   string
	Doc    string
	Fields []Field
}

// FieldNames lists the fields.
func (o *Object) FieldNames() []string {
	names := make([]string, len(o.Fields))
	for i := range o.Fields {
		names[i] = o.Fields[i].Name
	}
	return names
}

// Field returns the field with the name, nil when there is none.
func (o *Object) Field(name string) *Field {
	at := slices.IndexFunc(o.Fields, func(f Field) bool { return f.Name == name })
	if at < 0 {
		return nil
	}
	return &o.Fields[at]
}

// Type returns the object's type.
func (o *Object) Type() cty.Type {
	types := make(map[string]cty.Type, len(o.Fields))
	for _, f := range o.Fields {
		types[f.Name] = f.Type
	}
	return cty.Object(types)
}

var addressField = Field{Name: "address", Type: cty.String, Doc: "The address itself, as a string."}

var deviceObject = Object{
	Name: "device.NAME", Doc: "A device.",
	Fields: []Field{
		addressField,
		{Name: "name", Type: cty.String, Doc: "Its name."},
		{Name: "driver", Type: cty.String, Doc: "Its driver."},
		{Name: "base_alignment", Type: cty.Number, Doc: "Its base alignment in bytes."},
		{Name: "max_alloc", Type: cty.Number, Doc: "Its largest allocation in bytes, null when unlimited."},
	},
}

var poolObject = Object{
	Name: "pool.NAME", Doc: "A pool.",
	Fields: []Field{
		addressField,
		{Name: "name", Type: cty.String, Doc: "Its name."},
		{Name: "type", Type: cty.String, Doc: "`flat` or `texture`."},
		{Name: "size", Type: cty.Number, Doc: "Its size in bytes, null when unlimited."},
		{Name: "alignment", Type: cty.Number, Doc: "Its alignment in bytes."},
		{Name: "peak", Type: cty.Number, Planned: true, Doc: "The bytes needed: the largest offset + size."},
		{Name: "bound", Type: cty.Number, Planned: true, Doc: "The bytes that no placement can do without."},
		{Name: "capacity", Type: cty.Number, Planned: true, Doc: "The bytes available, null when unlimited."},
		{Name: "used", Type: cty.Number, Planned: true, Doc: "The sum of the sizes of everything placed, as if nothing were shared."},
		{Name: "optimality", Type: cty.String, Planned: true, Doc: "`optimal` when the peak is proved to be the smallest possible, else `best_found`."},
	},
}

// plannedTensor is one tensor of a planned graph.
var plannedTensor = Object{
	Name: `graph.NAME.tensor["TENSOR"]`, Doc: "A tensor of a planned graph.",
	Fields: []Field{
		{Name: "scope", Type: cty.String, Planned: true, Doc: "Its memory scope."},
		{Name: "pool", Type: cty.String, Planned: true, Doc: "The name of its pool."},
		{Name: "offset", Type: cty.Number, Planned: true, Doc: "Its offset in bytes from the pool's start, null in an image."},
		{Name: "size", Type: cty.Number, Planned: true, Doc: "The bytes that it occupies."},
		{Name: "first", Type: cty.Number, Planned: true, Doc: "The step that writes it."},
		{Name: "last", Type: cty.Number, Planned: true, Doc: "The step after the last that reads it."},
		{Name: "producer", Type: cty.String, Planned: true, Doc: "The name of the operator that writes it, empty for inputs and constants."},
	},
}

var graphObject = Object{
	Name: "graph.NAME", Doc: "A graph.",
	Fields: []Field{
		addressField,
		{Name: "name", Type: cty.String, Doc: "Its name."},
		{Name: "tensor", Type: cty.Map(plannedTensor.Type()), Planned: true, Doc: "Its tensors by name."},
	},
}

var ruleObject = Object{
	Name: "scope_rule.NAME", Doc: "A scope rule.",
	Fields: []Field{addressField, {Name: "name", Type: cty.String, Doc: "Its name."}},
}

var pathObject = Object{
	Name: "path", Doc: "Paths.",
	Fields: []Field{{Name: "module", Type: cty.String, Doc: "The directory of the configuration, to start relative paths from: always `.`, since paths in a configuration are relative to it."}},
}

var conditionTensor = Object{
	Name: "tensor", Doc: "The tensor that a rule's condition is evaluated for.",
	Fields: []Field{
		{Name: "name", Type: cty.String, Doc: "Its name in the model."},
		{Name: "role", Type: cty.String, Doc: "Its role."},
		{Name: "dtype", Type: cty.String, Doc: "Its element type."},
		{Name: "shape", Type: cty.List(cty.Number), Doc: "Its shape, outermost axis first."},
		{Name: "rank", Type: cty.Number, Doc: "The number of its axes."},
		{Name: "layout", Type: cty.String, Doc: "The meaning of its axes, as in `NCHW`; empty when unknown."},
		{Name: "bytes", Type: cty.Number, Doc: "The size of its elements in bytes."},
		{Name: "consumers", Type: cty.Number, Doc: "The number of operators that read it."},
		{Name: "producer", Type: cty.String, Doc: "The name of the operator that writes it, empty for inputs and constants."},
		imageField("texture", "global.texture"),
		imageField("texture_nhwc", "global.texture-nhwc"),
		imageField("texture_weight", "global.texture-weight"),
	},
}

// imageField is the image that a tensor would be in a texture scope.
func imageField(name, scope string) Field {
	return Field{
		Name: name, Type: cty.Object(map[string]cty.Type{"width": cty.Number, "height": cty.Number}),
		Doc: "`width` and `height` in texels of the image that it would be in `" + scope + "`, both 0 when it cannot be one for its shape or element type. The device's limits play no part.",
	}
}

var conditionOp = Object{
	Name: "op", Doc: "The operator, of those that touch the tensor, that `match` found.",
	Fields: []Field{
		{Name: "name", Type: cty.String, Doc: "Its name in the model."},
		{Name: "type", Type: cty.String, Doc: "Its ONNX name, such as `Conv`."},
		{Name: "operand", Type: cty.String, Doc: "What the tensor is to it."},
		{Name: "attributes", Type: cty.DynamicPseudoType, Doc: "Its attributes by name, as in `op.attributes.group`; `lookup(op.attributes, \"group\", 1)` for one that may be left out."},
	},
}

// ObjectOf returns what a reference of the kind gives, nil for variables and local values, which have any type, and for modules,
// which have the fields that their outputs give them.
func ObjectOf(kind addr.Kind) *Object {
	switch kind {
	case addr.Device:
		return &deviceObject
	case addr.Pool:
		return &poolObject
	case addr.Graph:
		return &graphObject
	case addr.ScopeRule:
		return &ruleObject
	}
	return nil
}

// PlannedTensor returns what graph.NAME.tensor["TENSOR"] gives.
func PlannedTensor() *Object { return &plannedTensor }

// ConditionObjects returns the names that a rule's condition sees besides the usual ones: tensor and op.
func ConditionObjects() []*Object { return []*Object{&conditionTensor, &conditionOp} }
