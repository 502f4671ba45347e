package planner

import (
	"slices"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner/plan"
)

// Moved returns a lock as it would be if everything in it had been called as the configuration calls it now: the moves of its
// moved blocks are applied to devices, pools, graphs and tensors. A block that has got count is its first instance, and the
// other way round. What would take a name that the lock has already stays as it is. A lock that no move is about, and nil,
// comes back itself; the second result says what got another name. The lock is not changed.
func Moved(cfg *config.Config, lock *plan.Plan) (*plan.Plan, []Rename) {
	if lock == nil {
		return nil, nil
	}
	r := renaming{cfg: cfg, names: map[addr.Kind]map[string]string{}, tensors: map[string]map[string]string{}}
	r.collect(addr.Device, namesIn(lock.Devices, func(d plan.Device) string { return d.Name }), namesIn(cfg.Devices, func(d *config.Device) string { return d.Name }))
	r.collect(addr.Pool, namesIn(lock.Pools, func(p plan.Pool) string { return p.Name }), namesIn(cfg.Pools, func(p *config.Pool) string { return p.Name }))
	r.collect(addr.Graph, namesIn(lock.Graphs, func(g plan.Graph) string { return g.Name }), namesIn(cfg.Graphs, func(g *config.Graph) string { return g.Name }))
	r.collectTensors(lock)
	if len(r.renames) == 0 {
		return lock, nil
	}
	return r.apply(lock), r.renames
}

// Rename is something that a lock has under an old address: of a device, a pool, a graph or a tensor.
type Rename struct {
	From string `json:"from"`
	To   string `json:"to"`
}

// renaming maps old full names to new ones, by kind, and names of tensors by the new name of their graph. Renames has the same as
// addresses: devices, pools, graphs, each in the order of the lock, and tensors in the order of the moved blocks.
type renaming struct {
	cfg     *config.Config
	names   map[addr.Kind]map[string]string
	tensors map[string]map[string]string
	renames []Rename
}

func namesIn[T any](list []T, name func(T) string) []string {
	out := make([]string, len(list))
	for i, item := range list {
		out[i] = name(item)
	}
	return out
}

func (r *renaming) collect(kind addr.Kind, old, now []string) {
	r.names[kind] = map[string]string{}
	for _, name := range old {
		a, ok := addr.ParseFullName(kind, name)
		if !ok {
			continue // an implicit pool
		}
		to, moved := r.cfg.Moved(a)
		if !moved && !slices.Contains(now, name) {
			to, moved = implied(a)
			moved = moved && slices.Contains(now, to.FullName())
		}
		if moved && !slices.Contains(old, to.FullName()) {
			r.names[kind][name] = to.FullName()
			r.renames = append(r.renames, Rename{a.String(), to.String()})
		}
	}
}

// implied is the first instance of a block that had none, or the block whose first instance it was.
func implied(a addr.Address) (addr.Address, bool) {
	switch a.Key {
	case "":
		a.Key = "[0]"
	case "[0]":
		a.Key = ""
	default:
		return a, false
	}
	return a, true
}

func (r *renaming) collectTensors(lock *plan.Plan) {
	for _, m := range r.cfg.Moves {
		if m.FromTensor == "" {
			continue
		}
		graph := m.From.FullName()
		at := slices.IndexFunc(lock.Graphs, func(g plan.Graph) bool { return r.of(addr.Graph, g.Name) == graph })
		if at < 0 || hasTensor(&lock.Graphs[at], m.ToTensor) || !hasTensor(&lock.Graphs[at], m.FromTensor) {
			continue
		}
		if r.tensors[graph] == nil {
			r.tensors[graph] = map[string]string{}
		}
		r.tensors[graph][m.FromTensor] = m.ToTensor
		r.renames = append(r.renames, Rename{m.FromText(), m.ToText()})
	}
}

func hasTensor(g *plan.Graph, name string) bool {
	return slices.ContainsFunc(g.Tensors, func(t plan.Tensor) bool { return t.Name == name })
}

// of is the name that something has now.
func (r *renaming) of(kind addr.Kind, name string) string {
	if to, ok := r.names[kind][name]; ok {
		return to
	}
	return name
}

func (r *renaming) tensor(graph, name string) string {
	if to, ok := r.tensors[graph][name]; ok {
		return to
	}
	return name
}

// apply renames in a copy.
func (r *renaming) apply(lock *plan.Plan) *plan.Plan {
	out := *lock
	out.Devices, out.Pools, out.Storages, out.Graphs = slices.Clone(lock.Devices), slices.Clone(lock.Pools), slices.Clone(lock.Storages), slices.Clone(lock.Graphs)
	for i := range out.Devices {
		out.Devices[i].Name = r.of(addr.Device, out.Devices[i].Name)
	}
	for i := range out.Pools {
		p := &out.Pools[i]
		p.Name, p.Device, p.PeakGraph = r.of(addr.Pool, p.Name), r.of(addr.Device, p.Device), r.of(addr.Graph, p.PeakGraph)
	}
	for i := range out.Storages {
		out.Storages[i].Pool = r.of(addr.Pool, out.Storages[i].Pool)
	}
	for i := range out.Graphs {
		g := &out.Graphs[i]
		g.Name = r.of(addr.Graph, g.Name)
		r.graph(g)
	}
	return &out
}

func (r *renaming) graph(g *plan.Graph) {
	rename := func(names []string) []string {
		out := make([]string, len(names))
		for i, name := range names {
			out[i] = r.tensor(g.Name, name)
		}
		return out
	}
	g.Tensors, g.Steps, g.Copies = slices.Clone(g.Tensors), slices.Clone(g.Steps), slices.Clone(g.Copies)
	for i := range g.Tensors {
		t := &g.Tensors[i]
		t.Name, t.Pool = r.tensor(g.Name, t.Name), r.of(addr.Pool, t.Pool)
		if t.ViewOf != nil {
			base := r.tensor(g.Name, *t.ViewOf)
			t.ViewOf = &base
		}
		if t.Shares != nil {
			share := *t.Shares
			share.Graph = r.of(addr.Graph, share.Graph)
			share.Tensor = r.tensor(share.Graph, share.Tensor)
			t.Shares = &share
		}
	}
	for i := range g.Steps {
		g.Steps[i].Inputs, g.Steps[i].Outputs = rename(g.Steps[i].Inputs), rename(g.Steps[i].Outputs)
	}
	for i := range g.Copies {
		g.Copies[i].Tensor, g.Copies[i].To = r.tensor(g.Name, g.Copies[i].Tensor), r.tensor(g.Name, g.Copies[i].To)
	}
}
