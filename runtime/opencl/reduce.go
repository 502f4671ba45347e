package opencl

import (
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/form"
)

// reduction says what the reducing kernels do with each element and with the sum, by the numbers of the kernels.
type reduction struct{ op, end int }

// The numbers of reduce.cl.
const (
	reduceSum = iota
	reduceMax
	reduceMin
	reduceProduct
	reduceMagnitude
	reduceSquare
)

const (
	endMean = 1 + iota
	endRoot
	endLogarithm
)

// reductions are the ops that fold axes.
var reductions = map[string]reduction{
	"ReduceSum": {reduceSum, 0}, "ReduceMean": {reduceSum, endMean}, "ReduceLogSum": {reduceSum, endLogarithm},
	"ReduceMax": {reduceMax, 0}, "ReduceMin": {reduceMin, 0}, "ReduceProd": {reduceProduct, 0},
	"ReduceL1": {reduceMagnitude, 0}, "ReduceL2": {reduceSquare, endRoot}, "ReduceSumSquare": {reduceSquare, 0},
}

var reduceBuilders = func() map[string]builder {
	all := map[string]builder{"ReduceLogSumExp": buildReduce}
	for name := range reductions {
		all[name] = buildReduce
	}
	return all
}()

// buildReduce binds a reduction over the axes of input 1, which are constants; without any it folds all, or none when
// noop_with_empty_axes is set. Floats are summed in their own type, 16 sums side by side, integers in 64 bits.
func buildReduce(b *site) ([]launch, error) {
	in, err := b.need(0)
	if err != nil {
		return nil, err
	}
	out, err := b.needResult(0)
	if err != nil {
		return nil, err
	}
	takes := numbers
	if b.op.Op == "ReduceMax" || b.op.Op == "ReduceMin" {
		takes |= ofBools
	}
	if in.t.DType != out.t.DType || kindOf(in.t.DType)&takes == 0 {
		return nil, form.RefuseTensor(out.t, "elements of type %v do not reduce to %v", in.t.DType, out.t.DType)
	}
	var axes []int64
	if b.input(1) != nil {
		if axes, err = b.ints(1); err != nil {
			return nil, err
		}
	}
	if len(axes) == 0 && b.op.Attrs.Int("noop_with_empty_axes", 0) != 0 {
		return buildCopy(b)
	}
	reduced, err := axisSet(axes, len(in.shape()))
	if err != nil {
		return nil, err
	}
	if err := b.wantShape(out, reducedShape(in.shape(), reduced, b.op.Attrs.Int("keepdims", 1) != 0)); err != nil {
		return nil, err
	}
	x, err := b.numbersOf(in)
	if err != nil {
		return nil, err
	}
	y, err := b.resultNumbers(out, false)
	if err != nil {
		return nil, err
	}
	return one(b.reduce(b.op.Op, x, y, reduced))
}

// axisSet says for each axis whether it is named, all of them when none is.
func axisSet(axes []int64, rank int) ([]bool, error) {
	set := make([]bool, rank)
	for i := range set {
		set[i] = len(axes) == 0
	}
	for _, a := range axes {
		axis, err := axisOf(a, rank)
		if err != nil {
			return nil, err
		}
		if set[axis] {
			return nil, form.Refuse("axis %d is named twice", axis)
		}
		set[axis] = true
	}
	return set, nil
}

// reducedShape is what is left of a shape, with 1 for each reduced axis when they are kept.
func reducedShape(shape graph.Shape, reduced []bool, keep bool) []int {
	list := []int{}
	for i, d := range shape {
		switch {
		case !reduced[i]:
			list = append(list, int(d))
		case keep:
			list = append(list, 1)
		}
	}
	return list
}

// folding is the axes of a reduction as kernels take them: those that are kept and those that are reduced, merged.
type folding struct {
	kept, folded           []int
	keptSteps, foldedSteps []int
}

func foldingOf(shape graph.Shape, reduced []bool) folding {
	var f folding
	steps := rowMajor(extentsOf(shape))
	var kept, folded [2][]int
	for i, d := range shape {
		to := &kept
		if reduced[i] {
			to = &folded
		}
		to[0], to[1] = append(to[0], int(d)), append(to[1], steps[i])
	}
	var s [][]int
	f.kept, s = mergeAxes(kept[0], [][]int{kept[1]})
	f.keptSteps = s[0]
	f.folded, s = mergeAxes(folded[0], [][]int{folded[1]})
	f.foldedSteps = s[0]
	return f
}

// packed is a list of at most eight numbers as an argument.
func packed(list []int) (p [maxAxes]int32) {
	for i, v := range list {
		p[i] = int32(v)
	}
	return p
}

// reducing is the variant of the reducing kernels for an element type.
func reducing(dtype graph.DType) source {
	s := numeric("walk+reduce", dtype)
	switch low, _ := limits(dtype); {
	case dtype.IsFloat():
		s.options += " -DFLOATS -DA=" + clTypes[dtype]
	case low < 0:
		s.options += " -DA=long -DLEAST=LONG_MIN"
	default:
		s.options += " -DA=ulong -DLEAST=0"
	}
	return s
}

// reduce returns the launch that folds axes of x.
func (b *site) reduce(name string, x, y *flat, reduced []bool) (launch, error) {
	f := foldingOf(x.shape, reduced)
	if len(f.kept) > maxAxes || len(f.folded) > maxAxes {
		return launch{}, form.Refuse("%d axes that do not merge are more than the kernel walks, %d", max(len(f.kept), len(f.folded)), maxAxes)
	}
	from, count := reducing(x.dtype), volume(f.folded)
	if name == "ReduceLogSumExp" {
		items := volume(f.kept)
		return b.line(from, "reduce_log_sum_exp", items, x, y, items, len(f.kept), packed(f.kept), packed(f.keptSteps),
			count, len(f.folded), packed(f.folded), packed(f.foldedSteps))
	}
	r := reductions[name]
	start := reduceStart(r.op, x.dtype)
	last := len(f.folded) - 1
	if f.foldedSteps[last] == 1 && f.folded[last] > 0 {
		items := volume(f.kept)
		return b.line(from, "reduce_rows", items, x, y, items, len(f.kept), packed(f.kept), packed(f.keptSteps),
			volume(f.folded[:last]), last, packed(f.folded[:last]), packed(f.foldedSteps[:last]), f.folded[last], r.op, r.end, count, start)
	}
	w, steps := rowsOf(f.kept, f.keptSteps)
	args := append(append([]any{x, y}, w.args()...), steps...)
	args = append(args, count, len(f.folded), packed(f.folded), packed(f.foldedSteps), r.op, r.end, count, start)
	return b.line(from, "reduce_columns", w.items(), args...)
}

// reduceStart is what a fold starts from, in the type of the sums.
func reduceStart(op int, dtype graph.DType) any {
	low, _ := limits(dtype)
	if dtype.IsFloat() {
		return scalar{dtype, []float64{0, math.Inf(-1), math.Inf(1), 1, 0, 0}[op]}
	}
	bits := uint(8 * dtype.Size())
	least, most := int64(0), int64(1)<<(bits-1)-1
	if low < 0 {
		least = -1 << (bits - 1)
	} else {
		most = int64(^uint64(0) >> (64 - bits))
	}
	return []int64{0, least, most, 1, 0, 0}[op]
}
