package export

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// cModel is a plan in identifiers of C.
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
	m.addPools(s.Plan)
	names := cNames{}
	for _, g := range graphs {
		for i := range g.Tensors {
			t := &g.Tensors[i]
			name := t.Name
			if len(graphs) > 1 {
				name = g.Name + "_" + name
			}
			pool := slices.IndexFunc(m.pools, func(p cPool) bool { return p.Name == t.Pool })
			m.tensors = append(m.tensors, cTensor{t, g.Name, names.claim(name), pool})
		}
	}
	return m
}

func (m *cModel) addPools(p *plan.Plan) {
	names := cNames{}
	for i := range p.Pools {
		pool := &p.Pools[i]
		c := cPool{Pool: pool, name: names.claim(pool.Name), constants: len(pool.Holds) > 0, base: pool.Alignment}
		for _, role := range pool.Holds {
			c.constants = c.constants && role == "constant"
		}
		for j := range p.Devices {
			if p.Devices[j].Name == pool.Device {
				c.base = max(c.base, p.Devices[j].BaseAlignment)
			}
		}
		m.pools = append(m.pools, c)
	}
}

// flat reports whether the pool is bytes.
func (p *cPool) flat() bool { return p.Type == "flat" }
