package shape

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// loss: scores [N, C, D...] and targets [N, D...] give one number, or one for each target; a second output has the
// shape of the scores.
func loss(n *node) ([]array.Type, error) {
	if err := n.wantMinRank(0, 2); err != nil {
		return nil, err
	}
	if err := n.wantRank(1, n.rank(0)-1); err != nil {
		return nil, err
	}
	reduction, err := n.stringAttr("reduction", "mean")
	if err != nil {
		return nil, err
	}
	out := graph.Shape{}
	switch reduction {
	case "none":
		out = n.shape(1).Clone()
	case "mean", "sum":
	default:
		return nil, n.fault(diag.InvalidAttribute, "has the reduction %q; known are none, mean and sum. Correct the attribute.", reduction)
	}
	return []array.Type{{DType: n.dtype(0), Shape: out}, n.clone(0)}, nil
}
