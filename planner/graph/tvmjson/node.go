package tvmjson

import (
	"strconv"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// attr returns the attribute of the name.
func (n *node) attr(name string) (jsontext.Text, bool) {
	for _, a := range n.attrs {
		if a.name == name {
			return a.value, true
		}
	}
	return jsontext.Text{}, false
}

// outputs checks a node by itself and returns the number of its outputs.
func (im *importer) outputs(n *node) int64 {
	if n.name.Value == "" {
		im.Report(n.name.At, diag.TVMValue, "A node has an empty name. Name it.")
	}
	switch n.op.Value {
	case "null":
		if len(n.inputs) > 0 {
			im.Report(n.at, diag.TVMValue, "Node %s has the op \"null\" and inputs. Give it the op \"tvm_op\" or remove its inputs.", jsontext.Quoted(n.name.Value))
		}
		return 1
	case "tvm_op":
		return im.callOutputs(n)
	}
	im.Report(n.op.At, diag.TVMValue, "Node %s has the op %s; a node of TVM's graph executor is \"null\" or \"tvm_op\".%s Correct it.", jsontext.Quoted(n.name.Value), jsontext.Quoted(n.op.Value),
		diag.DidYouMean(n.op.Value, []string{"null", "tvm_op"}))
	return 1
}

// callOutputs checks the attributes of a call.
func (im *importer) callOutputs(n *node) int64 {
	if f, ok := n.attr(AttrFuncName); !ok || f.Value == "" {
		im.missing(n, AttrFuncName)
	}
	if ins, ok := im.count(n, "num_inputs", 0); ok && ins.Value != int64(len(n.inputs)) {
		im.Report(ins.At, diag.TVMLengths, "Node %s has %d inputs, but num_inputs is %d. Write the file again with TVM.", jsontext.Quoted(n.name.Value), len(n.inputs), ins.Value)
	}
	outs, ok := im.count(n, "num_outputs", 1)
	if !ok {
		return 1
	}
	return outs.Value
}

func (im *importer) missing(n *node, name string) {
	im.Report(n.at.Start(), diag.TVMMissing, "Node %s has no attribute %q. Write the file again with TVM.", jsontext.Quoted(n.name.Value), name)
}

// count reads an attribute that is a number of at least least, which TVM writes as a string.
func (im *importer) count(n *node, name string, least int64) (jsontext.Number, bool) {
	t, ok := n.attr(name)
	if !ok {
		im.missing(n, name)
		return jsontext.Number{}, false
	}
	v, err := strconv.ParseInt(t.Value, 10, 64)
	if err != nil || v < least {
		im.Report(t.At, diag.TVMValue, "The attribute %s of node %s is %s; it must be a whole number of %d or more, as a string. Correct it.", name, jsontext.Quoted(n.name.Value), jsontext.Quoted(t.Value), least)
		return jsontext.Number{}, false
	}
	return jsontext.Number{Value: v, At: t.At}, true
}
