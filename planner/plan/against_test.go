package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestAReasonIsSaidOnceAndThatOfASpillNotAgain(t *testing.T) {
	r := plan.Reason{
		Spill: &plan.Spill{From: []string{"images"}, Because: "it did not fit"},
		Excluded: []plan.Exclusion{{Scope: "global.texture", Because: "it did not fit"}, {Scope: "global.texture-weight", Because: "too wide"},
			{Scope: "other", Because: "no kernel"}, {Scope: "global.texture", Over: "x", Because: "no kernel"}, {Scope: "global.texture-nhwc", Because: "too wide"}},
	}
	require.Equal(t, []plan.Against{{Alternatives: []string{"global.texture-weight", "global.texture-nhwc"}, Because: "too wide"}, {Alternatives: []string{"other", "over x"}, Because: "no kernel"}}, r.Against())
}
