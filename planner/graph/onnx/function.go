package onnx

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Limits of writing functions out: a small file can describe an expansion of any size.
const (
	maxCallDepth = 32
	// maxExpansion is the largest number of nodes, and of names and attributes in them, that all calls together add.
	maxExpansion = 1 << 19
)

// functionKey identifies a function of the model, and the nodes that call it.
type functionKey struct{ domain, name, overload string }

// expander writes the bodies of the model's functions out in place of their calls.
type expander struct {
	im        *importer
	functions map[functionKey]*functionProto
	opset     int64
	values    *namer
	out       []node
	// stack has the functions that are being expanded, outermost first.
	stack []functionKey
	// size is what the expansion added so far, in nodes, names and attributes. It stops above maxExpansion.
	size int
}

// expand returns the nodes of the graph with unique names and without calls of the model's own functions, in the order
// of the file. A value inside a function is called "<call>/<name>", and so is an op.
func (im *importer) expand(m *modelProto) []node {
	opset := versionOf(m.opsets)
	nodes := make([]node, len(m.graph.nodes))
	for i, proto := range m.graph.nodes {
		nodes[i] = node{nodeProto: proto, opset: opset}
	}
	im.opNames.nameOps(nodes, "")
	if len(m.functions) == 0 {
		return nodes
	}
	x := &expander{im: im, functions: map[functionKey]*functionProto{}, opset: opset, values: namesOfValues(m.graph)}
	for i := range m.functions {
		x.define(&m.functions[i])
	}
	x.run(nodes)
	return x.out
}

// namesOfValues returns a namer that has taken the names of all values of the graph.
func namesOfValues(g *graphProto) *namer {
	n := newNamer()
	for _, v := range slices.Concat(g.inputs, g.outputs) {
		n.take(v.name)
	}
	for i := range g.initializers {
		n.take(g.initializers[i].name)
	}
	for i := range g.sparse {
		n.take(g.sparse[i].values.name)
	}
	for i := range g.nodes {
		for _, name := range g.nodes[i].outputs {
			n.take(name)
		}
	}
	return n
}

func (x *expander) define(fn *functionProto) {
	key := functionKey{fn.domain, fn.name, fn.overload}
	if _, twice := x.functions[key]; twice {
		x.im.report(diag.ONNXFunction, "the function %q of domain %q is defined twice. Rename one of the two.", fn.name, fn.domain)
		return
	}
	x.functions[key] = fn
}

func (x *expander) run(nodes []node) {
	for i := range nodes {
		n := &nodes[i]
		key := functionKey{n.domain, n.op, n.overload}
		if fn, ok := x.functions[key]; ok {
			x.call(n, key, fn)
			continue
		}
		x.out = append(x.out, *n)
	}
}

// grow counts the body of fn and reports whether the limit allows it. Passing the limit is reported once.
func (x *expander) grow(fn *functionProto) bool {
	if x.size > maxExpansion {
		return false
	}
	x.size++
	for i := range fn.nodes {
		n := &fn.nodes[i]
		x.size += 1 + len(n.inputs) + len(n.outputs) + len(n.attrs)
	}
	if x.size > maxExpansion {
		x.im.report(diag.ONNXFunction, "writing the model's functions out adds more than %d nodes and names. Export the model with fewer nested functions.", maxExpansion)
		return false
	}
	return true
}

// call writes out the body of fn in place of n. A call that was refused stays, so that its results are defined.
func (x *expander) call(n *node, key functionKey, fn *functionProto) {
	opset, ok := x.allow(n, key, fn)
	if !ok {
		n.refused = true
		x.out = append(x.out, *n)
		return
	}
	x.stack = append(x.stack, key)
	x.run(x.instantiate(n, fn, opset))
	x.stack = x.stack[:len(x.stack)-1]
}

// allow returns the operator set of fn's body, or reports why the call n cannot be written out.
func (x *expander) allow(n *node, key functionKey, fn *functionProto) (int64, bool) {
	if slices.Contains(x.stack, key) || len(x.stack) == maxCallDepth {
		x.im.report(diag.ONNXFunction, "operator %q (%s) calls a function that calls itself or is nested more than %d deep: %s. Functions must be written out, which would not end; change the export.",
			n.name, n.op, maxCallDepth, callChain(x.stack, key))
		return noOpset, false
	}
	opset := versionOf(fn.opsets)
	if opset == noOpset {
		opset = x.opset
	}
	if opset != noOpset && !x.im.checkVersion(opset, "the function "+strings.TrimPrefix(fn.domain+"."+fn.name, ".")) {
		return noOpset, false
	}
	return opset, x.grow(fn)
}

func callChain(stack []functionKey, last functionKey) string {
	names := make([]string, 0, len(stack)+1)
	for _, key := range append(slices.Clone(stack), last) {
		names = append(names, key.name)
	}
	return strings.Join(names, " -> ")
}
