package planner

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/layout"
)

// Up to mostNamed buffers a message names all; of more it counts them and names the largest few.
const (
	mostNamed = 6
	fewNamed  = 3
)

// describe names buffers of the flat problem, with their bytes and steps.
func (p *pipeline) describe(buffers []int) string {
	if len(buffers) <= mostNamed {
		return diag.Enumerate(p.named(buffers), "and")
	}
	size := func(i int) int64 { return p.problem.Buffers[i].Size }
	largest, bytes := slices.Clone(buffers), int64(0)
	slices.SortStableFunc(largest, func(a, b int) int { return cmp.Compare(size(b), size(a)) })
	for _, i := range buffers {
		bytes += size(i)
	}
	what := "tensors"
	if roles := p.rolesIn(buffers); len(roles) == 1 && roles[0] == string(graph.Constant) {
		what = "constants"
	}
	return fmt.Sprintf("%d %s of %d bytes, the largest of which are %s", len(buffers), what, bytes, diag.Enumerate(p.named(largest[:fewNamed]), "and"))
}

func (p *pipeline) named(buffers []int) []string {
	parts := make([]string, len(buffers))
	for i, index := range buffers {
		g, b := p.bufferAt(index)
		name := b.Name
		if len(p.graphs) > 1 {
			name = g.block.Name + ": " + name
		}
		live := fmt.Sprintf("steps [%d, %d)", b.First, b.Last)
		if alwaysLive(b) {
			live = "always live"
		}
		parts[i] = fmt.Sprintf("%q (%d bytes, %s)", name, p.problem.Buffers[index].Size, live)
	}
	return parts
}

// rolesIn lists what a pool must hold to take the buffers, each once, in the order of graph.Roles.
func (p *pipeline) rolesIn(buffers []int) []string {
	found := map[graph.Role]bool{}
	for _, index := range buffers {
		_, b := p.bufferAt(index)
		found[b.Role] = true
	}
	var out []string
	for _, role := range graph.Roles {
		if found[role] {
			out = append(out, string(role))
		}
	}
	return out
}

// remedy is the next step for buffers that do not fit: a size with which the layout was seen to place everything, else
// another pool.
func (p *pipeline) remedy(m *layout.Misfit, enough map[int]int64) diag.Hint {
	pool := &p.pools[m.Pool]
	size, found := enough[m.Pool]
	if limit := pool.device.MaxAlloc; limit != 0 && pool.limit() == limit && pool.size != limit || limit != 0 && size > limit {
		if len(m.Buffers) == 1 && p.problem.Buffers[m.Buffers[0]].Size > limit {
			return diag.Hint{Text: fmt.Sprintf("It is larger than the max_alloc of device %q, so that no pool of the device can hold it: split the tensor in the model.", pool.device.Name)}
		}
		return diag.Hint{Text: fmt.Sprintf("The max_alloc of device %q limits pool %q to %d bytes, since one pool is one allocation: %s.", pool.device.Name, pool.name, limit, p.secondPool(m))}
	}
	if !found {
		return diag.Hint{Text: fmt.Sprintf("No size of pool %q alone was found with which everything fits: %s, or choose another algorithm.", pool.name, p.secondPool(m))}
	}
	text := fmt.Sprintf("Raise the size of pool %q to at least %d, or %s.", pool.name, size, p.secondPool(m))
	return diag.Hint{Text: text, Fix: diag.RaiseSize{Bytes: size}}
}

// secondPool says which pool to name or to declare so that the buffers may spill into it.
func (p *pipeline) secondPool(m *layout.Misfit) string {
	roles, chosen := p.rolesIn(m.Buffers), p.choosersOf(m.Buffers)
	if spare := p.sparePool(m, roles); spare != "" && len(chosen) > 0 {
		return fmt.Sprintf("name pool %q in the pools of %s for what spills", spare, diag.Enumerate(chosen, "and"))
	}
	holds := ""
	if slices.Contains(roles, string(graph.Constant)) {
		holds = fmt.Sprintf(" with holds = [%s]", quotedList(roles))
	}
	one := "a second pool"
	if slices.ContainsFunc(m.Buffers, func(index int) bool { return len(p.problem.Buffers[index].Pools) > 1 }) {
		one = "another pool"
	}
	text := fmt.Sprintf("declare %s on device %q%s for what spills", one, p.pools[m.Pool].device.Name, holds)
	if len(chosen) > 0 {
		text += fmt.Sprintf(" and name it in the pools of %s", diag.Enumerate(chosen, "and"))
	}
	return text
}

// sparePool is the first flat pool of the device that holds the roles of the buffers and is a candidate of none of them, "" without one.
func (p *pipeline) sparePool(m *layout.Misfit, roles []string) string {
	for k := range p.pools {
		e := &p.pools[k]
		unsuited := func(role string) bool { return !slices.Contains(e.holds, role) }
		candidate := func(index int) bool { return slices.Contains(p.problem.Buffers[index].Pools, k) }
		if e.device == p.pools[m.Pool].device && e.kind == "flat" && !e.implicit && !slices.ContainsFunc(roles, unsuited) && !slices.ContainsFunc(m.Buffers, candidate) {
			return e.name
		}
	}
	return ""
}

// choosersOf lists the rules whose pools the buffers are limited to, each once, in the order of the buffers.
func (p *pipeline) choosersOf(buffers []int) []string {
	var out []string
	for _, index := range buffers {
		g, b := p.bufferAt(index)
		d := g.decision(b)
		if d.Pinned != "" || d.Rule < 0 || p.cfg.Rules[d.Rule].Pools == nil {
			continue
		}
		if rule := p.cfg.Rules[d.Rule].Address.String(); !slices.Contains(out, rule) {
			out = append(out, rule)
		}
	}
	return out
}

func quotedList(names []string) string {
	out := ""
	for i, name := range names {
		if i > 0 {
			out += ", "
		}
		out += fmt.Sprintf("%q", name)
	}
	return out
}
