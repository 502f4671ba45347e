package check

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// views checks that each view shares the bytes it claims to and that sharing them is right.
func (c *checker) views(pg *planned) {
	bases := make(map[string]*plan.Tensor, len(pg.p.Tensors))
	for i := range pg.p.Tensors {
		if t := &pg.p.Tensors[i]; t.ViewOf == nil && t.Role != string(graph.Scratch) {
			bases[t.Name] = t
		}
	}
	pg.relate()
	for i := range pg.p.Tensors {
		t := &pg.p.Tensors[i]
		if t.ViewOf == nil {
			continue
		}
		base := bases[*t.ViewOf]
		if base == nil {
			c.report(diag.PlanViewMoved, "The tensor %q is a view of %q, which has no bytes of its own in graph %q. Plan again.", t.Name, *t.ViewOf, pg.p.Name)
			continue
		}
		c.viewPlace(t, base)
		c.viewPicture(t, base)
		if pg.needOf[i] >= 0 {
			c.viewOrigin(pg, t, base, &pg.needs[pg.needOf[i]])
		}
	}
}

// viewPlace checks bytes and lifetimes.
func (c *checker) viewPlace(t, base *plan.Tensor) {
	moved := t.Pool != base.Pool || t.Storage != base.Storage || (t.Offset == nil) != (base.Offset == nil) ||
		t.ViewOffset < 0 || t.Size < 0 || t.ViewOffset > base.Size-t.Size
	if !moved && t.Offset != nil {
		moved = *t.Offset != *base.Offset+t.ViewOffset
	}
	if moved {
		c.report(diag.PlanViewMoved, "The view %s at byte %d of %s does not lie there. Plan again.", c.where(t), t.ViewOffset, c.where(base))
	}
	if t.First < base.First || t.Last > base.Last {
		c.report(diag.PlanViewOutlives, "The view %s is used while the bytes of %s are no longer, or not yet, its own. Plan again.", c.where(t), c.where(base))
	}
}

// viewOrigin finds out why the tensor is a view: ops that pass bytes on, cut them, put them together or write over an operand
// must lead from it to the base, in whatever direction. Whether the bytes are free for what is written there, contents checks.
func (c *checker) viewOrigin(pg *planned, t, base *plan.Tensor, n *need) {
	if base.Role == string(graph.State) {
		c.report(diag.PlanViewIllegal, "The tensor %q is a view of the state %q, which a run changes. Plan again.", t.Name, base.Name)
		return
	}
	if n.producer < 0 || n.tensor == graph.NoTensor {
		c.report(diag.PlanViewIllegal, "The tensor %q is a view of %q, and no op makes it from that. Plan again.", t.Name, base.Name)
		return
	}
	if owner, ok := pg.idOf[base.Name]; !ok || pg.family(n.tensor) != pg.family(owner) {
		op := &pg.g.Ops[n.producer]
		c.report(diag.PlanViewIllegal, "The tensor %q is a view of %q, but %s %q does not pass those bytes on unchanged. Plan again.", t.Name, base.Name, op.Op, op.Name)
	}
}

// relate joins the tensors that have a reason to be the same bytes into families.
func (pg *planned) relate() {
	pg.elder, pg.idOf = make([]graph.TensorID, len(pg.g.Tensors)), make(map[string]graph.TensorID, len(pg.g.Tensors))
	for i := range pg.elder {
		pg.elder[i] = graph.TensorID(i)
		pg.idOf[pg.g.Tensors[i].Name] = graph.TensorID(i)
	}
	for i := range pg.g.Ops {
		op := &pg.g.Ops[i]
		for _, r := range pg.runs(op) {
			if pg.inPlace(r) {
				pg.elder[pg.family(r.piece)] = pg.family(r.whole)
			}
		}
		for _, out := range op.Outputs {
			if pg.g.Tensor(out) == nil || pg.rows[out] == nil {
				continue
			}
			if source := pg.sourceOf(op, out); source != nil && sameBytes(source, pg.rows[out]) {
				pg.elder[pg.family(out)] = pg.family(op.Inputs[0])
			}
			if id, ok := pg.overwritten(op, out); ok {
				pg.elder[pg.family(out)] = pg.family(id)
			}
		}
	}
}

// family is the tensor that stands for all that are related to this one.
func (pg *planned) family(id graph.TensorID) graph.TensorID {
	for pg.elder[id] != id {
		pg.elder[id] = pg.elder[pg.elder[id]]
		id = pg.elder[id]
	}
	return id
}

// passesOn are the ops whose first output has the bytes of their first input, given equal types and sizes.
var passesOn = []string{"Cast", "Dropout", "Flatten", "Identity", "Reshape", "Squeeze", "Transpose", "Unsqueeze"}

// sourceOf is the row of the tensor whose bytes the op passes on to its output, nil when it computes new ones.
func (pg *planned) sourceOf(op *graph.Op, out graph.TensorID) *plan.Tensor {
	if !slices.Contains(passesOn, op.Op) || len(op.Fused) > 1 || !hasMeaning(op) || len(op.Inputs) == 0 || op.Outputs[0] != out {
		return nil
	}
	in := op.Inputs[0]
	if pg.g.Tensor(in) == nil || pg.g.Tensors[in].DType != pg.g.Tensors[out].DType {
		return nil
	}
	if op.Op == "Transpose" && !slices.Equal(large(pg.g.Tensors[in].Shape), large(pg.g.Tensors[out].Shape)) {
		return nil
	}
	if op.Op == "Transpose" && !ascending(pg.g.Tensors[in].Shape, op.Attrs.Ints("perm")) {
		return nil
	}
	return pg.rows[in]
}

// hasMeaning reports whether the op's name is ONNX's. In a TVM graph only a reshape's is: other ops are compiled code. What
// TFLite does to the shape of quantised integers leaves them as they are.
func hasMeaning(op *graph.Op) bool {
	return slices.Contains([]string{"", "ai.onnx", "tflite.quantized"}, op.Domain) || op.Domain == "tvm" && op.Op == "Reshape"
}

// large are the extents other than 1.
func large(shape graph.Shape) []int64 {
	return slices.DeleteFunc(slices.Clone([]int64(shape)), func(n int64) bool { return n == 1 })
}

// ascending reports whether the permutation, the reversal when there is none, keeps the axes other than 1 in order.
func ascending(shape graph.Shape, perm []int64) bool {
	var moved []int64
	for i := range shape {
		axis := int64(len(shape) - 1 - i)
		if perm != nil && i < len(perm) {
			axis = perm[i]
		}
		if axis >= 0 && axis < int64(len(shape)) && shape[axis] != 1 {
			moved = append(moved, axis)
		}
	}
	return slices.IsSorted(moved)
}
