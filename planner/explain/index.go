package explain

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// index finds what a tensor's explanation says without a walk through the plan.
type index struct {
	graphs   []graphIndex
	storages map[storageKey]*plan.Storage
	// devices are by name of pool, drivers by name of device.
	devices, drivers map[string]string
	// inPlace says that the settings put pieces in place.
	inPlace bool
}

type storageKey struct {
	pool string
	id   int64
}

// graphIndex is the index of one graph. Steps, tensors and copies are in the order of the plan unless said otherwise.
type graphIndex struct {
	g *plan.Graph
	// producers and consumers are steps by name of tensor, stepNames by name of op. Of several producers the last counts.
	producers, stepNames map[string]int64
	consumers            map[string][]int64
	// copyOf is the copy that makes the tensor of a name, copies are those made of it.
	copyOf map[string]*plan.Copy
	copies map[string][]*plan.Copy
	// tensors are by name, without scratch memory.
	tensors map[string]*plan.Tensor
	// views are by name of the base.
	views map[string][]*plan.Tensor
	// inPool are the tensors with bytes of their own by pool, in order of their first step, then of the plan.
	inPool map[string][]*plan.Tensor
}

// newIndex costs O(plan).
func newIndex(p *plan.Plan) *index {
	ix := &index{storages: map[storageKey]*plan.Storage{}, devices: map[string]string{}, drivers: map[string]string{}, inPlace: setsInPlace(p), graphs: make([]graphIndex, len(p.Graphs))}
	for i := range p.Storages {
		s := &p.Storages[i]
		ix.storages[storageKey{s.Pool, s.ID}] = s
	}
	for i := range p.Devices {
		ix.drivers[p.Devices[i].Name] = p.Devices[i].Driver
	}
	for i := range p.Pools {
		ix.devices[p.Pools[i].Name] = p.Pools[i].Device
	}
	for i := range p.Graphs {
		ix.graphs[i] = indexGraph(&p.Graphs[i])
	}
	return ix
}

func indexGraph(g *plan.Graph) graphIndex {
	row := graphIndex{
		g: g, producers: map[string]int64{}, stepNames: map[string]int64{}, consumers: map[string][]int64{},
		copyOf: map[string]*plan.Copy{}, copies: map[string][]*plan.Copy{}, views: map[string][]*plan.Tensor{}, tensors: map[string]*plan.Tensor{}, inPool: map[string][]*plan.Tensor{},
	}
	for i := range g.Steps {
		row.addStep(&g.Steps[i])
	}
	for i := range g.Copies {
		c := &g.Copies[i]
		row.copyOf[c.To] = c
		row.copies[c.Tensor] = append(row.copies[c.Tensor], c)
	}
	for i := range g.Tensors {
		t := &g.Tensors[i]
		if t.Role != string(graph.Scratch) {
			row.tensors[t.Name] = t
		}
		if t.ViewOf != nil {
			row.views[*t.ViewOf] = append(row.views[*t.ViewOf], t)
		} else {
			row.inPool[t.Pool] = append(row.inPool[t.Pool], t)
		}
	}
	for _, list := range row.inPool {
		slices.SortStableFunc(list, func(a, b *plan.Tensor) int { return cmp.Compare(a.First, b.First) })
	}
	return row
}

func (row *graphIndex) addStep(s *plan.Step) {
	row.stepNames[s.Name] = s.Step
	for _, name := range s.Outputs {
		row.producers[name] = s.Step
	}
	for i, name := range s.Inputs {
		if !slices.Contains(s.Inputs[:i], name) {
			row.consumers[name] = append(row.consumers[name], s.Step)
		}
	}
}
