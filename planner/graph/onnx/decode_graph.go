package onnx

import "google.golang.org/protobuf/encoding/protowire"

// graphProto is a GraphProto, without documentation and quantisation annotations.
type graphProto struct {
	name         string
	nodes        []nodeProto
	initializers []tensorProto
	sparse       []sparseProto
	inputs       []valueProto
	outputs      []valueProto
	values       []valueProto
}

// nodeProto is a NodeProto. An empty name among the inputs or outputs is an optional one that is absent.
type nodeProto struct {
	name, op, domain, overload string
	inputs, outputs            []string
	attrs                      []attrProto
}

// decode adds the content of msg to g: a graph may come in parts, which protobuf joins.
func (g *graphProto) decode(msg []byte) error {
	return eachField(msg, func(f field) error {
		if f.typ != protowire.BytesType {
			return nil
		}
		switch f.num {
		case 1:
			node, err := decodeNode(f.bytes)
			g.nodes = append(g.nodes, node)
			return within("node "+node.name, err)
		case 2:
			g.name = text(f.bytes)
		case 5:
			tensor, err := decodeTensor(f.bytes)
			g.initializers = append(g.initializers, tensor)
			return within("initializer "+tensor.name, err)
		case 11:
			return decodeValueInto(&g.inputs, f.bytes)
		case 12:
			return decodeValueInto(&g.outputs, f.bytes)
		case 13:
			return decodeValueInto(&g.values, f.bytes)
		case 15:
			sparse, err := decodeSparse(f.bytes)
			g.sparse = append(g.sparse, sparse)
			return within("sparse initializer "+sparse.values.name, err)
		}
		return nil
	})
}

func decodeNode(msg []byte) (nodeProto, error) {
	var n nodeProto
	err := eachField(msg, func(f field) error {
		if f.typ != protowire.BytesType {
			return nil
		}
		switch f.num {
		case 1:
			n.inputs = append(n.inputs, text(f.bytes))
		case 2:
			n.outputs = append(n.outputs, text(f.bytes))
		case 3:
			n.name = text(f.bytes)
		case 4:
			n.op = text(f.bytes)
		case 5:
			attr, err := decodeAttr(f.bytes)
			n.attrs = append(n.attrs, attr)
			return within("attribute "+attr.name, err)
		case 7:
			n.domain = canonicalDomain(text(f.bytes))
		case 8:
			n.overload = text(f.bytes)
		}
		return nil
	})
	return n, err
}
