package schedule

import "slices"

// Usage returns for each position of an order the bytes that are live while the op there runs. The order must be valid. It
// costs O(ops + touches).
func (p *Problem) Usage(order []int) []int64 {
	c := newCounter(p)
	out := make([]int64, len(order))
	for i, v := range order {
		out[i] = c.use(v)
		c.run(v)
	}
	return out
}

// Peak is the largest usage of an order, 0 for an empty one.
func (p *Problem) Peak(order []int) int64 {
	if len(order) == 0 {
		return 0
	}
	return slices.Max(p.Usage(order))
}

// given is the order of the problem itself.
func (p *Problem) given() []int {
	order := make([]int, len(p.Ops))
	for i := range order {
		order[i] = i
	}
	return order
}

// counter follows the live bytes along one order.
type counter struct {
	p *Problem
	// left is the number of ops that are yet to touch each buffer; born says that its bytes are live or were.
	left []int
	born []bool
	live int64
	// first is the bytes that only the first op sees, 0 once it has run.
	first int64
}

func newCounter(p *Problem) *counter {
	c := &counter{p: p, left: make([]int, len(p.Buffers)), born: make([]bool, len(p.Buffers)), first: p.First}
	for i := range p.Ops {
		for _, b := range p.Ops[i].Touches {
			c.left[b]++
		}
	}
	for b := range p.Buffers {
		if p.Buffers[b].Before && c.left[b] > 0 {
			c.born[b] = true
			c.live += p.Buffers[b].Size
		}
	}
	return c
}

// use is the bytes that are live while v runs next.
func (c *counter) use(v int) int64 {
	op := &c.p.Ops[v]
	total := c.live + c.first + op.Scratch
	for _, b := range op.Touches {
		if !c.born[b] {
			total += c.p.Buffers[b].Size
		}
	}
	shared := int64(0)
	for _, r := range op.Reuses {
		if r.Bytes > shared && !slices.ContainsFunc(r.From, func(b int) bool { return c.outlives(b, op) }) &&
			!slices.ContainsFunc(r.To, func(b int) bool { return c.born[b] }) {
			shared = r.Bytes
		}
	}
	return total - shared
}

// outlives reports whether a buffer is needed after an op that runs next.
func (c *counter) outlives(b int, op *Op) bool {
	own := 0
	if slices.Contains(op.Touches, b) {
		own = 1
	}
	return c.p.Buffers[b].After || c.left[b] > own
}

func (c *counter) run(v int) {
	c.first = 0
	for _, b := range c.p.Ops[v].Touches {
		buffer := &c.p.Buffers[b]
		if !c.born[b] {
			c.born[b] = true
			c.live += buffer.Size
		}
		if c.left[b]--; c.left[b] == 0 && !buffer.After {
			c.live -= buffer.Size
		}
	}
}
