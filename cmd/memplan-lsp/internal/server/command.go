package server

import (
	"context"
	"encoding/json"
	"slices"

	"go.lsp.dev/jsonrpc2"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
	"github.com/memplan/memplan/planner/plan"
)

// The commands. Each takes one argument, a commandTarget.
const (
	// commandPlan waits for the plan of the text as it is now and returns a planSummary.
	commandPlan = "memplan.plan"
	// commandShowMap returns the memory map as the text of an SVG document.
	commandShowMap = "memplan.showMap"
	// commandExplain returns what hovering over the pool, graph, rule or tensor shows, as marked-up text.
	commandExplain = "memplan.explain"
)

func commandNames() []string { return []string{commandExplain, commandPlan, commandShowMap} }

// commandTarget says what a command is about: the configuration of a document, and something in it by name.
type commandTarget struct {
	URI    protocol.DocumentURI `json:"uri"`
	Pool   string               `json:"pool,omitempty"`
	Graph  string               `json:"graph,omitempty"`
	Rule   string               `json:"rule,omitempty"`
	Tensor string               `json:"tensor,omitempty"`
	Run    string               `json:"run,omitempty"`
}

// planSummary is the result of commandPlan.
type planSummary struct {
	// Planned says whether there is a plan of the text as it is now.
	Planned bool          `json:"planned"`
	Pools   []poolSummary `json:"pools"`
	// Problems are the messages of what keeps the configuration from being planned.
	Problems []string `json:"problems"`
}

// poolSummary is a pool of a plan, its numbers in bytes; capacity is null when it has no limit.
type poolSummary struct {
	Name       string `json:"name"`
	Peak       int64  `json:"peak"`
	Bound      int64  `json:"bound"`
	Capacity   *int64 `json:"capacity"`
	Optimality string `json:"optimality"`
}

// executeCommand performs one of the commands.
func (s *Server) executeCommand(raw json.RawMessage) (wire.Work, error) {
	var p struct {
		Command   string          `json:"command"`
		Arguments []commandTarget `json:"arguments"`
	}
	if err := decode(raw, &p); err != nil {
		return nil, err
	}
	if !slices.Contains(commandNames(), p.Command) {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "there is no command %q", p.Command)
	}
	if len(p.Arguments) != 1 || p.Arguments[0].URI == "" {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%s takes one argument, an object with the uri of a document", p.Command)
	}
	target := p.Arguments[0]
	if _, err := s.session.Snapshot(target.URI); err != nil {
		return nil, jsonrpc2.Errorf(jsonrpc2.InvalidParams, "%v: %s", err, target.URI)
	}
	return func(ctx context.Context) (any, error) {
		snapshot, err := s.session.Settled(ctx, target.URI)
		if err != nil {
			return nil, err
		}
		q := &query{Snapshot: snapshot, server: s}
		switch p.Command {
		case commandPlan:
			return q.summarize(ctx)
		case commandShowMap:
			return q.memoryMap(&target)
		default:
			return q.explain(&target)
		}
	}, nil
}

func (q *query) summarize(ctx context.Context) (*planSummary, error) {
	out := &planSummary{Pools: []poolSummary{}, Problems: []string{}}
	planned, current := q.Planned()
	if planned != nil && current {
		out.Planned = true
		for i := range planned.Plan.Pools {
			pool := &planned.Plan.Pools[i]
			out.Pools = append(out.Pools, poolSummary{Name: pool.Name, Peak: pool.Peak, Bound: pool.Bound, Capacity: pool.Capacity, Optimality: pool.Optimality})
		}
	}
	findings, err := q.server.session.Findings(ctx, q.Snapshot)
	if err != nil {
		return nil, err
	}
	for _, f := range findings {
		if f.Shown.Severity == protocol.DiagnosticSeverityError {
			out.Problems = append(out.Problems, f.Shown.Message)
		}
	}
	return out, nil
}

// lastPlan is the plan that commands show. That there is none is the answer to them.
func (q *query) lastPlan() (*session.Planned, error) {
	planned, _ := q.Planned()
	if planned == nil {
		return nil, jsonrpc2.NewError(wire.RequestFailed, "there is no plan: the configuration has errors, or no graph")
	}
	return planned, nil
}

// explain writes what is known of the target.
func (q *query) explain(target *commandTarget) (protocol.MarkupContent, error) {
	planned, err := q.lastPlan()
	if err != nil {
		return protocol.MarkupContent{}, err
	}
	var page *describe.Page
	switch p := planned.Plan; {
	case target.Tensor != "":
		page = describe.Tensor(p, target.Graph, target.Tensor)
	case target.Pool != "":
		page = describe.Pool(p, target.Pool)
	case target.Rule != "":
		page = describe.Rule(p, target.Rule)
	case target.Graph != "":
		page = describe.Graph(p, target.Graph)
	default:
		page = everything(p)
	}
	if page == nil {
		return protocol.MarkupContent{}, jsonrpc2.NewError(wire.RequestFailed, "the plan has nothing of this name")
	}
	return q.server.markup(page, q.server.client.markdownHover), nil
}

// everything is the page of all graphs and pools.
func everything(p *plan.Plan) *describe.Page {
	page := &describe.Page{}
	for i := range p.Graphs {
		page.Add(describe.Graph(p, p.Graphs[i].Name))
	}
	for i := range p.Pools {
		page.Add(describe.Pool(p, p.Pools[i].Name))
	}
	return page
}
