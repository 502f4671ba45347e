package server

import (
	"bytes"
	"fmt"
	"slices"

	"go.lsp.dev/jsonrpc2"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
	"github.com/memplan/memplan/planner/export/picture"
	"github.com/memplan/memplan/planner/plan"
)

// memoryMap draws the plan, or what of it is of the graph or in the pool.
func (q *query) memoryMap(target *commandTarget) (string, error) {
	planned, err := q.lastPlan()
	if err != nil {
		return "", err
	}
	subject := picture.Subject{Plan: planned.Plan, Graph: target.Graph}
	if target.Graph != "" && !slices.ContainsFunc(planned.Plan.Graphs, func(g plan.Graph) bool { return g.Name == target.Graph }) {
		return "", jsonrpc2.Errorf(wire.RequestFailed, "the plan has no graph %q", target.Graph)
	}
	if target.Pool != "" {
		if subject.Plan = withPool(planned.Plan, target.Pool); len(subject.Plan.Pools) == 0 {
			return "", jsonrpc2.Errorf(wire.RequestFailed, "the plan has no pool %q", target.Pool)
		}
	}
	var out bytes.Buffer
	if err := picture.SVG(&out, subject); err != nil {
		return "", fmt.Errorf("drawing: %w", err)
	}
	return out.String(), nil
}

// withPool is the plan with one of its pools only.
func withPool(p *plan.Plan, name string) *plan.Plan {
	one := *p
	one.Pools = slices.DeleteFunc(slices.Clone(p.Pools), func(pool plan.Pool) bool { return pool.Name != name })
	return &one
}
