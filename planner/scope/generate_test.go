package scope

import (
	"fmt"

	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/graph"
)

var kinds = []string{"Conv", "Relu", "Add", "Softmax", "Concat", "Split", "MaxPool", "Sigmoid"}

// drawGraph draws a graph of so many ops, with tensors of rank 4 of different sizes, some of which cannot be images.
func drawGraph(t *rapid.T, most int) *graph.Graph {
	g := &graph.Graph{Name: "drawn"}
	tensor := func(name string, role graph.Role, shape graph.Shape) graph.TensorID {
		g.Tensors = append(g.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: shape})
		return graph.TensorID(len(g.Tensors) - 1)
	}
	sizes := rapid.SampledFrom([]graph.Shape{{1, 4, 6, 6}, {1, 8, 3, 5}, {1, 4, 2, 9}, {1, 3, 6, 6}, {1, 4, 1, 1}, {4, 4, 8, 8}})
	ready := []graph.TensorID{tensor("x", graph.Input, sizes.Draw(t, "shape"))}
	g.Inputs = ready[:1:1]
	for i := range rapid.IntRange(1, most).Draw(t, "ops") {
		op := graph.Op{Name: fmt.Sprintf("op%d", i), Op: rapid.SampledFrom(kinds).Draw(t, "kind")}
		pick := func() { op.Inputs = append(op.Inputs, rapid.SampledFrom(ready).Draw(t, "input")) }
		pick()
		switch op.Op {
		case "Conv":
			op.Inputs = append(op.Inputs, tensor(fmt.Sprintf("w%d", i), graph.Constant, graph.Shape{8, 4, 3, 3}))
			g.Tensors[op.Inputs[1]].Layout = "OIHW"
		case "Add", "Concat":
			pick()
		}
		outputs := 1
		if op.Op == "Split" {
			outputs = 2
		}
		for k := range outputs {
			out := tensor(fmt.Sprintf("t%d_%d", i, k), graph.Activation, sizes.Draw(t, "shape"))
			op.Outputs, ready = append(op.Outputs, out), append(ready, out)
		}
		g.Ops = append(g.Ops, op)
	}
	last := ready[len(ready)-1]
	g.Tensors[last].Role, g.Outputs = graph.Output, []graph.TensorID{last}
	return g
}

// drawRules draws orders and wishes for some tensors by name.
func drawRules(t *rapid.T, g *graph.Graph, scopes []string) []Rule {
	var rules []Rule
	for i := range g.Tensors {
		rule := Rule{Address: "scope_rule." + g.Tensors[i].Name, Tensor: []string{g.Tensors[i].Name}, Scope: rapid.SampledFrom(scopes).Draw(t, "scope")}
		switch rapid.IntRange(0, 5).Draw(t, "rule") {
		case 0:
			rules = append(rules, rule)
		case 1, 2:
			penalty := rapid.Int64Range(0, 3000).Draw(t, "penalty")
			rule.Penalty = &penalty
			rules = append(rules, rule)
		}
	}
	return rules
}

// drawRequest draws a graph and rules for a device with images.
func drawRequest(t *rapid.T, ops int, scopes []string, variants []Variant) Request {
	g := drawGraph(t, ops)
	return Request{
		Graph: g, GraphName: "drawn", Device: Device{Name: "gpu", Image2D: &Limits{MaxWidth: 4096, MaxHeight: 4096, MaxLayers: 2048, PitchAlignment: 1}},
		Pools:    []Pool{{Name: "arena", Device: "gpu", Type: "flat", Holds: graph.Roles}, {Name: "images", Device: "gpu", Type: "texture", Holds: graph.Roles}},
		Rules:    drawRules(t, g, scopes),
		Variants: variants,
	}
}

// decided returns the problem that a request poses.
func posed(r Request) *problem {
	d := &decider{r: &r, g: r.Graph, limits: r.Device.Image2D, uses: touches(r.Graph), out: &Result{Decided: make([]bool, len(r.Rules))},
		skip: make([]bool, len(r.Rules)), scopes: make([]label, len(r.Rules)), denials: make([]denial, len(r.Rules))}
	d.input, d.output = members(d.g, d.g.Inputs), members(d.g, d.g.Outputs)
	d.checkVariants()
	d.checkRules()
	d.shelves()
	d.layouts = layoutsOf(d.g)
	d.survey()
	return d.build()
}

// oneImage are variants with one texture scope for each operand, so that every choice is between two.
func oneImage() []Variant {
	return []Variant{{Op: []string{"Conv", "Relu", "Add", "MaxPool", "Concat", "Split"}, Scopes: map[string][]string{
		"output": {Texture}, "data": {Texture}, "weight": {TextureWeight, Global},
	}}}
}
