package liveness

import (
	"encoding/binary"
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// Touched is what an execution order is chosen by: the runs of bytes that hold in any order, and which ops touch them. A
// buffer is as many of them as it has pieces that differ in who touches them; see [Buffer.Gaps]. Constants and state are in
// none of them.
type Touched struct {
	// Sizes in bytes; Before marks what the caller writes before the first op, After what must be there after the last.
	Sizes         []int64
	Before, After []bool
	Ops           []Touches
	// First is the bytes of what the caller writes and nothing reads, which are live while the first op runs, whichever it is.
	First int64
	// Parts are those of which the piece lies in the whole where it belongs because it was put there.
	Parts []graph.Part
}

// Touches is one op. The runs are named by index.
type Touches struct {
	// Runs are those that the op reads or writes, each once, ascending.
	Runs []int
	// Scratch is the bytes of its scratch memory.
	Scratch int64
	// Reuses are the operands that its first result may overwrite when no other op is still to touch any of the runs of the
	// operand's buffer, and none has touched any of the result's.
	Reuses []Reuse
}

// Reuse says that the buffer of the runs To may take over that of the runs From, which saves Bytes while the op runs.
type Reuse struct {
	From, To []int
	Bytes    int64
}

// Touch finds the bytes of a graph that do not depend on the order of its ops, with the same options as [Analyze]: what
// overwriting saves depends on it and is listed by op. Tensors without a known size count nothing. It costs O(tensors +
// uses) and, for a buffer of pieces, its runs times the tensors that hold them.
func Touch(g *graph.Graph, opts Options) *Touched {
	inPlace := opts.InPlace
	opts.InPlace = false
	a := newAnalysis(g, opts)
	a.readUses()
	a.share(opts)
	t := &toucher{analysis: a, out: &Touched{Parts: a.joined, Ops: make([]Touches, 0, len(g.Ops))}, runs: make([][]run, len(a.base)), holds: make([][]run, len(a.base)), touching: a.touchingOps()}
	t.untouched()
	for step := range g.Ops {
		t.touch(&g.Ops[step], inPlace, opts.Overwrite)
		if opts.Diagonal {
			t.lieOver(&g.Ops[step], &t.out.Ops[step])
		}
	}
	return t.out
}

// untouched counts inputs that no op touches. Those that must be there after the last op are a run that the first one touches.
func (t *toucher) untouched() {
	for i, base := range t.base {
		if !t.input[i] || base != graph.TensorID(i) || len(t.touching[i]) > 0 || len(t.members[i]) > 1 || t.g.Tensors[i].Role == graph.State {
			continue
		}
		bytes := max(0, t.bytes(base))
		if !t.persisting(base) {
			t.out.First += bytes
			continue
		}
		t.lasting = append(t.lasting, len(t.out.Sizes))
		t.out.Sizes, t.out.Before, t.out.After = append(t.out.Sizes, bytes), append(t.out.Before, true), append(t.out.After, true)
	}
}

type toucher struct {
	*analysis
	out *Touched
	// runs are by base, in order of their first byte, nil for those that no op has touched yet.
	runs [][]run
	// holds are those of each tensor, once its base is cut.
	holds [][]run
	// alone has those of the bases with one member.
	alone []run
	// touching lists the ops that read or write each tensor, ascending.
	touching [][]int32
	// lasting are runs of what no op touches, live in all steps.
	lasting []int
}

// run is the bytes [from, to) of a base for the time of some of its members, which count as one of the result's.
type run struct {
	from, to int64
	index    int
}

// touchingOps is touching, found once.
func (a *analysis) touchingOps() [][]int32 {
	if a.touched == nil {
		a.touched = a.touching()
	}
	return a.touched
}

// touching lists the ops that read or write each tensor, ascending, each once.
func (a *analysis) touching() [][]int32 {
	counts, all := make([]int, len(a.base)), 0
	a.touches(func(_ int32, id graph.TensorID) {
		counts[id]++
		all++
	})
	out, steps := make([][]int32, len(a.base)), make([]int32, all)
	for id, n := range counts {
		out[id], steps = steps[:0:n], steps[n:]
	}
	a.touches(func(step int32, id graph.TensorID) {
		if n := len(out[id]); n == 0 || out[id][n-1] != step {
			out[id] = append(out[id], step)
		}
	})
	return out
}

// touches calls do for each operand and result of each op.
func (a *analysis) touches(do func(step int32, id graph.TensorID)) {
	for step := range a.g.Ops {
		op := &a.g.Ops[step]
		for _, list := range [][]graph.TensorID{op.Inputs, op.Outputs} {
			for _, id := range list {
				if a.g.Tensor(id) != nil {
					do(int32(step), id)
				}
			}
		}
	}
}

func (t *toucher) touch(op *graph.Op, inPlace bool, allowed func(operand, result graph.TensorID) bool) {
	x := Touches{Runs: make([]int, 0, len(op.Inputs)+len(op.Outputs))}
	for _, list := range [][]graph.TensorID{op.Inputs, op.Outputs} {
		for _, id := range list {
			for _, r := range t.held(id) {
				x.Runs = append(x.Runs, r.index)
			}
		}
	}
	if len(t.out.Ops) == 0 {
		x.Runs = append(x.Runs, t.lasting...)
	}
	slices.Sort(x.Runs)
	x.Runs = slices.Compact(x.Runs)
	for _, s := range op.Scratch {
		x.Scratch += max(0, s.Bytes)
	}
	if inPlace {
		for _, i := range t.g.Overwrites(op) {
			operand, result := op.Inputs[i], op.Outputs[0]
			if o, ok := t.takesOver(op, operand, result); ok && (allowed == nil || allowed(operand, result)) {
				x.Reuses = append(x.Reuses, t.reuse(o.operand, o.result, x.Runs, t.lies[result].at-t.lies[operand].at))
			}
		}
	}
	t.out.Ops = append(t.out.Ops, x)
}

// lieOver lists the operands that the result may be written over from below.
func (t *toucher) lieOver(op *graph.Op, x *Touches) {
	for _, d := range t.g.Diagonals(op) {
		operand, result := op.Inputs[d.Operand], op.Outputs[0]
		if !t.mayLieOver(op, d.Operand) {
			continue
		}
		all := func(base graph.TensorID) stretch { return stretch{base: base, size: t.bytes(base)} }
		if r := t.reuse(all(t.base[operand]), all(t.base[result]), x.Runs, t.shift(d, operand, result)); r.Bytes > 0 {
			x.Reuses = append(x.Reuses, r)
		}
	}
}

// reuse relates the bytes of an operand and of the result that may take them over, one by one, where the buffer of the operand starts
// shift bytes above the other. What an op touches of both is saved.
func (t *toucher) reuse(operand, result stretch, touched []int, shift int64) Reuse {
	ours, theirs := t.within(operand), t.within(result)
	out := Reuse{From: indexes(ours), To: indexes(theirs)}
	for _, a := range ours {
		for _, b := range theirs {
			_, one := slices.BinarySearch(touched, a.index)
			_, other := slices.BinarySearch(touched, b.index)
			if bytes := min(a.to+shift, b.to) - max(a.from+shift, b.from); one && other && bytes > 0 {
				out.Bytes += bytes
			}
		}
	}
	return out
}

// within lists the runs of a base that have bytes of a stretch.
func (t *toucher) within(s stretch) []run {
	var out []run
	for _, r := range t.runs[s.base] {
		if r.from < s.at+s.size && s.at < r.to {
			out = append(out, r)
		}
	}
	return out
}

func indexes(runs []run) []int {
	var out []int
	for _, r := range runs {
		out = append(out, r.index)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// held lists the runs of a tensor, none for constants and state.
func (t *toucher) held(id graph.TensorID) []run {
	if t.g.Tensor(id) == nil {
		return nil
	}
	base := t.base[id]
	if role := t.g.Tensors[base].Role; role == graph.Constant || role == graph.State {
		return nil
	}
	if t.runs[base] == nil {
		t.runs[base] = t.cut(base)
	}
	return t.holds[id]
}

// cut makes the runs of a base: bytes that the same ops touch, and the same callers see, are one. Members that hold the same
// bytes and that no op touches both, directly or by way of others, hold them at different times.
func (t *toucher) cut(base graph.TensorID) []run {
	if alone := t.members[base]; len(alone) == 1 {
		t.alone = append(t.alone, run{0, max(0, t.bytes(base)), t.newRun(t.input[base], t.persisting(base))})
		r := t.alone[len(t.alone)-1:]
		t.out.Sizes[r[0].index] = r[0].to
		t.holds[base] = r[:1:1]
		return t.holds[base]
	}
	cuts, members := t.cuts(base)
	known := map[string]int{}
	out := make([]run, 0, len(members))
	for k, list := range members {
		for _, group := range t.together(list) {
			var ops []int32
			before, after := false, false
			for _, id := range group {
				ops = append(ops, t.touching[id]...)
				before, after = before || t.input[id], after || t.persisting(id)
			}
			slices.Sort(ops)
			key := keyOf(slices.Compact(ops), before, after)
			index, ok := known[key]
			if !ok {
				index = t.newRun(before, after)
				known[key] = index
			}
			t.out.Sizes[index] += cuts[k+1] - cuts[k]
			r := run{cuts[k], cuts[k+1], index}
			out = append(out, r)
			for _, id := range group {
				t.holds[id] = append(t.holds[id], r)
			}
		}
	}
	return out
}

// newRun is the index of a run of no bytes.
func (t *toucher) newRun(before, after bool) int {
	t.out.Sizes, t.out.Before, t.out.After = append(t.out.Sizes, 0), append(t.out.Before, before), append(t.out.After, after)
	return len(t.out.Sizes) - 1
}

// together groups tensors that some op touches both of, directly or by way of others of the list, in the order of the last of
// each group.
func (t *toucher) together(list []graph.TensorID) [][]graph.TensorID {
	// toward leads from each tensor to later ones of its group, and holder to a tensor that the op touches.
	toward, holder := make([]int, len(list)), map[int32]int{}
	last := func(i int) int {
		for toward[i] != i {
			toward[i] = toward[toward[i]]
			i = toward[i]
		}
		return i
	}
	for i, id := range list {
		toward[i] = i
		for _, op := range t.touching[id] {
			if other, ok := holder[op]; ok {
				toward[last(other)] = i
			}
			holder[op] = i
		}
	}
	groups := make([][]graph.TensorID, len(list))
	for i, id := range list {
		groups[last(i)] = append(groups[last(i)], id)
	}
	return slices.DeleteFunc(groups, func(g []graph.TensorID) bool { return g == nil })
}

func keyOf(ops []int32, before, after bool) string {
	var key []byte
	for _, op := range ops {
		key = binary.LittleEndian.AppendUint32(key, uint32(op))
	}
	for _, flag := range []bool{before, after} {
		if flag {
			key = append(key, 1)
		} else {
			key = append(key, 0)
		}
	}
	return string(key)
}
