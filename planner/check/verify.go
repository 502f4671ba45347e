package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// mostReported is how many findings of one kind are told: a plan that is wrong everywhere is not read to its end.
const mostReported = 3

// Verify reports everything in the plan that cannot be right for the graphs, which are in the order of the plan's. A
// plan that is fine gives nothing. It is never told how the plan was made.
//
//   - Each tensor that an op touches, that the caller sees or that is state has one row, of the graph's type and shape, at
//     least as long as its elements and its uses; each scratch buffer has one.
//   - No two tensors that are live together share bytes, but for views, which must lie within their base, live no longer,
//     and come from it through ops that keep bytes, cut them, put them together or may write over an operand. No op writes
//     over what a view, or a later graph, needs later. Graphs run one after the other, but for those that may run at the same time and then
//     share nothing; constants and state of all of them are live always.
//   - A result that is said to be written over an operand from below starts as far below it as the reads of the op's rows ask
//     for, and nobody needs the operand later. The two may share bytes in that step.
//   - Every op runs after those that write its operands, and all but the inputs, constants and state have one.
//   - What is in the bytes of another tensor is an input that is the output of an earlier graph, which then lives as long, or
//     a constant of equal content.
//   - The gaps of a tensor free no bytes in a step in which an op, or what shows them, needs them.
//   - What the plan calls kept lives to the end of its graph.
//   - Every place is in a known pool that may take it, aligned, and within the capacity and the device's max_alloc.
//   - A tensor of a texture scope is in an image that it fits, of its texels and within the device's limits, which no other
//     live tensor uses, but for views of the same texels; every other tensor is in bytes.
//   - The copies between scopes are those that ops make, each from one scope into another.
//   - Storages and the totals of pools agree with the tensors.
//
// It costs O(n log n) for n tensors.
func Verify(p *plan.Plan, graphs []*graph.Graph) diag.Diagnostics {
	c := newChecker(p)
	if len(p.Graphs) != len(graphs) {
		c.report(diag.PlanGraphsDiffer, "The plan has %d graphs and %d were given. Plan again.", len(p.Graphs), len(graphs))
		return c.findings()
	}
	c.forms()
	c.arrange()
	for i, g := range graphs {
		c.graph(i, g)
	}
	c.shares()
	c.tellTime()
	c.diagonals()
	c.overlaps()
	c.apart()
	c.storagesInUse()
	c.totals()
	return c.findings()
}

type checker struct {
	plan *plan.Plan
	// found are the kinds of findings in the order of the first of each.
	found   []finding
	devices map[string]*plan.Device
	// pools and storages are the indexes of names and ids.
	pools    map[string]int
	storages map[int64]int
	// used marks storages that a tensor names.
	used []bool
	// pictures are the images of tensors in texture scopes.
	pictures map[*plan.Tensor]*picture
	// residents are all tensors with bytes of their own and a known pool, shared those in the bytes of others.
	residents []resident
	shared    []shared
	// graphs are those checked so far, and stages the number of the time at which each graph runs.
	graphs []*planned
	stages []int
	// moments are those at which a lifetime starts or ends, ascending.
	moments []moment
}

// resident is a tensor with bytes of its own.
type resident struct {
	t     *plan.Tensor
	graph int
	// space is the address space of the offsets: a flat pool, or one image object.
	space space
	// box is the bytes and the common time, which is known once all graphs were read. An image object is taken whole and has
	// one byte; an image over bytes takes all of its storage's.
	box
	// bytes is what the tensor itself takes.
	bytes int64
	// held is the box without the tensor's gaps, known once the times are.
	held []box
	// always marks what outlives the run.
	always bool
	// until is the end of the last use, of the tensor itself or of an input of another graph in its bytes; readers are those
	// graphs.
	until   moment
	readers []int
	// yields says that a result is written over some of the bytes while they are read for the last time: held is without them.
	yields bool
}

// space is an address space: an image object has one of its own, every other storage is in its pool's.
type space struct {
	pool  int
	image int64
}

// flat is the image of a space that is no image.
const flat int64 = -1

func newChecker(p *plan.Plan) *checker {
	c := &checker{plan: p, devices: map[string]*plan.Device{}, pools: map[string]int{}, storages: map[int64]int{},
		used: make([]bool, len(p.Storages)), pictures: map[*plan.Tensor]*picture{}}
	for i := range p.Devices {
		c.devices[p.Devices[i].Name] = &p.Devices[i]
	}
	for i := range p.Pools {
		c.pools[p.Pools[i].Name] = i
	}
	for i := range p.Storages {
		if _, twice := c.storages[p.Storages[i].ID]; twice {
			c.report(diag.PlanStorageWrong, "The storage %d is listed twice. Plan again.", p.Storages[i].ID)
		}
		c.storages[p.Storages[i].ID] = i
	}
	return c
}

// finding is all that is wrong in one way: how often, and the first few.
type finding struct {
	id    diag.ID
	count int
	first []string
}

// next ends every finding.
const next = " Plan again."

// report counts a finding, and keeps it unless there are enough of its kind.
func (c *checker) report(id diag.ID, format string, args ...any) {
	k := slices.IndexFunc(c.found, func(f finding) bool { return f.id == id })
	if k < 0 {
		k, c.found = len(c.found), append(c.found, finding{id: id})
	}
	if f := &c.found[k]; f.count < mostReported {
		f.first = append(f.first, fmt.Sprintf(format, args...))
	}
	c.found[k].count++
}

// findings are one diagnostic for each kind.
func (c *checker) findings() diag.Diagnostics {
	var diags diag.Diagnostics
	for _, f := range c.found {
		if f.count == 1 {
			diags = append(diags, diag.New(f.id, "%s", f.first[0]))
			continue
		}
		for i := range f.first {
			f.first[i] = strings.TrimSuffix(f.first[i], next)
		}
		text := strings.Join(f.first, " ") + next
		if f.count > len(f.first) {
			text = fmt.Sprintf("There are %d of these faults, and the first are: ", f.count) + text
		}
		diags = append(diags, diag.New(f.id, "%s", text))
	}
	return diags
}

// where writes the place of a tensor, as in `"t1" (bytes [0, 64) of pool "arena", steps [1, 3))`.
func (c *checker) where(t *plan.Tensor) string {
	place := fmt.Sprintf("storage %d of pool %q", t.Storage, t.Pool)
	if t.Offset != nil {
		place = fmt.Sprintf("bytes [%d, %d) of pool %q", *t.Offset, *t.Offset+t.Size, t.Pool)
	}
	return fmt.Sprintf("%q (%s, steps [%d, %d))", t.Name, place, t.First, t.Last)
}
