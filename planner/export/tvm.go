package export

import (
	"fmt"
	"io"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// TVMOptions say how a placement is put into TVM's terms.
type TVMOptions struct {
	// NoOffset leaves out the list of offsets, which TVM's own runtimes do not read: see [TVM].
	NoOffset bool
}

// TVM writes the named graph of the plan as a graph file of TVM's graph executor, with the plan's placement. g is the
// graph that was planned, or one imported from an earlier export of it; the same plan then gives the same bytes.
//
// Each flat pool is one storage_id, and the list offset says where in it a tensor starts, in bytes: a storage is as large
// as its tensors' greatest offset and size together. A runtime that does not read that list would put all tensors of
// a pool on top of each other. With NoOffset tensors share a storage_id only when they start at the same byte of a pool, and
// start at its beginning: any runtime places that soundly, but in as much memory as the storages need side by side.
// The bytes of an input may serve other tensors after its last reader, as the plan says: inputs must be set before each
// run. An image has a storage_id of its own either way, and tensors that the caller owns do. Ids count from 0 in the order of
// first use.
//
// An op whose result shares its input's bytes is a "__nop", and one that only passes bytes on but could not share them,
// a "__copy", unless it packs channels for an image. Other ops call the function their attribute func_name names, as graphs from TVM have it, else one with
// the op's name. Arguments stand in the order of the graph's inputs, constants follow. Absent operands and scratch memory,
// which functions of TVM allocate themselves, are left out, and so are constants that only an alias read.
//
// It fails on a plan that is not the graph's, on state that ops write, on element types TVM has no name for, on
// names that its reader cannot take, and with NoOffset on a view that starts inside of its base. It costs O(graph).
func TVM(w io.Writer, p *plan.Plan, graphName string, g *graph.Graph, opts TVMOptions) error {
	b, err := newTVMBuilder(p, graphName, g, opts)
	if err == nil {
		err = b.build()
	}
	if err == nil {
		err = b.write(w)
	}
	if err != nil {
		return fmt.Errorf("exporting graph %q to TVM: %w", graphName, err)
	}
	return nil
}

// tvmRef is an output of a node.
type tvmRef struct{ node, index int }

// tvmNode is an argument, when it calls no function, or a call.
type tvmNode struct {
	name     string
	function string
	attrs    map[string]string
	inputs   []tvmRef
	outputs  int
}

// tvmEntry is a tensor in the order of nodes and their outputs.
type tvmEntry struct {
	row *plan.Tensor
	tvmPlace
}

// tvmBuilder puts a graph into TVM's terms.
type tvmBuilder struct {
	p    *plan.Plan
	pg   *plan.Graph
	g    *graph.Graph
	opts TVMOptions
	// rows are the plan's by tensor id, nil for tensors that it does not place.
	rows     []*plan.Tensor
	places   *tvmPlaces
	nodes    []tvmNode
	entries  []tvmEntry
	args     []int
	heads    []tvmRef
	produced []tvmRef // by tensor id; node is -1 until it is known
}

func newTVMBuilder(p *plan.Plan, graphName string, g *graph.Graph, opts TVMOptions) (*tvmBuilder, error) {
	b := &tvmBuilder{p: p, g: g, opts: opts}
	for i := range p.Graphs {
		if p.Graphs[i].Name == graphName {
			b.pg = &p.Graphs[i]
		}
	}
	if b.pg == nil {
		return nil, fmt.Errorf("the plan has no graph of that name")
	}
	b.places = newTVMPlaces(p, opts.NoOffset)
	b.produced = make([]tvmRef, len(g.Tensors))
	for i := range b.produced {
		b.produced[i].node = -1
	}
	return b, b.match()
}

// build fills nodes and entries.
func (b *tvmBuilder) build() error {
	if err := b.addArguments(); err != nil {
		return err
	}
	for step := range b.g.Ops {
		if err := b.addCall(step); err != nil {
			return err
		}
	}
	for _, id := range b.g.Outputs {
		b.heads = append(b.heads, b.produced[id])
	}
	return nil
}

// addEntry gives a tensor its place as the next output of the last node.
func (b *tvmBuilder) addEntry(id graph.TensorID) error {
	row := b.rows[id]
	if row == nil {
		return fmt.Errorf("the plan does not place the tensor %q: plan this graph again", b.g.Tensors[id].Name)
	}
	place, err := b.places.of(row)
	if err != nil {
		return err
	}
	last := len(b.nodes) - 1
	b.produced[id] = tvmRef{last, b.nodes[last].outputs}
	b.nodes[last].outputs++
	b.entries = append(b.entries, tvmEntry{row, place})
	return nil
}
