package liveness

import "github.com/memplan/memplan/planner/graph"

// Touched is what an execution order is chosen by: the buffers that hold in any order, and which ops touch them. Constants
// and state are in none of them.
type Touched struct {
	// Sizes in bytes; Before marks what the caller writes before the first op, After what must be there after the last.
	Sizes         []int64
	Before, After []bool
	Ops           []Touches
}

// Touches is one op. The buffers are named by index.
type Touches struct {
	// Buffers are those that the op reads or writes, each once, in order of first mention.
	Buffers []int
	// Scratch is the bytes of its scratch memory.
	Scratch int64
	// Reuses are the operands that its first result may overwrite when the op is the last to touch them and the first to touch
	// the result.
	Reuses []Reuse
}

// Reuse says that the result in buffer To may share Bytes bytes with buffer From: all of them, or with [Options.Diagonal] fewer.
type Reuse struct {
	From, To int
	Bytes    int64
}

// Touch finds the buffers of a graph that do not depend on the order of its ops, with the same options as [Analyze]: what
// overwriting saves depends on it and is listed by op. Tensors without a known size count nothing. It costs O(tensors +
// uses).
func Touch(g *graph.Graph, opts Options) *Touched {
	inPlace := opts.InPlace
	opts.InPlace = false
	a := newAnalysis(g, opts)
	a.readUses()
	a.share(opts)
	t := &toucher{analysis: a, out: &Touched{}, index: make([]int, len(a.base))}
	for i := range t.index {
		t.index[i] = -1
	}
	for step := range g.Ops {
		t.touch(&g.Ops[step], inPlace, opts.Overwrite)
		if opts.Diagonal {
			t.lieOver(&g.Ops[step], &t.out.Ops[step])
		}
	}
	return t.out
}

type toucher struct {
	*analysis
	out *Touched
	// index is by base, -1 for those without a buffer.
	index []int
}

func (t *toucher) touch(op *graph.Op, inPlace bool, allowed func(operand, result graph.TensorID) bool) {
	x := Touches{}
	seen := map[int]bool{}
	for _, list := range [][]graph.TensorID{op.Inputs, op.Outputs} {
		for _, id := range list {
			if b := t.buffer(id); b >= 0 && !seen[b] {
				seen[b] = true
				x.Buffers = append(x.Buffers, b)
			}
		}
	}
	for _, s := range op.Scratch {
		x.Scratch += max(0, s.Bytes)
	}
	if inPlace {
		for _, i := range t.g.Overwrites(op) {
			operand, result := op.Inputs[i], op.Outputs[0]
			if t.mayOverwrite(op, operand, result) && (allowed == nil || allowed(operand, result)) {
				x.Reuses = append(x.Reuses, Reuse{t.buffer(operand), t.buffer(result), max(0, t.bytes(t.base[result]))})
			}
		}
	}
	t.out.Ops = append(t.out.Ops, x)
}

// lieOver lists the operands that the result may be written over from below.
func (t *toucher) lieOver(op *graph.Op, x *Touches) {
	for _, d := range t.g.Diagonals(op) {
		operand, result := op.Inputs[d.Operand], op.Outputs[0]
		if t.mayLieOver(op, d.Operand) {
			if shared := Shared(t.bytes(t.base[result]), t.bytes(t.base[operand]), t.shift(d, operand, result)); shared > 0 {
				x.Reuses = append(x.Reuses, Reuse{t.buffer(operand), t.buffer(result), shared})
			}
		}
	}
}

// buffer is the index of a tensor's buffer, -1 for constants and state.
func (t *toucher) buffer(id graph.TensorID) int {
	if t.g.Tensor(id) == nil {
		return -1
	}
	base := t.base[id]
	if role := t.g.Tensors[base].Role; role == graph.Constant || role == graph.State {
		return -1
	}
	if t.index[base] < 0 {
		t.index[base] = len(t.out.Sizes)
		t.out.Sizes = append(t.out.Sizes, max(0, t.bytes(base)))
		before, after := false, t.persists(base)
		for _, member := range t.members[base] {
			before = before || t.input[member]
		}
		t.out.Before, t.out.After = append(t.out.Before, before), append(t.out.After, after)
	}
	return t.index[base]
}
