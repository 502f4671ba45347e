package native

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// attrs writes attributes in ascending order of their names.
func (e *encoder) attrs(op *graph.Op) string {
	var out strings.Builder
	for i, name := range op.Attrs.Names() {
		if i > 0 {
			out.WriteString(", ")
		}
		fmt.Fprintf(&out, "%s: %s", e.text(name), e.attr(op, name))
	}
	return "{" + out.String() + "}"
}

// attr writes one attribute so that its type can be told: floats have a fraction or an exponent, and what plain JSON
// cannot hold is an object that names its type.
func (e *encoder) attr(op *graph.Op, name string) string {
	switch v := op.Attrs[name].(type) {
	case int64:
		return strconv.FormatInt(v, 10)
	case float32:
		return e.float(v)
	case string:
		return e.text(v)
	case []int64:
		return join(len(v), func(i int) string { return strconv.FormatInt(v[i], 10) })
	case []float32:
		return e.floats(v)
	case []string:
		if len(v) == 0 {
			return `{"strings": []}`
		}
		return e.texts(v)
	case *graph.AttrTensor:
		return e.attrTensor(op, name, v)
	}
	if e.err == nil {
		e.err = fmt.Errorf("attribute %q of op %q has the type %T, which the format cannot hold", name, op.Name, op.Attrs[name])
	}
	return "null"
}

func (e *encoder) float(v float32) string {
	if text, finite := floatText(v); !finite {
		return `{"float": ` + text + `}`
	} else {
		return text
	}
}

func (e *encoder) floats(list []float32) string {
	allFinite := len(list) > 0
	text := join(len(list), func(i int) string {
		text, finite := floatText(list[i])
		allFinite = allFinite && finite
		return text
	})
	if !allFinite {
		return `{"floats": ` + text + `}`
	}
	return text
}

// floatText writes the shortest text that reads back as the same float, and the name of one that JSON has no number
// for. The sign of a NaN is lost.
func floatText(v float32) (text string, finite bool) {
	switch wide := float64(v); {
	case math.IsNaN(wide):
		return `"NaN"`, false
	case math.IsInf(wide, 1):
		return `"Infinity"`, false
	case math.IsInf(wide, -1):
		return `"-Infinity"`, false
	}
	text = strconv.FormatFloat(float64(v), 'g', -1, 32)
	if !strings.ContainsAny(text, ".e") {
		text += ".0"
	}
	return text, true
}

func (e *encoder) attrTensor(op *graph.Op, name string, v *graph.AttrTensor) string {
	content, err := v.Data.Read()
	if err != nil && e.err == nil {
		e.err = fmt.Errorf("attribute %q of op %q: %w", name, op.Name, err)
	}
	var o object
	o.field("dtype", e.text(v.DType.String()))
	o.field("shape", join(len(v.Shape), func(i int) string { return strconv.FormatInt(v.Shape[i], 10) }))
	o.field("data", e.base64(content))
	return `{"tensor": ` + o.close() + `}`
}
