package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// batchNormalization: scale, offset, mean and variance have one value for each channel; so have the further outputs.
func batchNormalization(n *node) ([]array.Type, error) {
	channels, err := n.channels()
	if err != nil {
		return nil, err
	}
	types := []array.Type{n.clone(0)}
	for i := 1; i <= 4; i++ {
		if err := n.wantVector(i, channels, "one value for each channel of "+n.operand(0)); err != nil {
			return nil, err
		}
	}
	for range 4 {
		types = append(types, array.Type{DType: n.dtype(3), Shape: graph.Shape{channels}})
	}
	return types, nil
}

// channels returns the channels of input 0.
func (n *node) channels() (int64, error) {
	if n.rank(0) == 1 {
		return 1, nil
	}
	l, err := n.layoutOf(0)
	if err != nil {
		return 0, err
	}
	return n.shape(0)[l.channel], nil
}

// instanceNormalization: scale and offset have one value for each channel.
func instanceNormalization(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 3); err != nil {
		return nil, err
	}
	channels, err := n.channels()
	if err != nil {
		return nil, err
	}
	for i := 1; i <= 2; i++ {
		if err := n.wantVector(i, channels, "one value for each channel of "+n.operand(0)); err != nil {
			return nil, err
		}
	}
	return same(n)
}

// groupNormalization: the groups divide the channels; scale and offset have one value for each channel (for each group
// before opset 21).
func groupNormalization(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 3); err != nil {
		return nil, err
	}
	channels, err := n.channels()
	if err != nil {
		return nil, err
	}
	groups, err := n.positiveAttr("num_groups", 0)
	if err != nil {
		return nil, err
	}
	if channels%groups != 0 {
		return nil, n.fault(diag.GroupMismatch, "has %d groups, which do not divide the %d channels of %s. Correct the attribute num_groups.", groups, channels, n.operand(0))
	}
	for i := 1; i <= 2; i++ {
		if n.rank(i) == 1 && n.shape(i)[0] == groups {
			continue
		}
		if err := n.wantVector(i, channels, "one value for each channel of "+n.operand(0)); err != nil {
			return nil, err
		}
	}
	return same(n)
}

// layerNormalization: the axes from "axis" on are normalised; mean and deviation have extent 1 there.
func layerNormalization(n *node) ([]array.Type, error) {
	axis, err := n.axisAttr("axis", -1, 0)
	if err != nil {
		return nil, err
	}
	for i := 1; i <= 2; i++ {
		if !n.has(i) {
			continue
		}
		if err := n.broadcastTo(i, n.shape(0), n.operand(0)); err != nil {
			return nil, err
		}
	}
	d, err := n.typeAttr("stash_type", graph.Float32)
	if err != nil {
		return nil, err
	}
	reduced := n.shape(0).Clone()
	for k := axis; k < len(reduced); k++ {
		reduced[k] = 1
	}
	return []array.Type{n.clone(0), {DType: d, Shape: reduced}, {DType: d, Shape: reduced.Clone()}}, nil
}

// localResponse: channels are normalised over neighbours; the shape stays.
func localResponse(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 3); err != nil {
		return nil, err
	}
	if _, err := n.positiveAttr("size", 0); err != nil {
		return nil, err
	}
	return same(n)
}
