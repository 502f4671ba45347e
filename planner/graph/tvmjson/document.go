package tvmjson

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// document is the file as it was written, before references are followed. An entry is one output of one node; the
// tensors' properties are lists by entry.
type document struct {
	nodes  []node
	args   []jsontext.Number
	heads  []reference
	rowPtr list[jsontext.Number]
	shapes list[graph.Shape]
	dtypes list[jsontext.Text]
	scopes list[jsontext.Text]
	// unread are the other lists by entry that TVM gives a meaning: only their lengths matter here.
	unread []list[jsontext.Number]
}

// list is a list of the file with its place; it is absent when it has none.
type list[T any] struct {
	name  string
	items []T
	at    jsontext.Span
}

func (l *list[T]) given() bool { return l.at != jsontext.Span{} }

// node is a tensor from outside ("null") or a call of a function ("tvm_op").
type node struct {
	at       jsontext.Span
	op, name jsontext.Text
	inputs   []reference
	// attrs are the string attributes in the order of the file; hasAttrs says that there is such an object.
	attrs    []attribute
	hasAttrs bool
}

type attribute struct {
	name  string
	value jsontext.Text
}

// reference is an output of a node.
type reference struct {
	node, index int64
	at          jsontext.Span
}

// stranger returns the first node of another operator in a file without any call of a function, nil when there is none.
// Other graphs of TVM's kin have the same form.
func (d *document) stranger() *node {
	var found *node
	for i := range d.nodes {
		switch n := &d.nodes[i]; {
		case n.op.Value == "tvm_op":
			return nil
		case found == nil && n.op.Value != "null" && n.op.Value != "":
			found = n
		}
	}
	return found
}

// read reads the whole file.
func (r *reader) read() *document {
	d := &document{}
	seen := map[string]bool{}
	at, ok := r.Object("the graph", func(name string, _ jsontext.Span) {
		seen[name] = true
		switch name {
		case "nodes":
			r.Array("the list of nodes", func(int) { d.nodes = append(d.nodes, r.node()) })
		case "arg_nodes":
			r.Array("arg_nodes", func(int) {
				if n, ok := r.Integer("an entry of arg_nodes"); ok {
					d.args = append(d.args, n)
				}
			})
		case "heads":
			r.Array("heads", func(int) { d.heads = r.reference("an entry of heads", d.heads) })
		case "node_row_ptr":
			d.rowPtr.at, _ = r.Array("node_row_ptr", func(int) { d.rowPtr.items = r.appendInteger("an entry of node_row_ptr", d.rowPtr.items) })
		case "attrs":
			r.entryLists(d)
		default:
			r.Skip()
		}
	})
	r.End()
	if !ok {
		return d
	}
	for _, name := range []string{"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"} {
		if !seen[name] {
			r.Report(at.Start(), diag.TVMMissing, "The graph has no field %q. Write the file again with TVM.", name)
		}
	}
	return d
}

func (r *reader) appendInteger(what string, to []jsontext.Number) []jsontext.Number {
	n, _ := r.Integer(what)
	return append(to, n)
}

func (r *reader) node() node {
	var n node
	hasInputs := false
	at, ok := r.Object("a node", func(name string, _ jsontext.Span) {
		switch name {
		case "op":
			n.op, _ = r.Text("the op of a node")
		case "name":
			n.name, _ = r.Text("the name of a node")
		case "inputs":
			hasInputs = true
			r.Array("the list of inputs", func(int) { n.inputs = r.reference("an input", n.inputs) })
		case "attrs":
			n.hasAttrs = true
			r.nodeAttrs(&n)
		default:
			r.Skip()
		}
	})
	n.at = at
	if !ok {
		return n
	}
	for _, field := range []struct {
		name  string
		given bool
	}{{"op", n.op.Given()}, {"name", n.name.Given()}, {"inputs", hasInputs}} {
		if !field.given {
			r.Report(at.Start(), diag.TVMMissing, "A node, %s, has no field %q. Write the file again with TVM.", jsontext.Quoted(n.name.Value), field.name)
		}
	}
	return n
}

// nodeAttrs reads the attributes of a node. TVM writes strings only; what is none has no meaning to it.
func (r *reader) nodeAttrs(n *node) {
	r.Object("the attributes of a node", func(name string, _ jsontext.Span) {
		t, at := r.Token()
		if s, ok := t.(string); ok {
			n.attrs = append(n.attrs, attribute{name, jsontext.Text{Value: s, At: at}})
			return
		}
		r.SkipRest(t, at)
	})
}

// reference reads [node, index] or [node, index, version] and appends it. The version is always 0.
func (r *reader) reference(what string, to []reference) []reference {
	var parts [3]int64
	count, sound := 0, true
	at, ok := r.Array(what, func(i int) {
		n, ok := r.Integer("a part of " + what)
		if i < len(parts) {
			parts[i] = n.Value
		}
		count, sound = i+1, sound && ok
	})
	if ok && (count < 2 || count > 3) {
		r.Report(at, diag.TVMValue, "%s has %d numbers. Give it a node, an output of it and a version.", jsontext.Capital(what), count)
		sound = false
	}
	if !ok || !sound {
		parts[0] = unusable
	}
	return append(to, reference{node: parts[0], index: parts[1], at: at})
}

// unusable is the node of a reference whose fault was reported.
const unusable = math.MinInt64
