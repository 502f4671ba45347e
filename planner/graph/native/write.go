package native

import (
	"bufio"
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/memplan/memplan/planner/graph"
)

// FormatVersion is the version that Write writes.
const FormatVersion = "1.0"

// InlineLimit is the number of bytes up to which the content of a constant is written. Of a larger one the size and a digest
// stay, by which equal ones are known: weights belong into files of their own.
const InlineLimit = 1 << 10

// Write writes the graph as a native graph file: fields in a fixed order, what has its default value left out, one
// line for each tensor and op. It fails on a graph that the format cannot hold, such as one with names that are not
// UTF-8, and when a constant cannot be read. It costs O(graph) and
// reads all constants.
func Write(w io.Writer, g *graph.Graph) error {
	if err := g.Validate(); err != nil {
		return err
	}
	e := &encoder{g: g, producer: g.Producers(), w: bufio.NewWriter(w)}
	e.line("{")
	e.line("  %s: %s,", e.text("format_version"), e.text(FormatVersion))
	e.line("  %s: %s,", e.text("name"), e.text(g.Name))
	e.interfaceList("inputs", g.Inputs, graph.Input)
	e.interfaceList("outputs", g.Outputs, graph.Output)
	e.list("tensors", len(g.Tensors), e.tensor, ",")
	e.list("ops", len(g.Ops), e.op, "")
	e.line("}")
	if e.err != nil {
		return fmt.Errorf("writing graph %q: %w", g.Name, e.err)
	}
	if err := e.w.Flush(); err != nil {
		return fmt.Errorf("writing graph %q: %w", g.Name, err)
	}
	return nil
}

// encoder writes a graph. The first error sticks.
type encoder struct {
	g        *graph.Graph
	producer []int
	w        *bufio.Writer
	err      error
}

func (e *encoder) line(format string, args ...any) {
	if _, err := fmt.Fprintf(e.w, format+"\n", args...); err != nil && e.err == nil {
		e.err = err
	}
}

// list writes an array with one line for each entry.
func (e *encoder) list(name string, n int, entry func(i int) string, behind string) {
	if n == 0 {
		e.line("  %s: []%s", e.text(name), behind)
		return
	}
	e.line("  %s: [", e.text(name))
	for i := range n {
		comma := ","
		if i == n-1 {
			comma = ""
		}
		e.line("    %s%s", entry(i), comma)
	}
	e.line("  ]%s", behind)
}

// interfaceList writes the graph's inputs or outputs unless the roles say the same.
func (e *encoder) interfaceList(name string, ids []graph.TensorID, role graph.Role) {
	if slices.Equal(ids, byRole(e.g, role)) {
		return
	}
	e.line("  %s: %s,", e.text(name), e.operands(ids))
}

// object is a JSON object on one line.
type object struct{ bytes.Buffer }

func (o *object) field(name, value string) {
	if o.Len() > 0 {
		o.WriteString(", ")
	}
	fmt.Fprintf(o, "%q: %s", name, value)
}

func (o *object) close() string { return "{" + o.String() + "}" }

func (e *encoder) tensor(i int) string {
	t := &e.g.Tensors[i]
	var o object
	o.field("name", e.text(t.Name))
	if t.Role != graph.Activation || e.producer[i] < 0 {
		o.field("role", e.text(string(t.Role)))
	}
	if t.DType != graph.InvalidDType {
		o.field("dtype", e.text(t.DType.String()))
	}
	if t.Shape != nil {
		o.field("shape", e.shape(t))
	}
	if t.Layout != "" {
		o.field("layout", e.text(t.Layout))
	}
	if t.UpperBound {
		o.field("upper_bound", "true")
	}
	if t.Given != nil {
		o.field("interval", e.interval(t.Given))
	}
	if t.Data != nil {
		e.content(t, &o)
	}
	return o.close()
}

// shape writes open axes by name, and as -1 when they have none.
func (e *encoder) shape(t *graph.Tensor) string {
	return join(len(t.Shape), func(i int) string {
		if t.Shape[i] < 0 && i < len(t.Symbols) && t.Symbols[i] != "" {
			return e.text(t.Symbols[i])
		}
		return strconv.FormatInt(max(t.Shape[i], graph.Unknown), 10)
	})
}

func (e *encoder) interval(g *graph.Given) string {
	var o object
	o.field("lower", strconv.FormatInt(g.First, 10))
	o.field("upper", strconv.FormatInt(g.Last, 10))
	if g.Alignment != 0 {
		o.field("alignment", strconv.FormatInt(g.Alignment, 10))
	}
	if g.Pool != "" {
		o.field("pool", e.text(g.Pool))
	}
	return o.close()
}

// content writes the content of a constant, or what there is of it.
func (e *encoder) content(t *graph.Tensor, o *object) {
	if !graph.HasContent(t.Data) {
		if digest := graph.DigestOf(t.Data); digest != "" {
			o.field("digest", e.text(digest))
		}
		return
	}
	content, err := t.Data.Read()
	switch {
	case err != nil && e.err == nil:
		e.err = fmt.Errorf("constant %q: %w", t.Name, err)
	case len(content) > InlineLimit:
		o.field("digest", e.text(digestOf(content)))
	default:
		o.field("data", e.base64(content))
	}
}

func (e *encoder) op(i int) string {
	op := &e.g.Ops[i]
	var o object
	o.field("name", e.text(op.Name))
	o.field("op", e.text(op.Op))
	if op.Domain != "" {
		o.field("domain", e.text(op.Domain))
	}
	o.field("inputs", e.operands(op.Inputs))
	o.field("outputs", e.operands(op.Outputs))
	if len(op.Attrs) > 0 {
		o.field("attrs", e.attrs(op))
	}
	if len(op.Fused) > 0 {
		o.field("fused", e.texts(op.Fused))
	}
	if len(op.Scratch) > 0 {
		o.field("scratch", join(len(op.Scratch), func(k int) string {
			var s object
			s.field("name", e.text(op.Scratch[k].Name))
			s.field("bytes", strconv.FormatInt(op.Scratch[k].Bytes, 10))
			return s.close()
		}))
	}
	return o.close()
}

// operands writes tensors by name, an absent one as null.
func (e *encoder) operands(ids []graph.TensorID) string {
	return join(len(ids), func(i int) string {
		if ids[i] == graph.NoTensor {
			return "null"
		}
		return e.text(e.g.Tensors[ids[i]].Name)
	})
}

func (e *encoder) texts(list []string) string {
	return join(len(list), func(i int) string { return e.text(list[i]) })
}

func (e *encoder) base64(content []byte) string {
	return `"` + base64.StdEncoding.EncodeToString(content) + `"`
}

// text writes a string as JSON, with <, > and & as they are.
func (e *encoder) text(s string) string {
	if !utf8.ValidString(s) && e.err == nil {
		e.err = fmt.Errorf("the text %q is not UTF-8, which JSON cannot hold", s)
	}
	var out bytes.Buffer
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil && e.err == nil {
		e.err = err
	}
	return string(bytes.TrimSuffix(out.Bytes(), []byte("\n")))
}

// join writes a list on one line.
func join(n int, item func(i int) string) string {
	var out bytes.Buffer
	out.WriteByte('[')
	for i := range n {
		if i > 0 {
			out.WriteString(", ")
		}
		out.WriteString(item(i))
	}
	out.WriteByte(']')
	return out.String()
}
