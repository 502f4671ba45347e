package server

import (
	"context"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
)

// codeLens shows above pools and graphs what the last plan says of them and what can be done with it, and runs to clients
// that can start one.
func codeLens(ctx context.Context, q *query, _ *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	lenses := []protocol.CodeLens{}
	planned, _ := q.Planned()
	for _, b := range q.Document.Outline().Root.Blocks {
		if !b.Opened || b.Label() == "" {
			continue
		}
		for _, command := range q.commandsOf(b, planned != nil) {
			lenses = append(lenses, protocol.CodeLens{Range: q.Document.Range(b.Header), Command: &command})
		}
	}
	return lenses, nil
}

// commandsOf are the commands that are offered at a block.
func (q *query) commandsOf(b *outline.Block, isPlanned bool) []protocol.Command {
	target := commandTarget{URI: q.Document.URI}
	command := func(title, name string) protocol.Command {
		return protocol.Command{Title: title, Command: name, Arguments: []any{target}}
	}
	switch b.Type {
	case "pool":
		target.Pool = b.Label()
	case "graph":
		target.Graph = b.Label()
	case "run":
		if q.server.client.startsRuns {
			target.Run = b.Label()
			return []protocol.Command{command("run", "memplan.run")}
		}
		return nil
	default:
		return nil
	}
	if !isPlanned {
		return []protocol.Command{command("plan", commandPlan)}
	}
	planned, _ := q.Planned()
	title := planLabel(planned.Plan, b)
	if title == "" {
		return []protocol.Command{command("plan", commandPlan)}
	}
	return []protocol.Command{command(title, commandExplain), command("show map", commandShowMap)}
}
