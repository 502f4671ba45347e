package liveness

import (
	"slices"

	"github.com/memplan/memplan/planner/graph"
)

// share merges tensors into buffers: reshapes first and parts then, which hold in any order of execution, and results that
// overwrite an operand last, which depends on who reads it last.
func (a *analysis) share(opts Options) {
	if opts.Reshape {
		a.findViews(opts.Mergeable)
	}
	a.gather()
	if opts.Parts {
		a.joinParts(opts)
	}
	a.mergeViews()
	if opts.InPlace {
		a.overwrite(opts.Overwrite)
	}
}

// gather lists the members of each base.
func (a *analysis) gather() {
	a.members = make([][]graph.TensorID, len(a.base))
	counts, ids := make([]int, len(a.base)), make([]graph.TensorID, len(a.base))
	for _, base := range a.base {
		counts[base]++
	}
	for base, n := range counts {
		a.members[base], ids = ids[:0:n], ids[n:]
	}
	for i, base := range a.base {
		a.members[base] = append(a.members[base], graph.TensorID(i))
	}
}

// join makes the members of one base those of another, in which that lies at the given place, within the bytes [within.from,
// within.to).
func (a *analysis) join(from, to graph.TensorID, at place, within span) {
	for _, id := range a.members[from] {
		a.base[id] = to
		a.lies[id], _ = a.lies[id].within(at, a.bytes(id))
		switch {
		case !a.lies[id].strided():
			a.held[id] = span{a.lies[id].at, a.lies[id].end(a.bytes(id))}
		case at.strided():
			a.held[id] = within
		default:
			a.held[id] = span{a.held[id].from + at.at, a.held[id].to + at.at}
		}
	}
	a.members[to] = append(a.members[to], a.members[from]...)
	a.members[from] = nil
}

func (a *analysis) bytes(id graph.TensorID) int64 {
	t := &a.g.Tensors[id]
	size, ok := t.Shape.Bytes(t.DType)
	if !ok {
		return -1
	}
	return size
}

// joinParts puts the pieces of concatenations, splits, slices and paddings into the bytes of their wholes. A tensor that is a
// piece of two concatenations lies in the first: the second copies it, unless it has all pieces of the first in the same
// order, or can take the bytes of the first over because what else is in there is dead by then; see succeeds. What the caller
// or nobody may overwrite stays where it is, and so does what would become rows that an op cannot take; see takesRows.
func (a *analysis) joinParts(opts Options) {
	for step := range a.g.Ops {
		op := &a.g.Ops[step]
		parts := a.g.Parts(op)
		covered := a.covered(parts)
		for _, part := range parts {
			moved, ok := a.moved(part)
			if !ok || !a.fits(part, moved) {
				continue
			}
			from, to := a.base[part.Piece], a.base[part.Whole]
			alone := covered[stand{from, moved}] == a.bytes(from)
			if (alone && !a.reused[to] || a.succeeds(part, parts)) && (opts.Divide == nil || opts.Divide(op, part)) && a.takesRows(op, from, to, moved, opts.Strided) {
				a.reused[to] = a.reused[to] || a.reused[from] || !alone
				a.join(from, to, moved, a.held[part.Whole])
				a.joined = append(a.joined, part)
			}
		}
	}
}

// target is where the piece of a part belongs in the base of its whole; false when that is neither a run nor rows.
func (a *analysis) target(part graph.Part) (place, bool) {
	return place{part.Offset, part.Row, part.Stride}.within(a.lies[part.Whole], a.bytes(part.Piece))
}

// moved is where the base of a piece lies within that of its whole when the piece lies where it belongs; false when there is no
// such place.
func (a *analysis) moved(part graph.Part) (place, bool) {
	to, ok := a.target(part)
	if !ok {
		return place{}, false
	}
	base := a.base[part.Piece]
	bytes := a.bytes(base)
	from := a.lies[part.Piece]
	at, ok := moving(from, to, from == place{} && a.bytes(part.Piece) == bytes, bytes)
	if !ok {
		return place{}, false
	}
	stands, ok := from.within(at, a.bytes(part.Piece))
	return at, ok && stands == to
}

// stand is a base and where it would lie within another.
type stand struct {
	base graph.TensorID
	at   place
}

// covered says how many bytes of each base the parts of an op hold. What else is in a base would come to lie on other parts of
// the whole.
func (a *analysis) covered(parts []graph.Part) map[stand]int64 {
	out := make(map[stand]int64, len(parts))
	for _, part := range parts {
		if at, ok := a.moved(part); ok {
			out[stand{a.base[part.Piece], at}] += a.bytes(part.Piece)
		}
	}
	return out
}

// fits reports whether all that shares bytes with the piece can move into the bytes of the whole.
func (a *analysis) fits(part graph.Part, moved place) bool {
	from, to := a.base[part.Piece], a.base[part.Whole]
	if from == to || !a.movable(from) || a.g.Tensors[to].Role == graph.State || a.g.Tensors[to].Role == graph.Constant {
		return false
	}
	for _, id := range []graph.TensorID{part.Piece, part.Whole} {
		if a.g.Tensors[id].Given != nil || a.g.Tensors[id].Role == graph.State {
			return false
		}
	}
	bytes := a.bytes(from)
	return bytes >= 0 && moved.at >= 0 && moved.end(bytes) <= a.bytes(to)
}

// movable reports whether ops of the graph write all of a base's bytes.
func (a *analysis) movable(base graph.TensorID) bool {
	role := a.g.Tensors[base].Role
	return role != graph.Constant && role != graph.State && !a.input[base] && a.producer[base] >= 0
}

// overwrite lets results take over the bytes of operands that die, in order of execution. Lifetimes of bases are extended as
// they go.
func (a *analysis) overwrite(allowed func(operand, result graph.TensorID) bool) {
	for step := range a.g.Ops {
		op := &a.g.Ops[step]
		for _, i := range a.g.Overwrites(op) {
			operand, result := op.Inputs[i], op.Outputs[0]
			if o, ok := a.takesOver(op, operand, result); ok && a.free(o, int64(step)) && (allowed == nil || allowed(operand, result)) {
				first, last := a.first[o.from], a.last[o.from]
				a.join(o.from, o.to, place{at: o.at}, span{})
				a.first[o.to], a.last[o.to] = min(a.first[o.to], first), max(a.last[o.to], last)
				break
			}
		}
	}
}

// takeover says how the bytes of a result and of an operand become the same: those of one base become a run of the other's, from the
// byte at on.
type takeover struct {
	from, to        graph.TensorID
	at              int64
	operand, result stretch
}

// stretch is a run of bytes of a base.
type stretch struct {
	base     graph.TensorID
	at, size int64
}

func (a *analysis) stretch(id graph.TensorID) stretch {
	return stretch{a.base[id], a.lies[id].at, a.bytes(id)}
}

// takesOver finds how a result could take over the bytes of an operand where nobody else wants them, so that it depends on the
// lifetimes alone whether it can. Either both lie the same way in buffers of the same size; or the result is all of its buffer, and
// becomes a piece of the operand's; or the operand is, and becomes a piece of the result's. Rows are neither taken over nor take over.
func (a *analysis) takesOver(op *graph.Op, operand, result graph.TensorID) (takeover, bool) {
	x, y := a.stretch(operand), a.stretch(result)
	if x.base == y.base || x.size <= 0 || x.size != y.size || !a.movable(y.base) || a.g.Tensors[result].Role == graph.State ||
		a.lies[operand].strided() || a.lies[result].strided() || a.readsBeside(op, operand) {
		return takeover{}, false
	}
	out := takeover{from: y.base, to: x.base, at: x.at - y.at, operand: x, result: y}
	switch size, other := a.bytes(x.base), a.bytes(y.base); {
	case size == other && x.at == y.at && !a.persists(x.base):
		// All of both, so that what lies beside the two moves too.
		out.operand.at, out.operand.size, out.result.at, out.result.size = 0, size, 0, size
	case y.size == other && !slices.ContainsFunc(a.members[y.base], a.alone) && !slices.ContainsFunc(a.meeting(x), a.persisting):
	case x.size == size && !a.persists(x.base) && a.movable(x.base):
		out.from, out.to, out.at = x.base, y.base, y.at
	default:
		return takeover{}, false
	}
	return out, true
}

// free reports whether the bytes of the operand hold nothing that is needed after the step, and those of the result nothing that is
// there before.
func (a *analysis) free(o takeover, step int64) bool {
	return !slices.ContainsFunc(a.meeting(o.operand), func(id graph.TensorID) bool { return a.ownLast[id] > step+1 }) &&
		!slices.ContainsFunc(a.meeting(o.result), func(id graph.TensorID) bool { return a.ownFirst[id] < step })
}

// meeting lists the tensors that hold some of a stretch's bytes.
func (a *analysis) meeting(s stretch) []graph.TensorID {
	var out []graph.TensorID
	for _, id := range a.members[s.base] {
		if a.used[id] && meet(place{at: s.at}, s.size, a.lies[id], a.bytes(id)) {
			out = append(out, id)
		}
	}
	return out
}

// persists reports whether somebody outside of the graph or a later run reads the bytes of a base.
func (a *analysis) persists(base graph.TensorID) bool {
	return slices.ContainsFunc(a.members[base], a.persisting)
}

func (a *analysis) persisting(id graph.TensorID) bool {
	t := &a.g.Tensors[id]
	return t.Role == graph.Constant || t.Role == graph.State || t.Given != nil || a.output[id] || a.kept[id]
}

// readsBeside reports whether the op reads bytes of the operand in another way too, as a broadcast view of it would be, or at all
// where that is not element by element: where the operand is added to the sums of a convolution, which reads all of its data for
// each element, and where an op goes through groups.
func (a *analysis) readsBeside(op *graph.Op, operand graph.TensorID) bool {
	at, convolves := op.Residual()
	alone, x := convolves || op.InGroups(), a.stretch(operand)
	for i, id := range op.Inputs {
		if id < 0 || a.base[id] != x.base || !meet(place{at: x.at}, x.size, a.lies[id], a.bytes(id)) {
			continue
		}
		if alone && i != at || id != operand && (a.lies[id] != place{at: x.at} || !a.g.Tensors[id].Shape.Equal(a.g.Tensors[operand].Shape)) {
			return true
		}
	}
	return false
}
