package liveness

import (
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// Options say which tensors may share bytes and which must outlive their last reader.
type Options struct {
	// Reshape lets the output of a reshape-like op be a view of its input.
	Reshape bool
	// Mergeable says whether the output of a reshape-like op may share the bytes of its input, as images may not whose
	// texels differ; nil lets all of them. It is asked once for each op that could be a view otherwise, in order of
	// execution. An op for which it says no is an ordinary one, and its output may be the base of further views.
	Mergeable func(input, output graph.TensorID) bool
	// Parts lets the operands of concatenations, splits, slices and paddings lie within one another, see [graph.Graph.Parts].
	Parts bool
	// Divide says whether a tensor may be a run of bytes of another, as images may not; nil lets all be. It is asked for each
	// part of an op that has parts.
	Divide func(op *graph.Op, part graph.Part) bool
	// Strided says whether an op can read or write a tensor as rows of so many bytes with other bytes between them; nil: none can,
	// and only runs lie within others. It is asked for each op that touches the tensor and is not left out.
	Strided func(op *graph.Op, tensor graph.TensorID, row int64) bool
	// InPlace lets ops write their result over an operand that they read for the last time, see [graph.Graph.Overwrites].
	InPlace bool
	// Overwrite says whether a result may take over the bytes of an operand of the same shape; nil lets all do.
	Overwrite func(operand, result graph.TensorID) bool
	// Alone says which results have all bytes of their buffer, as those do that pass to other graphs or lie in memory of the caller:
	// none becomes a piece of an operand's buffer. nil lets all become one.
	Alone func(graph.TensorID) bool
	// Diagonal finds the results that may be written over an operand from below, see [Buffer.Over].
	Diagonal bool
	// KeepInputs keeps the graph's inputs as the caller wrote them to the end of the run.
	KeepInputs bool
	// Keep lists tensors that stay live to the end.
	Keep []graph.TensorID
}

// View is a tensor that shares the bytes of a buffer's own tensor.
type View struct {
	Tensor graph.TensorID
	// Offset counts bytes from the start of the buffer.
	Offset int64
	// Row and Stride are the bytes of a row and those from the start of one to the start of the next; 0 for one run of bytes.
	Row, Stride int64
	// First and Last are the view's own half-open lifetime in steps, within the buffer's.
	First, Last int64
}

// Buffer is memory to place: a tensor with its views, or the scratch memory of an op.
type Buffer struct {
	// Tensor is the tensor that owns the bytes, graph.NoTensor for scratch memory.
	Tensor graph.TensorID
	// Op and Scratch are the op's index and the index into its Scratch, -1 for tensors.
	Op, Scratch int
	// Name is the tensor's, or the scratch buffer's by [graph.Graph.ScratchNames].
	Name string
	// Role is what a pool must hold to take the buffer: input when the graph's caller writes it, else output when the
	// caller reads it or one of its views, else the tensor's own role. Constants and state keep theirs.
	Role graph.Role
	// Size in bytes.
	Size int64
	// Alignment in bytes and Pool are the wishes of an interval file, 0 and "" when there are none.
	Alignment int64
	Pool      string
	// First and Last are the half-open lifetime [First, Last) in steps, up to the end of the last view.
	First, Last int64
	// Views are in order of tensor id.
	Views []View
	// Gaps say which bytes hold nothing that is needed in which steps of the lifetime, because the views that hold them are not
	// written yet or were read for the last time: in order of First, no two overlap.
	Gaps []Gap
	// External marks a buffer that the caller can bind to memory of its own: it or a view is an input or output of the
	// graph.
	External bool
	// Over is set with [Options.Diagonal] when the buffer may be written over another from below, at the step at which the one
	// begins and the other ends; nil otherwise. At most one buffer is over another.
	Over *Over
}

// Analyze finds the buffers of a graph, first those of tensors by tensor id, then scratch memory by op. Every tensor that
// an op touches, that the caller sees, that is state or that comes with a given lifetime is in exactly one buffer, as
// its owner or as a view; unused constants and other leftovers are in none.
//
//   - Written at the producer's step, live up to and including the last reader's. Inputs are written at step 0. A result
//     that nobody reads lives for one step.
//   - Outputs and kept tensors live to the end; constants and state always; scratch memory during its op.
//   - An op's inputs and outputs are live together at its step, but for a result that takes over the bytes of an operand. So are
//     those that a result may be written over from below.
//
// The diagnostics say which tensors or scratch buffers have no usable size. It costs O(tensors + uses).
func Analyze(g *graph.Graph, opts Options) ([]Buffer, diag.Diagnostics) {
	a := newAnalysis(g, opts)
	a.readUses()
	a.share(opts)
	buffers, diags := a.tensorBuffers(opts.Diagonal)
	scratch, more := a.scratchBuffers()
	buffers, diags = append(buffers, scratch...), append(diags, more...)
	total := int64(0)
	for i := range buffers {
		if total > math.MaxInt64-buffers[i].Size {
			return buffers, append(diags, diag.New(diag.TotalSizeOverflow,
				"The buffers of graph %q take more than 2^63-1 bytes in all; %q is the first beyond that. Check the graph's dimensions.", g.Name, buffers[i].Name))
		}
		total += buffers[i].Size
	}
	return buffers, diags
}

// analysis is the state of Analyze. Slices are by tensor id.
type analysis struct {
	g *graph.Graph
	// end is the step after the last one, or the last end of a given lifetime; 1 for a graph with neither.
	end int64
	// first and last are each tensor's own lifetime; used marks tensors that need a buffer.
	first, last []int64
	used        []bool
	// read marks tensors that an op reads.
	read   []bool
	input  []bool
	output []bool
	kept   []bool
	// alone is that of the options.
	alone    func(graph.TensorID) bool
	producer []int
	// base is the tensor whose bytes a view shares, the tensor itself when it has its own, lies the place of the view there, and
	// held the bytes that count as the view's: its own, and with rows those between them, of the tensor that they are rows of.
	base []graph.TensorID
	lies []place
	held []span
	// members are the tensors of each base.
	members [][]graph.TensorID
	// reused marks bases of which some bytes hold one tensor after another; see succeeds.
	reused []bool
	// ancestors are the ops that run before each op in any order, and touched the ops that touch each tensor; nil until asked
	// for.
	ancestors []opSet
	touched   [][]int32
	// joined are the parts whose pieces were put into their wholes.
	joined []graph.Part
	// compared is how many pairs of tensors succeeds has compared.
	compared int
	// ownFirst and ownLast keep the lifetimes before views were merged.
	ownFirst, ownLast []int64
}

func newAnalysis(g *graph.Graph, opts Options) *analysis {
	n := len(g.Tensors)
	a := &analysis{g: g, end: max(1, int64(len(g.Ops))), first: make([]int64, n), last: make([]int64, n), used: make([]bool, n), read: make([]bool, n),
		input: make([]bool, n), output: make([]bool, n), kept: make([]bool, n), producer: g.Producers(), base: make([]graph.TensorID, n), lies: make([]place, n), held: make([]span, n), reused: make([]bool, n)}
	for i := range a.base {
		a.base[i] = graph.TensorID(i)
		a.held[i].to = max(0, a.bytes(graph.TensorID(i)))
	}
	if a.alone = opts.Alone; a.alone == nil {
		a.alone = func(graph.TensorID) bool { return false }
	}
	mark(a.input, g.Inputs)
	mark(a.output, g.Outputs)
	mark(a.kept, opts.Keep)
	if opts.KeepInputs {
		mark(a.kept, g.Inputs)
	}
	for i := range g.Tensors {
		if given := g.Tensors[i].Given; given != nil {
			a.end = max(a.end, given.Last)
		}
	}
	return a
}

func mark(flags []bool, ids []graph.TensorID) {
	for _, id := range ids {
		if id >= 0 && int(id) < len(flags) {
			flags[id] = true
		}
	}
}

// readUses sets each tensor's own lifetime.
func (a *analysis) readUses() {
	for i := range a.g.Tensors {
		a.used[i] = a.input[i] || a.output[i] || a.g.Tensors[i].Role == graph.State || a.g.Tensors[i].Given != nil
		a.first[i] = int64(max(0, a.producer[i]))
		a.last[i] = a.first[i] + 1
	}
	for step := range a.g.Ops {
		op := &a.g.Ops[step]
		for _, id := range op.Inputs {
			if a.g.Tensor(id) != nil {
				a.used[id], a.read[id] = true, true
				a.first[id], a.last[id] = min(a.first[id], int64(step)), max(a.last[id], int64(step)+1)
			}
		}
		mark(a.used, op.Outputs)
	}
	for i := range a.g.Tensors {
		t := &a.g.Tensors[i]
		switch {
		case t.Given != nil:
			a.first[i], a.last[i] = t.Given.First, t.Given.Last
			if a.kept[i] {
				a.last[i] = a.end
			}
		case t.Role == graph.Constant || t.Role == graph.State:
			a.first[i], a.last[i] = 0, a.end
		case a.output[i] || a.kept[i]:
			a.last[i] = a.end
		}
	}
}

// mergeViews extends each buffer's lifetime over its views'.
func (a *analysis) mergeViews() {
	a.ownFirst, a.ownLast = append([]int64{}, a.first...), append([]int64{}, a.last...)
	for i, base := range a.base {
		if a.used[i] {
			a.first[base], a.last[base] = min(a.first[base], a.ownFirst[i]), max(a.last[base], a.ownLast[i])
		}
	}
}

func (a *analysis) tensorBuffers(diagonal bool) ([]Buffer, diag.Diagnostics) {
	var diags diag.Diagnostics
	buffers, index := make([]Buffer, 0, a.bases()), make([]int, len(a.base))
	for i := range a.g.Tensors {
		t, base := &a.g.Tensors[i], a.base[i]
		if !a.used[i] || base != graph.TensorID(i) {
			continue
		}
		size, ok := t.Shape.Bytes(t.DType)
		if !ok {
			diags = append(diags, diag.New(diag.TensorSizeUnknown,
				"The tensor %q has shape %s and element type %s, which give no size in bytes. Bind its dimensions or check the model.", t.Name, t.Shape, t.DType))
			continue
		}
		index[i] = len(buffers)
		buffers = append(buffers, a.buffer(graph.TensorID(i), size))
		if role := t.Role; role != graph.Constant && role != graph.State && t.Given == nil {
			buffers[index[i]].Gaps = a.gaps(graph.TensorID(i), size)
		}
	}
	if diags.HasErrors() {
		return buffers, diags
	}
	for i, base := range a.base {
		if !a.used[i] || base == graph.TensorID(i) {
			continue
		}
		b := &buffers[index[base]]
		b.Views = append(b.Views, View{Tensor: graph.TensorID(i), Offset: a.lies[i].at, Row: a.lies[i].row, Stride: a.lies[i].stride, First: a.ownFirst[i], Last: a.ownLast[i]})
		b.External = b.External || a.output[i]
		if a.output[i] && b.Role == graph.Activation {
			b.Role = graph.Output
		}
	}
	if diagonal {
		a.findOvers(buffers, index)
	}
	return buffers, diags
}

// bases counts the tensors that need bytes of their own.
func (a *analysis) bases() int {
	n := 0
	for i, base := range a.base {
		if a.used[i] && base == graph.TensorID(i) {
			n++
		}
	}
	return n
}

func (a *analysis) buffer(id graph.TensorID, size int64) Buffer {
	t := &a.g.Tensors[id]
	b := Buffer{Tensor: id, Op: -1, Scratch: -1, Name: t.Name, Role: t.Role, Size: size, First: a.first[id], Last: a.last[id],
		External: a.input[id] || a.output[id]}
	switch {
	case t.Role == graph.Constant || t.Role == graph.State:
	case a.input[id]:
		b.Role = graph.Input
	case a.output[id]:
		b.Role = graph.Output
	}
	if t.Given != nil {
		b.Alignment, b.Pool = t.Given.Alignment, t.Given.Pool
	}
	return b
}

func (a *analysis) scratchBuffers() ([]Buffer, diag.Diagnostics) {
	var buffers []Buffer
	var diags diag.Diagnostics
	names := a.g.ScratchNames()
	for step := range a.g.Ops {
		op := &a.g.Ops[step]
		for i, s := range op.Scratch {
			if s.Bytes < 0 {
				diags = append(diags, diag.New(diag.ScratchSizeNegative,
					"The scratch buffer %q of op %q has a size of %d bytes. Give it 0 bytes or more in the graph file.", s.Name, op.Name, s.Bytes))
				continue
			}
			buffers = append(buffers, Buffer{Tensor: graph.NoTensor, Op: step, Scratch: i, Name: names[step][i], Role: graph.Scratch,
				Size: s.Bytes, First: int64(step), Last: int64(step) + 1})
		}
	}
	return buffers, diags
}
