package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
)

// GraphInput is an "input" block of a graph: the input is the output of another graph, in the same bytes.
type GraphInput struct {
	Tensor string
	// Graph is nil when it could not be made out.
	Graph *Graph
	// Output is the output's name in the model of that graph.
	Output     string
	Range      hcl.Range
	Attributes map[string]hcl.Range
}

// decodeGraphInputs reads where a graph's inputs come from, once the graphs of all modules are decoded.
func (l *loader) decodeGraphInputs(g *Graph, b *block) {
	for _, inner := range l.distinct(b.of("input")) {
		in := &GraphInput{Tensor: inner.label, Range: inner.header, Attributes: inner.ranges()}
		g.Inputs = append(g.Inputs, in)
		l.session.runs = append(l.session.runs, func() {
			f := l.fields(inner)
			in.Output, _ = f.text("output")
			target, ok := f.reference("graph")
			if !ok {
				return
			}
			in.Graph = l.session.graphs[target]
			if in.Graph == nil || in.Graph.Device == nil || g.Device == nil || in.Graph.Device == g.Device {
				return
			}
			l.report(diag.New(diag.InputOnOtherDevice, "Input %q of graph %q, which runs on device %q, comes from graph %q, which runs on device %q. Put both on one device, or leave the block out and copy the tensor yourself.",
				in.Tensor, g.Name, g.Device.Name, in.Graph.Name, in.Graph.Device.Name).At(in.Attributes["graph"]))
		})
	}
	slices.SortFunc(g.Inputs, func(a, b *GraphInput) int { return addr.CompareNames(a.Tensor, b.Tensor) })
}

// decodeConcurrent reads the graphs that may run at the same time.
func (l *loader) decodeConcurrent(b *block) {
	a := b.attrs["concurrent"]
	if a == nil {
		return
	}
	l.session.runs = append(l.session.runs, func() {
		f := l.fields(b)
		targets, ranges, ok := f.references("concurrent")
		for i, target := range targets {
			g := l.session.graphs[target]
			if g == nil {
				ok = false
				continue
			}
			if slices.Contains(l.cfg.Planner.Concurrent, g) {
				l.report(diag.New(diag.ListedTwice, "\"concurrent\" lists %s twice. Remove one of the two.", target).At(ranges[i]))
				continue
			}
			l.cfg.Planner.Concurrent = append(l.cfg.Planner.Concurrent, g)
		}
		if ok && len(targets) > 0 && len(l.cfg.Planner.Concurrent) < 2 {
			l.report(diag.New(diag.ConcurrentAlone, "\"concurrent\" lists %s alone, which runs at the same time as nothing. List two graphs or more, or remove it.", targets[0]).At(a.expr.Range()))
		}
		slices.SortFunc(l.cfg.Planner.Concurrent, func(a, b *Graph) int { return addr.CompareNames(a.Name, b.Name) })
	})
}

// orderGraphs brings the graphs into the order in which they run: by name, but each after those that its inputs come from,
// and those that run at the same time side by side. It costs O(graphs²) in the worst case and O(graphs) where nothing is
// connected.
//
// The steps: graphs that run at the same time become one unit; again and again the first unit, by the name of its first
// graph, of which everything that it needs has run is next; what is left over needs itself.
func (l *loader) orderGraphs() {
	graphs := l.cfg.Graphs
	if !slices.ContainsFunc(graphs, func(g *Graph) bool { return len(g.Inputs) > 0 }) && len(l.cfg.Planner.Concurrent) == 0 {
		return
	}
	units := l.units(graphs)
	var ordered []*Graph
	done := map[*Graph]bool{}
	for len(units) > 0 {
		next := slices.IndexFunc(units, func(unit []*Graph) bool { return !waits(unit, done) })
		if next < 0 {
			l.reportUnordered(units, done)
			for _, unit := range units {
				ordered = append(ordered, unit...)
			}
			break
		}
		for _, g := range units[next] {
			done[g] = true
		}
		ordered = append(ordered, units[next]...)
		units = slices.Delete(units, next, next+1)
	}
	l.cfg.Graphs = ordered
}

// units groups the graphs that run at the same time, at the place of the first of them.
func (l *loader) units(graphs []*Graph) [][]*Graph {
	together := l.cfg.Planner.Concurrent
	var units [][]*Graph
	for _, g := range graphs {
		switch {
		case !slices.Contains(together, g):
			units = append(units, []*Graph{g})
		case g == together[0]:
			units = append(units, together)
		}
	}
	return units
}

// waits reports whether a unit needs the output of a graph that has not run.
func waits(unit []*Graph, done map[*Graph]bool) bool {
	return slices.ContainsFunc(unit, func(g *Graph) bool {
		return slices.ContainsFunc(g.Inputs, func(in *GraphInput) bool { return in.Graph != nil && !done[in.Graph] })
	})
}

// reportUnordered reports the graphs that wait for each other: at the same time as what they need, or in a circle.
func (l *loader) reportUnordered(units [][]*Graph, done map[*Graph]bool) {
	for _, unit := range units {
		for _, g := range unit {
			for _, in := range g.Inputs {
				if in.Graph == nil || done[in.Graph] {
					continue
				}
				if l.wayBack(in.Graph, g) {
					l.report(diag.New(diag.GraphCycle, "Graph %q gets its input %q from graph %q, which needs an output of %q itself. Remove one of the connections.", g.Name, in.Tensor, in.Graph.Name, g.Name).At(in.Range))
				} else if l.runsBeside(g, in.Graph) {
					l.report(diag.New(diag.ConcurrentConnected, "Graph %q gets its input %q from graph %q and so runs after it, and the \"concurrent\" of the planner block says that graphs of this chain run at the same time. Take one of them out of the list.", g.Name, in.Tensor, in.Graph.Name).At(in.Range))
				}
			}
		}
	}
}

// runsBeside reports whether g is concurrent with a graph that must have run before the one that it takes an input from, or
// with that one.
func (l *loader) runsBeside(g, from *Graph) bool {
	together := l.cfg.Planner.Concurrent
	return slices.Contains(together, g) && slices.ContainsFunc(together, func(other *Graph) bool { return l.wayBack(from, other) })
}

// wayBack reports whether a graph needs an output of another, directly or through others.
func (l *loader) wayBack(from, to *Graph) bool {
	seen := map[*Graph]bool{}
	open := []*Graph{from}
	for len(open) > 0 {
		g := open[len(open)-1]
		open = open[:len(open)-1]
		if g == to {
			return true
		}
		if seen[g] {
			continue
		}
		seen[g] = true
		for _, in := range g.Inputs {
			if in.Graph != nil {
				open = append(open, in.Graph)
			}
		}
	}
	return false
}

// Upstream lists the graphs that the inputs of g come from, directly or through others, in the order in which they run.
func (c *Config) Upstream(g *Graph) []*Graph {
	needed := map[*Graph]bool{g: true}
	var found []*Graph
	for _, candidate := range slices.Backward(c.Graphs) {
		if !needed[candidate] {
			continue
		}
		if candidate != g {
			found = append(found, candidate)
		}
		for _, in := range candidate.Inputs {
			needed[in.Graph] = true
		}
	}
	slices.Reverse(found)
	return found
}
