package export

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// match finds the plan's row of each tensor: those of arguments by name, results by the step and output they come from.
// A graph read from an earlier export has names of its own for results, and lacks absent outputs.
func (b *tvmBuilder) match() error {
	byName := make(map[string]*plan.Tensor, len(b.pg.Tensors))
	for i := range b.pg.Tensors {
		if t := &b.pg.Tensors[i]; t.Role != string(graph.Scratch) {
			byName[t.Name] = t
		}
	}
	if len(b.pg.Steps) != len(b.g.Ops) {
		return fmt.Errorf("the plan has %d steps and the graph %d ops: plan this graph again", len(b.pg.Steps), len(b.g.Ops))
	}
	b.rows = make([]*plan.Tensor, len(b.g.Tensors))
	producers := b.g.Producers()
	for id := range b.g.Tensors {
		if producers[id] < 0 {
			b.rows[id] = byName[b.g.Tensors[id].Name]
		}
	}
	for step := range b.g.Ops {
		if err := b.matchResults(step, byName); err != nil {
			return err
		}
	}
	return b.checkRows()
}

func (b *tvmBuilder) matchResults(step int, byName map[string]*plan.Tensor) error {
	op := &b.g.Ops[step]
	outputs := presentOf(op.Outputs)
	names := slices.DeleteFunc(slices.Clone(b.pg.Steps[step].Outputs), func(name string) bool { return name == "" })
	if len(outputs) != len(names) {
		return fmt.Errorf("step %d of the plan, %q, has %d results and the op %q has %d: plan this graph again", step, b.pg.Steps[step].Name, len(names), op.Name, len(outputs))
	}
	for k, id := range outputs {
		if b.g.Tensors[id].Role == graph.State {
			return fmt.Errorf("the op %q writes the state %q, and a graph of TVM keeps nothing between runs: export a graph whose state is an input and an output", op.Name, b.g.Tensors[id].Name)
		}
		b.rows[id] = byName[names[k]]
	}
	return nil
}

// checkRows holds the rows against the graph.
func (b *tvmBuilder) checkRows() error {
	for id, row := range b.rows {
		t := &b.g.Tensors[id]
		if row == nil {
			continue
		}
		fits := row.DType == t.DType.String() && (slices.Equal(row.Shape, t.Shape) || slices.Equal(tvmShape(row), t.Shape))
		if !fits || row.Name != t.Name && b.g.Format != "tvm" {
			return fmt.Errorf("the plan has %q as %s %v where the graph has %q as %s %s: plan this graph again", row.Name, row.DType, row.Shape, t.Name, t.DType, t.Shape)
		}
	}
	return nil
}

// presentOf leaves out absent operands.
func presentOf(ids []graph.TensorID) []graph.TensorID {
	return slices.DeleteFunc(slices.Clone(ids), func(id graph.TensorID) bool { return id == graph.NoTensor })
}
