package exec_test

import (
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// conformancePlan plans a graph for the conformance tests.
func conformancePlan(g *graph.Graph) (*plan.Plan, string) { return buildSequential(g) }
