package eval_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/eval"
)

// TestOfSeveralReasonsOneIsGivenEveryTime repeats, since marks of a value are in no order.
func TestOfSeveralReasonsOneIsGivenEveryTime(t *testing.T) {
	planned := cty.UnknownVal(cty.Number).WithMarks(cty.NewValueMarks(eval.Sensitive, eval.Planned("pool.b.peak"), eval.Planned("pool.a.peak"), eval.Planned("pool.c.peak")))
	for range 50 {
		_, err := eval.CountOf(planned)
		require.EqualError(t, err, "the keys are known only after planning, with pool.a.peak")
		_, err = eval.Elements(planned, false)
		require.EqualError(t, err, "the keys are known only after planning, with pool.a.peak")
	}
}
