package onnx

import "slices"

// scope is what the names in a function's body stand for in one call of it.
type scope struct {
	prefix string
	values map[string]string
	attrs  map[string]attrProto
	fresh  *namer
}

// instantiate returns the nodes of fn's body as they stand in place of the call n.
func (x *expander) instantiate(n *node, fn *functionProto, opset int64) []node {
	s := scope{prefix: n.name + "/", values: map[string]string{}, attrs: map[string]attrProto{}, fresh: x.values}
	for _, attr := range slices.Concat(fn.defaults, n.attrs) {
		s.attrs[attr.name] = attr
	}
	for i, name := range fn.inputs {
		s.values[name] = nameAt(n.inputs, i)
	}
	s.values[""] = ""
	passed := s.bindOutputs(n, fn)
	body := make([]node, 0, len(fn.nodes)+len(passed))
	for i := range fn.nodes {
		body = append(body, node{nodeProto: s.apply(&fn.nodes[i]), opset: opset})
	}
	for _, pass := range passed {
		body = append(body, node{nodeProto: pass, opset: opset})
	}
	x.im.opNames.nameOps(body, s.prefix)
	return body
}

// bindOutputs lets the function's outputs stand for those of the call. An output that is an input of the function, or
// given twice, becomes a copy.
func (s *scope) bindOutputs(n *node, fn *functionProto) []nodeProto {
	var passed []nodeProto
	for i, name := range fn.outputs {
		actual := nameAt(n.outputs, i)
		if actual == "" {
			continue
		}
		if from, bound := s.values[name]; bound {
			passed = append(passed, nodeProto{op: "Identity", inputs: []string{from}, outputs: []string{actual}})
			continue
		}
		s.values[name] = actual
	}
	return passed
}

func nameAt(names []string, i int) string {
	if i < len(names) {
		return names[i]
	}
	return ""
}

// apply returns a copy of a node of the body in which names and parameters are replaced by what they stand for.
func (s *scope) apply(n *nodeProto) nodeProto {
	out := *n
	out.inputs = s.names(n.inputs)
	out.outputs = s.names(n.outputs)
	out.attrs = make([]attrProto, 0, len(n.attrs))
	for _, attr := range n.attrs {
		if attr.ref == "" {
			out.attrs = append(out.attrs, attr)
			continue
		}
		// A parameter that the call leaves out and that has no default leaves the attribute out too.
		if value, given := s.attrs[attr.ref]; given {
			value.name = attr.name
			out.attrs = append(out.attrs, value)
		}
	}
	return out
}

func (s *scope) names(names []string) []string {
	out := make([]string, len(names))
	for i, name := range names {
		actual, ok := s.values[name]
		if !ok {
			actual = s.fresh.unique(s.prefix + name)
			s.values[name] = actual
		}
		out[i] = actual
	}
	return out
}
