package export

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// cModel is a plan in identifiers of C: its tensors and the pools that hold them.
type cModel struct {
	// macro begins the names of macros and word, the same in lower case, those of everything else.
	macro, word string
	title       string
	pools       []cPool
	tensors     []cTensor
}

// cPool is a pool; name is its part of the macros' names.
type cPool struct {
	*plan.Pool
	name string
	// constants marks a pool that holds nothing else.
	constants bool
	// base is the base alignment of the pool's device in bytes.
	base int64
}

// cTensor is a tensor; name is its part of the macros' names, pool the index of its pool, -1 for memory of the caller.
type cTensor struct {
	*plan.Tensor
	graph, name string
	pool        int
}

func newCModel(s *Subject, o *Options) *cModel {
	graphs := s.graphs()
	title := o.Prefix
	switch {
	case title != "":
	case len(graphs) == 1:
		title = graphs[0].Name
	default:
		title = "memplan"
	}
	m := &cModel{macro: cPrefix(title), title: title}
	m.word = strings.ToLower(m.macro)
	var texts []string
	used := map[string]bool{}
	for _, g := range graphs {
		for i := range g.Tensors {
			t := &g.Tensors[i]
			text := t.Name
			if len(graphs) > 1 {
				text = g.Name + "_" + t.Name
			}
			m.tensors, texts, used[t.Pool] = append(m.tensors, cTensor{Tensor: t, graph: g.Name}), append(texts, text), true
		}
	}
	m.addPools(s.Plan, used)
	names := cNames(texts)
	for i := range m.tensors {
		t := &m.tensors[i]
		t.name = names[i]
		t.pool = slices.IndexFunc(m.pools, func(p cPool) bool { return p.Name == t.Pool })
	}
	return m
}

// addPools adds the pools that tensors lie in, in the order of the plan.
func (m *cModel) addPools(p *plan.Plan, used map[string]bool) {
	var texts []string
	for i := range p.Pools {
		pool := &p.Pools[i]
		if !used[pool.Name] {
			continue
		}
		c := cPool{Pool: pool, constants: len(pool.Holds) > 0, base: pool.Alignment}
		for _, role := range pool.Holds {
			c.constants = c.constants && role == "constant"
		}
		for j := range p.Devices {
			if p.Devices[j].Name == pool.Device {
				c.base = max(c.base, p.Devices[j].BaseAlignment)
			}
		}
		m.pools, texts = append(m.pools, c), append(texts, pool.Name)
	}
	for i, name := range cNames(texts) {
		m.pools[i].name = name
	}
}

// flat reports whether the pool is bytes.
func (p *cPool) flat() bool { return p.Type == "flat" }
