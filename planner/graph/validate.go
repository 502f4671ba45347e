package graph

import "fmt"

// Validate checks what every graph of an importer or a rewrite meets: names are unique and not empty, ids exist, an op
// reads only what stands before it, each tensor has at most one producer, and neither inputs nor constants have one.
// It returns the first fault found, which is one of memplan's own, in
// O(tensors + ops).
func (g *Graph) Validate() error {
	names := make(map[string]bool, len(g.Tensors))
	ready := make([]bool, len(g.Tensors))
	for i := range g.Tensors {
		t := &g.Tensors[i]
		if t.Name == "" || names[t.Name] {
			return fmt.Errorf("graph %q: tensor %d has the name %q, which is empty or taken", g.Name, i, t.Name)
		}
		names[t.Name] = true
		ready[i] = t.Role == Input || t.Role == Constant || t.Role == State
		if t.Data != nil && t.Role != Constant {
			return fmt.Errorf("graph %q: tensor %q has content and role %s", g.Name, t.Name, t.Role)
		}
	}
	for _, id := range g.Inputs {
		if g.Tensor(id) == nil {
			return fmt.Errorf("graph %q: its input %d does not exist", g.Name, id)
		}
		ready[id] = true
	}
	for i := range g.Ops {
		if err := g.validateOp(&g.Ops[i], ready); err != nil {
			return fmt.Errorf("graph %q: op %q: %w", g.Name, g.Ops[i].Name, err)
		}
	}
	for _, id := range g.Outputs {
		if g.Tensor(id) == nil {
			return fmt.Errorf("graph %q: its output %d does not exist", g.Name, id)
		}
		if len(g.Ops) > 0 && !ready[id] {
			return fmt.Errorf("graph %q: nothing produces its output %q", g.Name, g.Tensors[id].Name)
		}
	}
	return nil
}

// validateOp checks that the op reads what is ready and makes its results ready.
func (g *Graph) validateOp(op *Op, ready []bool) error {
	for _, id := range op.Inputs {
		if id == NoTensor {
			continue
		}
		if g.Tensor(id) == nil {
			return fmt.Errorf("input %d does not exist", id)
		}
		if !ready[id] {
			return fmt.Errorf("it reads %q before that is produced", g.Tensors[id].Name)
		}
	}
	for _, id := range op.Outputs {
		if id == NoTensor {
			continue
		}
		t := g.Tensor(id)
		if t == nil {
			return fmt.Errorf("output %d does not exist", id)
		}
		if ready[id] && t.Role != State {
			return fmt.Errorf("it produces %q, which has role %s or another producer", t.Name, t.Role)
		}
		ready[id] = true
	}
	return nil
}
