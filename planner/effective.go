package planner

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
)

// ordered reports whether the ops of a graph may change places and the settings ask for it. TVM's compiled graphs run in their
// own order, and an interval file has no ops.
func (p *pipeline) ordered(g *planned) bool {
	return p.cfg.Planner.OrderOn(g.block.Device)[0] == "memory" && g.orderable()
}

// orderable reports whether another order of the ops could be run.
func (g *planned) orderable() bool { return g.rewritten.Format != "tvm" && len(g.rewritten.Ops) > 1 }

// common is the value that a setting has for the devices of all graphs, as it is recorded: "by device" when they differ.
func (p *pipeline) common(on func(*config.Device) []string) any {
	if len(p.graphs) == 0 {
		return on(&config.Device{})
	}
	value := on(p.graphs[0].block.Device)
	for _, g := range p.graphs {
		if !slices.Equal(on(g.block.Device), value) {
			return "by device"
		}
	}
	return value
}

// commonOrder is the same for the order, which is one word.
func (p *pipeline) commonOrder() any {
	if list, ok := p.common(p.cfg.Planner.OrderOn).([]string); ok {
		return list[0]
	}
	return "by device"
}

// overwritable reports whether a result may take the place of an operand of the same shape. A kernel of an OpenCL device reads an
// image or writes it.
func (g *planned) overwritable(operand, result graph.TensorID) bool {
	return g.alike(operand, result) && (g.scopes.Tensors[result].Geometry == nil || !g.onOpenCL())
}

// notOver is the operand over which the result that a buffer begins with would be written if images of OpenCL devices could be, or
// graph.NoTensor.
func (g *planned) notOver(b *liveness.Buffer) graph.TensorID {
	if b.Tensor == graph.NoTensor || !g.onOpenCL() || g.decision(b).Geometry == nil || !slices.Contains(g.views, "inplace") || b.First >= int64(len(g.graph.Ops)) {
		return graph.NoTensor
	}
	op := &g.graph.Ops[b.First]
	if !slices.Contains(op.Outputs, b.Tensor) {
		return graph.NoTensor
	}
	for _, i := range g.graph.Overwrites(op) {
		x := op.Inputs[i]
		if other := g.bufferWith(x); other != nil && other.Last == b.First+1 && other.Role == graph.Activation && g.alike(x, b.Tensor) {
			return x
		}
	}
	return graph.NoTensor
}

// bufferWith is the buffer of a tensor that owns one, nil for others. Buffers of tensors are in order of their ids, before those of
// scratch memory.
func (g *planned) bufferWith(id graph.TensorID) *liveness.Buffer {
	at, found := slices.BinarySearchFunc(g.buffers, id, func(b liveness.Buffer, id graph.TensorID) int {
		if b.Tensor == graph.NoTensor {
			return 1
		}
		return cmp.Compare(b.Tensor, id)
	})
	if !found {
		return nil
	}
	return &g.buffers[at]
}

func (g *planned) onOpenCL() bool { return g.block.Device.Driver == "opencl" }

// alike reports whether two tensors may be in one buffer: the same pools would take them, in the same scope, and nobody
// wished one of them elsewhere.
func (g *planned) alike(a, b graph.TensorID) bool {
	x, y := &g.scopes.Tensors[a], &g.scopes.Tensors[b]
	return x.Scope == y.Scope && x.Pinned == "" && y.Pinned == "" && x.Images == y.Images && slices.Equal(x.Pools, y.Pools) && g.mergeable(a, b)
}
