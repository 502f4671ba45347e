package shape

import (
	"math"
	"math/bits"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// checked is integer arithmetic that remembers whether any result left the range of int64. Results after that are
// meaningless; ask once, at the end of a formula.
type checked struct{ overflow bool }

func (c *checked) add(a, b int64) int64 {
	sum := a + b
	if (a < 0) == (b < 0) && (sum < 0) != (a < 0) {
		c.overflow = true
		return 0
	}
	return sum
}

func (c *checked) sub(a, b int64) int64 {
	if b == math.MinInt64 {
		c.overflow = true
		return 0
	}
	return c.add(a, -b)
}

// mul multiplies; the most negative integer counts as overflow.
func (c *checked) mul(a, b int64) int64 {
	hi, lo := bits.Mul64(magnitude(a), magnitude(b))
	if hi != 0 || lo > math.MaxInt64 {
		c.overflow = true
		return 0
	}
	if (a < 0) != (b < 0) {
		return -int64(lo)
	}
	return int64(lo)
}

func magnitude(a int64) uint64 {
	if a < 0 {
		return -uint64(a)
	}
	return uint64(a)
}

// product multiplies the extents of some axes, each 0 or more. A 0 among them makes it 0 whatever the others are.
func (c *checked) product(extents []int64) int64 {
	for _, e := range extents {
		if e == 0 {
			return 0
		}
	}
	total := int64(1)
	for _, e := range extents {
		total = c.mul(total, e)
	}
	return total
}

// divideUp is a/b rounded up, for a >= 0 and b > 0.
func divideUp(a, b int64) int64 {
	if a == 0 {
		return 0
	}
	return (a-1)/b + 1
}

// overflows is the fault of an extent that exceeds an int64.
func (n *node) overflows(axis int, of graph.Shape) error {
	return n.fault(diag.ExtentOverflow, "would write more than 2^63-1 elements on axis %d from the shape %s. Look for a wrong attribute or input of the op.", axis, of)
}
