package tvmjson

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// document is the file as it was written, before references are followed. An entry is one output of one node; the
// tensors' properties are lists by entry.
type document struct {
	nodes  []node
	args   []number
	heads  []reference
	rowPtr list[number]
	shapes list[graph.Shape]
	dtypes list[text]
	scopes list[text]
	// unread are the other lists by entry that TVM gives a meaning: only their lengths matter here.
	unread []list[number]
}

// list is a list of the file with its place; it is absent when it has none.
type list[T any] struct {
	name  string
	items []T
	at    span
}

func (l *list[T]) given() bool { return l.at != span{} }

// node is a tensor from outside ("null") or a call of a function ("tvm_op").
type node struct {
	at       span
	op, name text
	inputs   []reference
	// attrs are the string attributes in the order of the file; hasAttrs says that there is such an object.
	attrs    []attribute
	hasAttrs bool
}

type attribute struct {
	name  string
	value text
}

// reference is an output of a node.
type reference struct {
	node, index int64
	at          span
}

// stranger returns the first node of another operator in a file without any call of a function, nil when there is none.
// Other graphs of TVM's kin have the same form.
func (d *document) stranger() *node {
	var found *node
	for i := range d.nodes {
		switch n := &d.nodes[i]; {
		case n.op.value == "tvm_op":
			return nil
		case found == nil && n.op.value != "null" && n.op.value != "":
			found = n
		}
	}
	return found
}

// read reads the whole file.
func (r *reader) read() *document {
	d := &document{}
	seen := map[string]bool{}
	at, ok := r.object("the graph", func(name string, _ span) {
		seen[name] = true
		switch name {
		case "nodes":
			r.array("the list of nodes", func(int) { d.nodes = append(d.nodes, r.node()) })
		case "arg_nodes":
			r.array("arg_nodes", func(int) {
				if n, ok := r.integer("an entry of arg_nodes"); ok {
					d.args = append(d.args, n)
				}
			})
		case "heads":
			r.array("heads", func(int) { d.heads = r.reference("an entry of heads", d.heads) })
		case "node_row_ptr":
			d.rowPtr.at, _ = r.array("node_row_ptr", func(int) { d.rowPtr.items = r.appendInteger("an entry of node_row_ptr", d.rowPtr.items) })
		case "attrs":
			r.entryLists(d)
		default:
			r.skip()
		}
	})
	r.finishText()
	if !ok {
		return d
	}
	for _, name := range []string{"nodes", "arg_nodes", "heads", "node_row_ptr", "attrs"} {
		if !seen[name] {
			r.report(span{at.from, at.from + 1}, diag.TVMMissing, "The graph has no field %q. Write the file again with TVM.", name)
		}
	}
	return d
}

func (r *reader) appendInteger(what string, to []number) []number {
	n, _ := r.integer(what)
	return append(to, n)
}

func (r *reader) node() node {
	var n node
	hasInputs := false
	at, ok := r.object("a node", func(name string, _ span) {
		switch name {
		case "op":
			n.op, _ = r.text("the op of a node")
		case "name":
			n.name, _ = r.text("the name of a node")
		case "inputs":
			hasInputs = true
			r.array("the list of inputs", func(int) { n.inputs = r.reference("an input", n.inputs) })
		case "attrs":
			n.hasAttrs = true
			r.nodeAttrs(&n)
		default:
			r.skip()
		}
	})
	n.at = at
	if !ok {
		return n
	}
	for _, field := range []struct {
		name  string
		given bool
	}{{"op", n.op.at != span{}}, {"name", n.name.at != span{}}, {"inputs", hasInputs}} {
		if !field.given {
			r.report(span{at.from, at.from + 1}, diag.TVMMissing, "A node, %s, has no field %q. Write the file again with TVM.", quoted(n.name.value), field.name)
		}
	}
	return n
}

// nodeAttrs reads the attributes of a node. TVM writes strings only; what is none has no meaning to it.
func (r *reader) nodeAttrs(n *node) {
	r.object("the attributes of a node", func(name string, _ span) {
		t, at := r.token()
		if s, ok := t.(string); ok {
			n.attrs = append(n.attrs, attribute{name, text{s, at}})
			return
		}
		r.skipRest(t, at)
	})
}

// reference reads [node, index] or [node, index, version] and appends it. The version is always 0.
func (r *reader) reference(what string, to []reference) []reference {
	var parts [3]int64
	count, sound := 0, true
	at, ok := r.array(what, func(i int) {
		n, ok := r.integer("a part of " + what)
		if i < len(parts) {
			parts[i] = n.value
		}
		count, sound = i+1, sound && ok
	})
	if ok && (count < 2 || count > 3) {
		r.report(at, diag.TVMValue, "%s has %d numbers. Give it a node, an output of it and a version.", capital(what), count)
		sound = false
	}
	if !ok || !sound {
		parts[0] = unusable
	}
	return append(to, reference{node: parts[0], index: parts[1], at: at})
}

// unusable is the node of a reference whose fault was reported.
const unusable = math.MinInt64
