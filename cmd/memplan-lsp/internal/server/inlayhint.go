package server

import (
	"context"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/describe"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// inlayHintParams and inlayHintItem are of LSP 3.17.
type inlayHintParams struct {
	Range protocol.Range `json:"range"`
}

type inlayHintItem struct {
	Position    protocol.Position `json:"position"`
	Label       string            `json:"label"`
	PaddingLeft bool              `json:"paddingLeft"`
	Tooltip     string            `json:"tooltip,omitempty"`
}

// inlayHint shows the plan's numbers beside the blocks, and sizes in the other unit.
func inlayHint(ctx context.Context, q *query, p *inlayHintParams) ([]inlayHintItem, error) {
	loaded, err := q.Loaded(ctx)
	if err != nil {
		return nil, err
	}
	h := &hinting{query: q, loaded: loaded, within: outline.Span{Start: q.offset(p.Range.Start), End: q.offset(p.Range.End)}, hints: []inlayHintItem{}}
	h.plan()
	q.Document.Outline().EachAttribute(h.size)
	slices.SortStableFunc(h.hints, func(a, b inlayHintItem) int { return comparePositions(a.Position, b.Position) })
	return h.hints, nil
}

type hinting struct {
	*query
	loaded *session.Loaded
	within outline.Span
	hints  []inlayHintItem
}

func (h *hinting) add(offset int, label, tooltip string) {
	if label != "" && h.within.Contains(offset) {
		h.hints = append(h.hints, inlayHintItem{Position: h.Document.Mapper.Position(offset), Label: label, PaddingLeft: true, Tooltip: tooltip})
	}
}

// plan adds what the last plan says of each block.
func (h *hinting) plan() {
	planned, current := h.Planned()
	if planned == nil {
		return
	}
	tooltip := ""
	if !current {
		tooltip = "of the text before the last change"
	}
	for _, b := range h.Document.Outline().Root.Blocks {
		if len(b.Labels) > 0 && b.Opened {
			h.add(b.Header.End, planLabel(planned.Plan, b), tooltip)
		}
	}
}

// planLabel is what the plan says of a block, "" for most.
func planLabel(p *plan.Plan, b *outline.Block) string {
	switch b.Type {
	case "pool":
		return poolLabel(p, b.Label())
	case "graph":
		if bytes, ok := describe.Placed(p, b.Label()); ok {
			return "places " + units.FormatBytes(bytes)
		}
	case "scope_rule":
		count, bytes := describe.Decided(p, b.Label())
		return fmt.Sprintf("decides %s, %s", describe.Count(count, "tensor"), units.FormatBytes(bytes))
	}
	return ""
}

func poolLabel(p *plan.Plan, name string) string {
	for i := range p.Pools {
		pool := &p.Pools[i]
		if pool.Name != name {
			continue
		}
		label := "peak " + units.FormatBytes(pool.Peak)
		if pool.Capacity != nil {
			label += " of " + units.FormatBytes(*pool.Capacity)
			if *pool.Capacity > 0 {
				label += fmt.Sprintf(" (%.0f%%)", 100*float64(pool.Peak)/float64(*pool.Capacity))
			}
		}
		return label
	}
	return ""
}

// size adds a size in the other unit: bytes beside text, a unit beside a large number or what is computed.
func (h *hinting) size(a *outline.Attribute) {
	if a.Schema == nil || a.Schema.Type != schema.Size || !h.within.Contains(a.Value.End) {
		return
	}
	text := h.Document.Outline().Text(a.Value)
	value, ok := h.evaluate(h.loaded, text)
	if !ok {
		return
	}
	n, ok := sizeOf(value)
	if !ok || n < 1024 {
		return
	}
	label := "= " + units.FormatExact(n)
	if text == fmt.Sprint(n) {
		label = "= " + units.FormatBytes(n)
	}
	h.add(a.Value.End, label, "")
}
