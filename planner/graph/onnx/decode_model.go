package onnx

import (
	"errors"

	"google.golang.org/protobuf/encoding/protowire"
)

// opsetProto is an OperatorSetIdProto: the version of a domain that the nodes are written for.
type opsetProto struct {
	domain  string
	version int64
}

// modelProto is a ModelProto, without what planning does not need: metadata, training, documentation.
type modelProto struct {
	irVersion int64
	opsets    []opsetProto
	graph     *graphProto
	functions []functionProto
}

// functionProto is a FunctionProto: a named body that stands for calls of it.
type functionProto struct {
	domain, name, overload string
	inputs, outputs        []string
	// attrs name the parameters without a default, defaults are those with one.
	attrs    []string
	defaults []attrProto
	nodes    []nodeProto
	opsets   []opsetProto
}

// decodeModel reads a model. The result is what was read until the error, so that the caller can tell a damaged model
// from another kind of file.
func decodeModel(msg []byte) (*modelProto, error) {
	m := &modelProto{}
	err := eachField(msg, func(f field) error {
		switch {
		case f.is(1, protowire.VarintType):
			m.irVersion = int64(f.number)
		case f.is(7, protowire.BytesType):
			if m.graph == nil {
				m.graph = &graphProto{}
			}
			return within("graph", m.graph.decode(f.bytes))
		case f.is(8, protowire.BytesType):
			set, err := decodeOpset(f.bytes)
			m.opsets = append(m.opsets, set)
			return within("operator set", err)
		case f.is(25, protowire.BytesType):
			fn, err := decodeFunction(f.bytes)
			m.functions = append(m.functions, fn)
			return within("function "+fn.name, err)
		}
		return nil
	})
	return m, err
}

func decodeOpset(msg []byte) (opsetProto, error) {
	var set opsetProto
	err := eachField(msg, func(f field) error {
		switch {
		case f.is(1, protowire.BytesType):
			set.domain = canonicalDomain(text(f.bytes))
		case f.is(2, protowire.VarintType):
			set.version = int64(f.number)
		}
		return nil
	})
	return set, err
}

// canonicalDomain writes ONNX's own domain, which has two names, as "".
func canonicalDomain(domain string) string {
	if domain == "ai.onnx" {
		return ""
	}
	return domain
}

func decodeFunction(msg []byte) (functionProto, error) {
	var fn functionProto
	err := eachField(msg, func(f field) error {
		if f.typ != protowire.BytesType {
			return nil
		}
		switch f.num {
		case 1:
			fn.name = text(f.bytes)
		case 4:
			fn.inputs = append(fn.inputs, text(f.bytes))
		case 5:
			fn.outputs = append(fn.outputs, text(f.bytes))
		case 6:
			fn.attrs = append(fn.attrs, text(f.bytes))
		case 7:
			node, err := decodeNode(f.bytes)
			fn.nodes = append(fn.nodes, node)
			return within("node "+node.name, err)
		case 9:
			set, err := decodeOpset(f.bytes)
			fn.opsets = append(fn.opsets, set)
			return err
		case 10:
			fn.domain = canonicalDomain(text(f.bytes))
		case 11:
			attr, err := decodeAttr(f.bytes)
			fn.defaults = append(fn.defaults, attr)
			return within("attribute "+attr.name, err)
		case 13:
			fn.overload = text(f.bytes)
		}
		return nil
	})
	return fn, err
}

// damageOffset returns the byte of the file at which the decoder gave up, -1 when the error is another one.
func damageOffset(file []byte, err error) int64 {
	var d *damage
	if !errors.As(err, &d) {
		return -1
	}
	return int64(cap(file) - d.left)
}
