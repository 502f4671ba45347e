package config

import (
	"strings"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// node is something whose value others may need: a local value, a device, a pool or a module.
type node struct {
	// block holds the local value, if it is one.
	local *attribute
	block *block
	// pools are those that were decoded for the node.
	pools []*Pool
}

func (n node) address() addr.Address {
	if n.local != nil {
		return addr.Address{Kind: addr.Local, Name: n.local.name}
	}
	return addr.Address{Kind: n.block.schema.Kind, Name: n.block.label}
}

func (n node) attributes() []*attribute {
	if n.local != nil {
		return []*attribute{n.local}
	}
	if n.isLate() {
		return n.block.repeats()
	}
	return allAttributes(n.block)
}

// isLate reports whether the block is decoded after all that others need: of graphs and rules only the instances are
// needed before.
func (n node) isLate() bool {
	return n.local == nil && (n.block.schema.Kind == addr.Graph || n.block.schema.Kind == addr.ScopeRule)
}

// repeats are the attributes that say how many instances a block has.
func (b *block) repeats() []*attribute {
	var found []*attribute
	for _, name := range []string{"for_each", "count"} {
		if a := b.attrs[name]; a != nil && b.schema.Repeats() {
			found = append(found, a)
		}
	}
	return found
}

// allAttributes are those whose values the block needs to have its own: not what is evaluated once the plan is made.
func allAttributes(b *block) []*attribute {
	if b.schema.Type == "postcondition" {
		return nil
	}
	attrs := b.order
	for _, inner := range b.blocks {
		attrs = append(attrs[:len(attrs):len(attrs)], allAttributes(inner)...)
	}
	return attrs
}

// evaluateInOrder gives local values, devices, pools and modules their values, each after those it needs.
func (l *loader) evaluateInOrder(blocks []*block) {
	nodes := collectNodes(blocks)
	order, cycles := eval.Order(l.dependencies(nodes))
	for _, cycle := range cycles {
		l.reportCycle(nodes, cycle)
	}
	for _, i := range order {
		l.evaluateNode(&nodes[i])
	}
	for i := range nodes {
		l.cfg.Pools = append(l.cfg.Pools, nodes[i].pools...)
	}
}

// dependencies lists for each node those that it needs.
func (l *loader) dependencies(nodes []node) [][]int {
	for i, n := range nodes {
		l.nameOfNode(n).node = i + 1
	}
	deps := make([][]int, len(nodes))
	all := make([]int, 0, len(nodes))
	for i, n := range nodes {
		begin := len(all)
		for _, needed := range l.firstOf(n) {
			if needed.in(l.session).node > 0 {
				all = append(all, needed.node-1)
			}
		}
		deps[i] = all[begin:len(all):len(all)]
	}
	return deps
}

func (l *loader) nameOfNode(n node) *name {
	if n.local != nil {
		return l.nameOfLocal(n.local)
	}
	return l.nameOf(n.block)
}

// firstOf lists the names that must have a value before the node can have one.
func (l *loader) firstOf(n node) []*name {
	if n.local == nil && !n.isLate() && n.block.kept != nil && n.block.kept.read != nil {
		return n.block.kept.first
	}
	return l.needed(n.attributes())
}

// first is that for a block that is not decoded late.
func (l *loader) first(b *block) []*name { return l.needed(allAttributes(b)) }

func (l *loader) needed(attributes []*attribute) (names []*name) {
	for _, a := range attributes {
		for _, ref := range a.refs {
			if !isPlanned(ref) {
				names = append(names, l.name(ref.Address))
			}
		}
	}
	return names
}

func collectNodes(blocks []*block) []node {
	nodes := make([]node, 0, len(blocks))
	for _, b := range blocks {
		switch {
		case isLocals(b):
			for _, a := range b.order {
				nodes = append(nodes, node{local: a, block: b})
			}
		case b.schema.Kind == addr.Device || b.schema.Kind == addr.Pool || b.schema.Kind == addr.Module,
			(b.schema.Kind == addr.Graph || b.schema.Kind == addr.ScopeRule) && repetition(b) != eval.Once:
			nodes = append(nodes, node{block: b})
		}
	}
	return nodes
}

// isPlanned reports whether a reference is to a planned value, which is unknown whatever the block says.
func isPlanned(ref addr.Reference) bool {
	object := schema.ObjectOf(ref.Address.Kind)
	if object == nil {
		return false
	}
	field := object.Field(ref.Field())
	return field != nil && field.Planned
}

// reportCycle prints the circle, beginning with its smallest address so that the order of blocks does not matter. The
// range is that of the reference with which it begins.
func (l *loader) reportCycle(nodes []node, cycle []int) {
	first := 0
	for i := range cycle {
		if addr.Compare(nodes[cycle[i]].address(), nodes[cycle[first]].address()) < 0 {
			first = i
		}
	}
	path := make([]string, 0, len(cycle)+1)
	for i := range cycle {
		path = append(path, nodes[cycle[(first+i)%len(cycle)]].address().String())
	}
	start, next := nodes[cycle[first]], nodes[cycle[(first+1)%len(cycle)]].address()
	path = append(path, start.address().String())
	if len(path) > 12 {
		path = append(path[:10:10], "...", path[len(path)-1])
	}
	d := diag.New(diag.ReferenceCycle, "%s. Replace one of these references by a value of its own.", strings.Join(path, " -> "))
	for _, a := range start.attributes() {
		for _, ref := range a.refs {
			if ref.Address == next && !isPlanned(ref) {
				d = d.At(ref.Whole)
			}
		}
	}
	l.report(d)
}

func (l *loader) evaluateNode(n *node) {
	switch n.address().Kind {
	case addr.Local:
		v := memo(l, n.block.kept, n.local.name, l.needs(n.local), func() (cty.Value, bool) { return l.evaluateLocal(n.local), true })
		l.set(l.nameOfLocal(n.local), v)
		l.cfg.Locals[n.local.name] = eval.Plain(v)
		l.cfg.evaluation.dependent = append(l.cfg.evaluation.dependent, *n)
	case addr.Module:
		l.evaluateBlock(n.block, func(b *block) func() cty.Value {
			v := l.callModule(b)
			if repetition(n.block) == eval.Once {
				l.set(l.nameOf(n.block), v)
			}
			return func() cty.Value { return v }
		})
		l.cfg.evaluation.dependent = append(l.cfg.evaluation.dependent, *n)
	default:
		l.evaluateBlock(n.block, func(b *block) func() cty.Value { return l.valueOf(n, b) })
	}
}

func (l *loader) evaluateLocal(a *attribute) cty.Value {
	if a.broken {
		return eval.InvalidValue()
	}
	v, ds := l.scope.Evaluate(a.expr, a.refs, nil)
	l.diags = append(l.diags, ds...)
	return v
}

// evaluateBlock gives a block its value, that of all its instances.
func (l *loader) evaluateBlock(b *block, value func(*block) func() cty.Value) {
	instances, ok := l.expand(b)
	if len(instances) != 1 || instances[0] != b {
		l.instances[b] = instances
	}
	l.setGroup(b, value, instances, ok)
}

// valueOf decodes one instance of the block of a node and returns what makes its value.
func (l *loader) valueOf(n *node, b *block) func() cty.Value {
	switch b.schema.Kind {
	case addr.Device:
		d := l.deviceOf(b)
		l.cfg.Devices = append(l.cfg.Devices, d)
		if d.Address.Key == "" {
			l.nameOf(n.block).device = d
		} else {
			l.session.devices[d.Address] = d
		}
		l.session.all = append(l.session.all, d.Address)
		return func() cty.Value { return deviceValue(d) }
	case addr.Pool:
		p := l.poolOf(b)
		n.pools = append(n.pools, p)
		if p.Address.Key == "" {
			l.nameOf(n.block).pool = p
		} else {
			l.session.pools[p.Address] = p
		}
		return func() cty.Value { return poolValue(p, nil) }
	}
	full := l.full(b)
	return func() cty.Value { return plainObject(full) }
}
