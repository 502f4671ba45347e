package tflite

import "github.com/memplan/memplan/lang/diag"

// controlFlow are the builtin operators that run other subgraphs, whose memory would be missing from the plan.
var controlFlow = map[string]bool{
	"IF": true, "WHILE": true, "CALL": true, "CALL_ONCE": true, "STABLEHLO_WHILE": true, "STABLEHLO_COMPOSITE": true,
}

// resources are the builtin operators that work on state outside of any tensor.
var resources = map[string]bool{
	"HASHTABLE": true, "HASHTABLE_FIND": true, "HASHTABLE_IMPORT": true, "HASHTABLE_SIZE": true,
	"VAR_HANDLE": true, "READ_VARIABLE": true, "ASSIGN_VARIABLE": true,
}

// refuse reports every operator that cannot be planned.
func (im *importer) refuse() {
	for _, c := range im.m.calls {
		switch name := c.kind.code.String(); {
		case controlFlow[name]:
			im.report(diag.TFLiteControlFlow, "Operator %q (%s) runs another subgraph, whose memory cannot be planned. "+
				"It touches %s. Unroll or remove it before conversion.", c.name, name, c.touched())
		case resources[name]:
			im.report(diag.TFLiteResource, "Operator %q (%s) works on a table or variable outside of the planned tensors. "+
				"It touches %s. Remove it before conversion.", c.name, name, c.touched())
		}
	}
}

// touched names the operands of the call.
func (c *call) touched() string {
	var named []string
	for _, numbers := range [][]int32{c.inputs, c.outputs} {
		for _, n := range numbers {
			if n >= 0 {
				named = append(named, c.im.m.tensors[n].name)
			}
		}
	}
	if len(named) == 0 {
		return "no tensors"
	}
	return "tensors " + list(named)
}
