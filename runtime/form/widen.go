package form

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// Widened lists the float16 operands of a step that its kernel must see as float32: those of a step that also has float32
// operands. Memory holds them in a narrower type than the op computes with, or the op mixes both; either way it computes
// with the wider one. Of Cast, whose types differ on purpose, it is the result that should be float32.
func Widened(s *device.Step) map[*device.Tensor]bool {
	all := append(s.Inputs[:len(s.Inputs):len(s.Inputs)], s.Outputs...)
	narrow := map[*device.Tensor]bool{}
	wide := false
	for _, t := range all {
		switch {
		case t == nil:
		case t.DType == graph.Float16:
			narrow[t] = true
		case t.DType == graph.Float32:
			wide = true
		}
	}
	switch s.Op.Op {
	case "Cast":
		return castResult(s, narrow)
	case "CastLike", "DequantizeLinear", "QuantizeLinear", "DynamicQuantizeLinear":
		return nil
	}
	if !wide {
		return nil
	}
	return narrow
}

func castResult(s *device.Step, narrow map[*device.Tensor]bool) map[*device.Tensor]bool {
	if len(s.Outputs) == 0 || !narrow[s.Outputs[0]] {
		return nil
	}
	// The attribute is ONNX's number of a type, of which 1 is float32, or a name.
	if s.Op.Attrs.Int("to", 0) != 1 && s.Op.Attrs.String("to", "") != graph.Float32.String() {
		return nil
	}
	return map[*device.Tensor]bool{s.Outputs[0]: true}
}

// Wide is a float16 tensor as a kernel sees it that computes with float32.
func Wide(t *device.Tensor) *device.Tensor {
	seen := *t
	seen.DType, seen.LogicalBytes = graph.Float32, 2*t.LogicalBytes
	return &seen
}
