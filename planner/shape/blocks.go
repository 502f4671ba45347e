package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/array"
)

// depthToSpace: blocks of channels become space.
func depthToSpace(n *node) ([]array.Type, error) { return n.moveBlocks(true) }

// spaceToDepth: blocks of space become channels.
func spaceToDepth(n *node) ([]array.Type, error) { return n.moveBlocks(false) }

// moveBlocks moves blocks between channels and space: space is multiplied by the block and channels are divided by its
// area, or the other way round.
func (n *node) moveBlocks(toSpace bool) ([]array.Type, error) {
	if err := n.wantRank(0, 4); err != nil {
		return nil, err
	}
	l, err := n.layoutOf(0)
	if err != nil {
		return nil, err
	}
	block, err := n.positiveAttr("blocksize", 0)
	if err != nil {
		return nil, err
	}
	var c checked
	area := c.mul(block, block)
	if c.overflow {
		return nil, n.overflows(l.channel, n.shape(0))
	}
	out := n.shape(0).Clone()
	if out[l.channel], err = n.scaleAxis(l.channel, area, !toSpace); err != nil {
		return nil, err
	}
	for _, axis := range l.space() {
		if out[axis], err = n.scaleAxis(axis, block, toSpace); err != nil {
			return nil, err
		}
	}
	return one(n.dtype(0), out), nil
}

// scaleAxis returns the extent of an axis of input 0 multiplied by a factor, or divided by it, which must be exact.
func (n *node) scaleAxis(axis int, factor int64, grow bool) (int64, error) {
	extent := n.shape(0)[axis]
	if grow {
		var c checked
		if extent = c.mul(extent, factor); c.overflow {
			return 0, n.overflows(axis, n.shape(0))
		}
		return extent, nil
	}
	if extent%factor != 0 {
		return 0, n.fault(diag.ExtentMismatch, "moves blocks, but axis %d of %s has %d elements, which %d does not divide. Correct the blocksize.",
			axis, n.operand(0), extent, factor)
	}
	return extent / factor, nil
}
