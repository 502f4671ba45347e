package config

import (
	"fmt"
	"maps"
	"slices"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// gather makes what the called modules declare a part of this one: after its own, modules in order of declaration.
func (l *loader) gather() {
	c := l.cfg
	c.keepOwn()
	for _, b := range l.blocks {
		if b.schema.Kind != addr.Module || l.calls[b.label] == nil {
			continue
		}
		if repetition(b) != eval.Once {
			// What is wrong with the files is wrong even when there is no instance.
			l.diags = append(l.diags, l.calls[b.label].explained()...)
			maps.Copy(c.Files, l.calls[b.label].cfg.Files)
		}
		for _, called := range l.called[b.label] {
			l.takeOver(called)
		}
	}
	slices.SortStableFunc(c.Modules, func(a, b *Module) int { return addr.CompareNames(a.Name+a.Key, b.Name+b.Key) })
}

// takeOver adds what a module declares.
func (l *loader) takeOver(called *loader) {
	called.gather()
	c := l.cfg
	c.Devices = append(c.Devices, called.cfg.Devices...)
	c.Pools = append(c.Pools, called.cfg.Pools...)
	c.Rules = append(c.Rules, called.cfg.Rules...)
	c.Graphs = append(c.Graphs, called.cfg.Graphs...)
	c.Runs = append(c.Runs, called.cfg.Runs...)
	c.Exports = append(c.Exports, called.cfg.Exports...)
	c.Checks = append(c.Checks, called.cfg.Checks...)
	c.Postconditions = append(c.Postconditions, called.cfg.Postconditions...)
	c.Moves = append(c.Moves, called.cfg.Moves...)
	maps.Copy(c.Files, called.cfg.Files)
	l.diags = append(l.diags, called.explained()...)
}

// keepOwn notes what is the module's own.
func (c *Config) keepOwn() {
	e := &c.evaluation
	e.devices, e.pools, e.graphs = slices.Clip(c.Devices), slices.Clip(c.Pools), slices.Clip(c.Graphs)
	c.Devices, c.Pools, c.Graphs = e.devices, e.pools, e.graphs
}

// explained says of each diagnostic of a module which block calls it: what is wrong may be what the block gives.
func (l *loader) explained() diag.Diagnostics {
	ds := slices.Clone(l.diags)
	for i := range ds {
		related := diag.Related{Message: fmt.Sprintf("the module %q is called here", l.site.name), Range: l.site.call}
		ds[i].Related = append(slices.Clip(ds[i].Related), related)
	}
	return ds
}

// finishLists brings the lists whose order has no meaning into order of name.
func (l *loader) finishLists() {
	c := l.cfg
	c.Devices, c.Graphs = slices.Clone(c.Devices), slices.Clone(c.Graphs)
	slices.SortFunc(c.Devices, func(a, b *Device) int { return addr.CompareNames(a.Name, b.Name) })
	slices.SortFunc(c.Graphs, func(a, b *Graph) int { return addr.CompareNames(a.Name, b.Name) })
	l.orderGraphs()
	slices.SortFunc(c.Runs, func(a, b *Run) int { return addr.CompareNames(a.Name, b.Name) })
	slices.SortFunc(c.Exports, func(a, b *Export) int { return addr.CompareNames(a.Name, b.Name) })
	slices.SortFunc(c.Checks, func(a, b *Check) int { return addr.CompareNames(a.Name, b.Name) })
	slices.SortFunc(c.Outputs, func(a, b *Output) int { return addr.CompareNames(a.Name, b.Name) })
}
