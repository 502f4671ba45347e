package native

import (
	"encoding/base64"
	"encoding/json"
	"math"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// readAttrs reads the attributes of an op, whose names are free.
func (r *reader) readAttrs() graph.Attrs {
	attrs := graph.Attrs{}
	r.Object("the attributes", func(name string, _ jsontext.Span) {
		if value := r.readAttr(); value != nil {
			attrs[name] = value
		}
	})
	if len(attrs) == 0 {
		return nil
	}
	return attrs
}

// readAttr reads the value of an attribute; nil after a fault.
func (r *reader) readAttr() graph.Attr {
	t, at := r.Token()
	switch v := t.(type) {
	case string:
		return v
	case json.Number:
		if isFloat(v) {
			return r.float(v.String(), at)
		}
		n, ok := r.ParseInteger("the attribute", v, at)
		if !ok {
			return nil
		}
		return n
	case json.Delim:
		if v == '[' {
			return r.readAttrList(at)
		}
		return r.readTypedAttr(at)
	}
	r.WrongType("an attribute", "a number, a string, a list of one of them, or an object that names its type", t, at)
	return nil
}

// isFloat reports whether a number is written as a fraction: that, and not its value, makes it one.
func isFloat(n json.Number) bool { return strings.ContainsAny(n.String(), ".eE") }

// float parses a float, or one of the names that JSON has no number for.
func (r *reader) float(text string, at jsontext.Span) float32 {
	switch text {
	case "NaN":
		return float32(math.NaN())
	case "Infinity":
		return float32(math.Inf(1))
	case "-Infinity":
		return float32(math.Inf(-1))
	}
	v, err := strconv.ParseFloat(text, 32)
	if err != nil {
		r.Report(at, diag.NativeValue, "%s is not a number that float32 can hold. Write a number, or \"NaN\", \"Infinity\" or "+
			"\"-Infinity\" in a typed attribute.", jsontext.Quoted(text))
	}
	return float32(v)
}

// readAttrList reads the rest of a list: of strings, of whole numbers, or of floats when any of them is one.
func (r *reader) readAttrList(at jsontext.Span) graph.Attr {
	var texts []string
	var numbers []json.Number
	floats, sound := false, true
	at, ok := r.Elements(at, func(int) {
		t, itemAt := r.Token()
		switch v := t.(type) {
		case string:
			texts = append(texts, v)
		case json.Number:
			numbers = append(numbers, v)
			floats = floats || isFloat(v)
		default:
			sound = r.WrongType("an entry of an attribute", "a number or a string", t, itemAt)
		}
	})
	switch {
	case !ok || !sound:
		return nil
	case len(texts) > 0 && len(numbers) > 0:
		r.Report(at, diag.NativeType, "An attribute lists both numbers and strings. Use one type.")
		return nil
	case len(texts) > 0:
		return texts
	case floats:
		return r.floatList(numbers, at)
	}
	return r.integerList(numbers, at)
}

func (r *reader) floatList(numbers []json.Number, at jsontext.Span) graph.Attr {
	list := make([]float32, len(numbers))
	for i, n := range numbers {
		list[i] = r.float(n.String(), at)
	}
	return list
}

func (r *reader) integerList(numbers []json.Number, at jsontext.Span) graph.Attr {
	list := make([]int64, len(numbers))
	for i, n := range numbers {
		var ok bool
		if list[i], ok = r.ParseInteger("the attribute", n, at); !ok {
			return nil
		}
	}
	return list
}

// readTypedAttr reads the rest of an object that names the type of its value: what plain JSON cannot tell apart.
func (r *reader) readTypedAttr(at jsontext.Span) graph.Attr {
	var value graph.Attr
	known := map[string]func(){
		"float":   func() { value = r.typedFloat() },
		"floats":  func() { value = r.typedFloats() },
		"strings": func() { value = r.typedStrings() },
		"tensor":  func() { value = r.attrTensor() },
	}
	count := 0
	at, ok := r.Fields("the attribute", at, func(name string, keyAt jsontext.Span) {
		count++
		read, ok := known[name]
		if !ok {
			names := []string{"float", "floats", "strings", "tensor"}
			r.Report(keyAt, diag.NativeUnknownField, "Type %s of an attribute is not known; the types are %s.%s Rename it.",
				jsontext.Quoted(name), strings.Join(names, ", "), diag.DidYouMean(name, names))
			r.Skip()
			return
		}
		read()
	})
	if count != 1 && ok {
		r.Report(at, diag.NativeType, "A typed attribute has %d fields. Give it exactly one.", count)
		return nil
	}
	return value
}

// floatToken reads a number of any spelling, or the name of one.
func (r *reader) floatToken() float32 {
	t, at := r.Token()
	switch v := t.(type) {
	case json.Number:
		return r.float(v.String(), at)
	case string:
		return r.float(v, at)
	}
	r.WrongType("a float", "a number", t, at)
	return 0
}

func (r *reader) typedFloat() graph.Attr { return r.floatToken() }

func (r *reader) typedFloats() graph.Attr {
	list := []float32{}
	r.Array("the list of floats", func(int) { list = append(list, r.floatToken()) })
	return list
}

func (r *reader) typedStrings() graph.Attr {
	list := []string{}
	for _, n := range r.names("the list of strings", false) {
		list = append(list, n.Value)
	}
	return list
}

func (r *reader) attrTensor() graph.Attr {
	var d tensorDef
	at, ok := r.object("the tensor attribute", []fieldRule{
		{"dtype", true, func(r *reader) { d.dtype = r.name("the dtype") }},
		{"shape", true, func(r *reader) { r.readShape(&d) }},
		{"data", true, func(r *reader) { d.data = r.name("the data") }},
	})
	if !ok || !d.dtype.Given() || !d.data.Given() || d.shape == nil {
		return nil
	}
	dtype := r.dtype(d.dtype)
	content, ok := r.inline(d.data, at, "a tensor attribute", d.shape, dtype)
	if !ok {
		return nil
	}
	return &graph.AttrTensor{DType: dtype, Shape: d.shape, Data: graph.Bytes(content)}
}

// dtype parses an element type.
func (r *reader) dtype(n name) graph.DType {
	dtype, ok := graph.ParseDType(n.Value)
	if !ok {
		r.Report(n.At, diag.NativeValue, "%s is not a dtype; the dtypes are %s.%s Correct it.", jsontext.Quoted(n.Value),
			strings.Join(graph.DTypeNames(), ", "), diag.DidYouMean(n.Value, graph.DTypeNames()))
	}
	return dtype
}

// inline decodes base64 content, which must have the bytes that shape and dtype need.
func (r *reader) inline(data name, at jsontext.Span, what string, shape graph.Shape, dtype graph.DType) ([]byte, bool) {
	content, err := base64.StdEncoding.DecodeString(data.Value)
	if err != nil {
		r.Report(data.At, diag.NativeData, "The data of %s is not base64: %v. Write its bytes in standard base64 with padding.", what, err)
		return nil, false
	}
	if dtype == graph.InvalidDType {
		return nil, false
	}
	return content, r.fits(data.At, what, int64(len(content)), shape, dtype)
}

// fits reports content of another number of bytes than shape and dtype need.
func (r *reader) fits(at jsontext.Span, what string, size int64, shape graph.Shape, dtype graph.DType) bool {
	want, ok := shape.Bytes(dtype)
	if !ok {
		r.Report(at, diag.NativeData, "The bytes of %s with shape %s cannot be counted. Give every axis a size.", what, shape)
		return false
	}
	if size != want {
		r.Report(at, diag.NativeData, "The content of %s has %d bytes, but shape %s of %s needs %d. Correct one of them.",
			what, size, shape, dtype, want)
		return false
	}
	return true
}
