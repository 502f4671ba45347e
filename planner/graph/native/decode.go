package native

import (
	"encoding/json"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// name is a text of the file that names something. The zero name stands for one that is absent.
type name = jsontext.Text

// fileDef is the file as it was written, before names are looked up.
type fileDef struct {
	version, name   name
	tensors         []tensorDef
	ops             []opDef
	inputs, outputs *[]name
}

type tensorDef struct {
	at                        jsontext.Span
	name, role, dtype, layout name
	data, file, digest        name
	shape                     graph.Shape
	symbols                   []string
	shapeAt                   jsontext.Span
	upperBound                bool
	interval                  *graph.Given
}

type opDef struct {
	at               jsontext.Span
	name, op, domain name
	inputs, outputs  []name
	attrs            graph.Attrs
	fused            []name
	scratch          []graph.ScratchBuffer
}

// readFile reads the whole file.
func (r *reader) readFile() *fileDef {
	d := &fileDef{}
	r.object("the graph", []fieldRule{
		{"format_version", true, func(r *reader) { d.version = r.name("the format version") }},
		{"name", false, func(r *reader) { d.name = r.name("the graph's name") }},
		{"inputs", false, func(r *reader) { list := r.names("the list of inputs", false); d.inputs = &list }},
		{"outputs", false, func(r *reader) { list := r.names("the list of outputs", false); d.outputs = &list }},
		{"tensors", true, func(r *reader) {
			r.Array("the list of tensors", func(int) { d.tensors = append(d.tensors, r.readTensor()) })
		}},
		{"ops", false, func(r *reader) {
			r.Array("the list of ops", func(int) { d.ops = append(d.ops, r.readOp()) })
		}},
	})
	r.End()
	return d
}

func (r *reader) readTensor() tensorDef {
	var d tensorDef
	d.at, _ = r.object("the tensor", []fieldRule{
		{"name", true, func(r *reader) { d.name = r.name("the tensor's name") }},
		{"role", false, func(r *reader) { d.role = r.name("the role") }},
		{"dtype", false, func(r *reader) { d.dtype = r.name("the dtype") }},
		{"shape", false, func(r *reader) { r.readShape(&d) }},
		{"layout", false, func(r *reader) { d.layout = r.name("the layout") }},
		{"data", false, func(r *reader) { d.data = r.name("the data") }},
		{"file", false, func(r *reader) { d.file = r.name("the file") }},
		{"digest", false, func(r *reader) { d.digest = r.name("the digest") }},
		{"upper_bound", false, func(r *reader) { d.upperBound = r.Flag("upper_bound") }},
		{"interval", false, func(r *reader) { d.interval = r.readInterval() }},
	})
	return d
}

// readShape reads the axes, outermost first: a size, -1 for an unknown one, or the name of an open dimension.
func (r *reader) readShape(d *tensorDef) {
	shape := graph.Shape{}
	var symbols []string
	named := false
	at, ok := r.Array("the shape", func(int) {
		size, symbol := r.readAxis()
		shape, symbols = append(shape, size), append(symbols, symbol)
		named = named || symbol != ""
	})
	if !ok {
		return
	}
	d.shape, d.shapeAt = shape, at
	if named {
		d.symbols = symbols
	}
}

func (r *reader) readAxis() (int64, string) {
	t, at := r.Token()
	switch v := t.(type) {
	case string:
		if v == "" {
			r.Report(at, diag.NativeValue, "An open axis has an empty name. Name the dimension, or write -1.")
		}
		return graph.Unknown, v
	case json.Number:
		n, ok := r.ParseInteger("the axis", v, at)
		if ok && n < graph.Unknown {
			r.Report(at, diag.NativeValue, "An axis has %d elements. Write 0 or more, -1 for an unknown size, or the name of a dimension.", n)
		}
		return max(n, graph.Unknown), ""
	}
	r.WrongType("the axis", "a whole number or the name of a dimension", t, at)
	return graph.Unknown, ""
}

func (r *reader) readInterval() *graph.Given {
	g := &graph.Given{}
	var alignment jsontext.Number
	at, ok := r.object("the interval", []fieldRule{
		{"lower", true, func(r *reader) { g.First = r.number("lower") }},
		{"upper", true, func(r *reader) { g.Last = r.number("upper") }},
		{"alignment", false, func(r *reader) { alignment, _ = r.Integer("the alignment") }},
		{"pool", false, func(r *reader) { g.Pool = r.name("the pool").Value }},
	})
	if ok && g.First >= g.Last || g.First < 0 && g.Last > g.First+1<<62 {
		r.Report(at, diag.NativeValue, "The interval from %d to %d is empty or too long. Correct its lower or upper time.", g.First, g.Last)
	}
	if g.Alignment = alignment.Value; g.Alignment < 0 {
		r.Report(alignment.At, diag.NativeValue, "The alignment is %d. Give it 1 or more, or leave it out.", g.Alignment)
	}
	return g
}

func (r *reader) readOp() opDef {
	var d opDef
	d.at, _ = r.object("the op", []fieldRule{
		{"name", true, func(r *reader) { d.name = r.name("the op's name") }},
		{"op", true, func(r *reader) { d.op = r.name("the operator") }},
		{"domain", false, func(r *reader) { d.domain = r.name("the domain") }},
		{"inputs", true, func(r *reader) { d.inputs = r.names("the list of inputs", true) }},
		{"outputs", true, func(r *reader) { d.outputs = r.names("the list of outputs", true) }},
		{"attrs", false, func(r *reader) { d.attrs = r.readAttrs() }},
		{"fused", false, func(r *reader) { d.fused = r.names("the list of fused ops", false) }},
		{"scratch", false, func(r *reader) {
			r.Array("the list of scratch buffers", func(int) { d.scratch = append(d.scratch, r.readScratch()) })
		}},
	})
	return d
}

func (r *reader) readScratch() graph.ScratchBuffer {
	var s graph.ScratchBuffer
	r.object("the scratch buffer", []fieldRule{
		{"name", true, func(r *reader) { s.Name = r.name("the scratch buffer's name").Value }},
		{"bytes", true, func(r *reader) {
			n, _ := r.Integer("the number of bytes")
			if n.Value < 0 {
				r.Report(n.At, diag.NativeValue, "A scratch buffer has %d bytes. Give it 0 or more.", n.Value)
			}
			s.Bytes = max(n.Value, 0)
		}},
	})
	return s
}

// name reads a string with its place.
func (r *reader) name(what string) name {
	text, ok := r.Text(what)
	if !ok {
		return name{}
	}
	return text
}

// number reads a whole number, 0 when it is none.
func (r *reader) number(what string) int64 {
	n, _ := r.Integer(what)
	return n.Value
}

// names reads a list of strings. Where absent ones are allowed, null and "" stand for them.
func (r *reader) names(what string, absent bool) []name {
	list := []name{}
	r.Array(what, func(int) {
		t, at := r.Token()
		text, ok := t.(string)
		if _, isNull := t.(jsontext.Null); isNull && absent {
			ok = true
		}
		if !ok {
			r.WrongType("an entry of "+what, "a string", t, at)
			return
		}
		list = append(list, name{Value: text, At: at})
	})
	return list
}
