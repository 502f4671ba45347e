package tflite

import (
	"fmt"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// checkOrder checks that each tensor is written once and before it is read.
func (im *importer) checkOrder() {
	written := make([]bool, len(im.m.tensors))
	for _, c := range im.m.calls {
		for _, in := range c.inputs {
			if in >= 0 && !written[in] && !im.hasSource(in) {
				im.reportUnwritten(fmt.Sprintf("operator %q", c.name), in, c)
			}
		}
		for _, out := range c.outputs {
			if written[out] || im.hasSource(out) && im.g.Tensors[out].Role != graph.State {
				im.reportWrittenTwice(c, out)
			}
			written[out] = true
		}
	}
	for _, out := range im.g.Outputs {
		if !written[out] && !im.hasSource(int32(out)) {
			im.reportUnwritten("the graph's output", int32(out), nil)
		}
	}
}

// hasSource reports whether the tensor has content without any call.
func (im *importer) hasSource(n int32) bool {
	role := im.g.Tensors[n].Role
	return role == graph.Input || role == graph.Constant || role == graph.State
}

func (im *importer) reportUnwritten(reader string, n int32, by *call) {
	name := im.g.Tensors[n].Name
	producer := im.producer[n]
	if producer == nil {
		im.report(diag.TFLiteReadTooEarly, "Tensor %q is needed by %s, but no operator writes it and it holds no data. "+
			"Convert the model again.", name, reader)
		return
	}
	if producer == by {
		im.report(diag.TFLiteReadTooEarly, "Tensor %q is both read and written by %s. Convert the model again.", name, reader)
		return
	}
	im.report(diag.TFLiteReadTooEarly, "Tensor %q is needed by %s before operator %q writes it. "+
		"Convert the model again.", name, reader, producer.name)
}

func (im *importer) reportWrittenTwice(c *call, n int32) {
	t := &im.g.Tensors[n]
	if im.hasSource(n) {
		im.report(diag.TFLiteWrittenTwice, "Operator %q writes tensor %q, which is of role %s. Convert the model again.",
			c.name, t.Name, t.Role)
		return
	}
	im.report(diag.TFLiteWrittenTwice, "Tensor %q is written by operator %q and again by operator %q. "+
		"Convert the model again.", t.Name, im.producer[n].name, c.name)
}
