package tvmjson

import (
	"strconv"

	"github.com/memplan/memplan/lang/diag"
)

// attr returns the attribute of the name.
func (n *node) attr(name string) (text, bool) {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return text{}, false
}

// outputs checks a node by itself and returns the number of its outputs.
func (im *importer) outputs(n *node) int64 {
	if n.name.value == "" {
		im.report(n.name.at, diag.TVMValue, "A node has an empty name. Name it.")
	}
	switch n.op.value {
	case "null":
		if len(n.inputs) > 0 {
			im.report(n.at, diag.TVMValue, "Node %s has the op \"null\" and inputs. Give it the op \"tvm_op\" or remove its inputs.", quoted(n.name.value))
		}
		return 1
	case "tvm_op":
		return im.callOutputs(n)
	}
	im.report(n.op.at, diag.TVMValue, "Node %s has the op %s; a node of TVM's graph executor is \"null\" or \"tvm_op\".%s Correct it.", quoted(n.name.value), quoted(n.op.value),
		diag.DidYouMean(n.op.value, []string{"null", "tvm_op"}))
	return 1
}

// callOutputs checks the attributes of a call.
func (im *importer) callOutputs(n *node) int64 {
	if f, ok := n.attr(AttrFuncName); !ok || f.value == "" {
		im.missing(n, AttrFuncName)
	}
	if ins, ok := im.count(n, "num_inputs", 0); ok && ins.value != int64(len(n.inputs)) {
		im.report(ins.at, diag.TVMLengths, "Node %s has %d inputs, but num_inputs is %d. Write the file again with TVM.", quoted(n.name.value), len(n.inputs), ins.value)
	}
	outs, ok := im.count(n, "num_outputs", 1)
	if !ok {
		return 1
	}
	return outs.value
}

func (im *importer) missing(n *node, name string) {
	im.report(span{n.at.from, n.at.from + 1}, diag.TVMMissing, "Node %s has no attribute %q. Write the file again with TVM.", quoted(n.name.value), name)
}

// count reads an attribute that is a number of at least least, which TVM writes as a string.
func (im *importer) count(n *node, name string, least int64) (number, bool) {
	t, ok := n.attr(name)
	if !ok {
		im.missing(n, name)
		return number{}, false
	}
	v, err := strconv.ParseInt(t.value, 10, 64)
	if err != nil || v < least {
		im.report(t.at, diag.TVMValue, "The attribute %s of node %s is %s; it must be a whole number of %d or more, as a string. Correct it.", name, quoted(n.name.value), quoted(t.value), least)
		return number{}, false
	}
	return number{v, t.at}, true
}
