package export

import (
	"bytes"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// tvmText is the JSON text of a graph file. The first error sticks.
type tvmText struct {
	bytes.Buffer
	err error
}

// write writes the file: fields in the order of TVM's own, attributes by name, a node a line and a list a line.
func (b *tvmBuilder) write(w io.Writer) error {
	dtypes, err := b.dtypes()
	if err != nil {
		return err
	}
	t := &tvmText{}
	t.WriteString("{\n  \"nodes\": [")
	for i := range b.nodes {
		t.separate(i, "\n    ")
		t.node(&b.nodes[i])
	}
	t.WriteString("\n  ],\n  \"arg_nodes\": ")
	t.list(len(b.args), func(i int) { t.integer(int64(b.args[i])) })
	t.WriteString(",\n  \"heads\": ")
	t.list(len(b.heads), func(i int) { t.reference(b.heads[i]) })
	t.WriteString(",\n  \"attrs\": {")
	b.writeLists(t, dtypes)
	t.WriteString("\n  },\n  \"node_row_ptr\": ")
	row := 0
	t.list(len(b.nodes)+1, func(i int) {
		t.integer(int64(row))
		if i < len(b.nodes) {
			row += b.nodes[i].outputs
		}
	})
	t.WriteString("\n}\n")
	if t.err != nil {
		return t.err
	}
	_, err = t.WriteTo(w)
	return err
}

// writeLists writes what is listed by entry.
func (b *tvmBuilder) writeLists(t *tvmText, dtypes []string) {
	count := 0
	list := func(name, kind string, item func(i int)) {
		t.separate(count, "\n    ")
		count++
		fmt.Fprintf(t, "%q: [%q, ", name, kind)
		t.list(len(b.entries), item)
		t.WriteByte(']')
	}
	if devices := b.devices(); devices != nil {
		list("device_index", "list_int", func(i int) { t.integer(devices[i]) })
	}
	list("dltype", "list_str", func(i int) { t.text(dtypes[i]) })
	if !b.opts.NoOffset {
		list("offset", "list_int", func(i int) { t.integer(b.entries[i].offset) })
	}
	list("shape", "list_shape", func(i int) {
		shape := tvmShape(b.entries[i].row)
		t.list(len(shape), func(k int) { t.integer(shape[k]) })
	})
	list("storage_id", "list_int", func(i int) { t.integer(int64(b.entries[i].storage)) })
	if scopes := b.scopes(); scopes != nil {
		list("storage_scope", "list_str", func(i int) { t.text(scopes[i]) })
	}
}

func (t *tvmText) node(n *tvmNode) {
	op := "tvm_op"
	if n.function == "" {
		op = "null"
	}
	fmt.Fprintf(t, `{"op": %q, "name": `, op)
	t.text(n.name)
	if n.function != "" {
		t.WriteString(`, "attrs": `)
		t.attrs(n)
	}
	t.WriteString(`, "inputs": `)
	t.list(len(n.inputs), func(i int) { t.reference(n.inputs[i]) })
	t.WriteByte('}')
}

func (t *tvmText) attrs(n *tvmNode) {
	attrs := maps.Clone(n.attrs)
	attrs["func_name"] = n.function
	attrs["num_inputs"] = strconv.Itoa(len(n.inputs))
	attrs["num_outputs"] = strconv.Itoa(n.outputs)
	t.WriteByte('{')
	for i, name := range slices.Sorted(maps.Keys(attrs)) {
		t.separate(i, " ")
		t.text(name)
		t.WriteString(": ")
		t.text(attrs[name])
	}
	t.WriteByte('}')
}

// reference writes a node, an output of it and a version, which is always 0.
func (t *tvmText) reference(ref tvmRef) {
	fmt.Fprintf(t, "[%d, %d, 0]", ref.node, ref.index)
}

// separate writes what stands before item i of a list: a comma unless it is the first, and white space. A space before
// the first is left out.
func (t *tvmText) separate(i int, space string) {
	if i > 0 {
		t.WriteByte(',')
	} else if space == " " {
		return
	}
	t.WriteString(space)
}

func (t *tvmText) list(n int, item func(i int)) {
	t.WriteByte('[')
	for i := range n {
		t.separate(i, " ")
		item(i)
	}
	t.WriteByte(']')
}

func (t *tvmText) integer(n int64) { t.WriteString(strconv.FormatInt(n, 10)) }

// escapes are all that TVM's JSON reader understands.
var escapes = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", `\r`, "\t", `\t`)

// text writes a string as TVM's JSON reader takes it.
func (t *tvmText) text(s string) {
	control := func(r rune) bool { return r < ' ' && r != '\n' && r != '\r' && r != '\t' }
	if t.err == nil && (!utf8.ValidString(s) || strings.ContainsFunc(s, control)) {
		t.err = fmt.Errorf("the name %q is not UTF-8 or has a control character, which TVM's reader cannot take", s)
	}
	t.WriteByte('"')
	escapes.WriteString(t, s)
	t.WriteByte('"')
}
