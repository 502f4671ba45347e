package view

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/text"

	"github.com/memplan/memplan/planner/plan"
)

// mostBars is the number of steps up to which each has a bar; of longer graphs several steps share one, the fullest of which
// is drawn.
const mostBars = 60

// bars draws a bar for each step of each graph in each pool that the graph changes, as long as the bytes that are live:
//
//	Pool arena, graph net: at most 448 bytes live
//	  0  conv1  448  ████████████████████ peak
//	  1  relu   320  ██████████████▍
func (v showHuman) bars(b *strings.Builder, p *plan.Plan) {
	for i := range p.Pools {
		for j := range p.Graphs {
			v.poolBars(b, p, &p.Pools[i], &p.Graphs[j])
		}
	}
}

func (v showHuman) poolBars(b *strings.Builder, p *plan.Plan, pool *plan.Pool, g *plan.Graph) {
	live := liveBytes(p, pool, g)
	if live == nil {
		return
	}
	top := int64(0)
	for _, n := range live {
		top = max(top, n)
	}
	if pool.Capacity != nil {
		fmt.Fprintf(b, "%s: at most %d bytes live of %d\n", v.out().bold("Pool "+pool.Name+", graph "+g.Name), top, *pool.Capacity)
	} else {
		fmt.Fprintf(b, "%s: at most %d bytes live\n", v.out().bold("Pool "+pool.Name+", graph "+g.Name), top)
	}
	width := v.term.OutWidth
	if width == 0 {
		width = fallbackWidth
	}
	rows := rowsOf(live, g)
	step, name, size := 0, 0, 0
	for _, r := range rows {
		step, size = max(step, len(r.step)), max(size, len(fmt.Sprint(r.bytes)))
		name = max(name, min(text.StringWidthWithoutEscSequences(r.name), leastName*2))
	}
	room := max(10, width-step-name-size-13)
	for _, r := range rows {
		note := ""
		if r.bytes == top {
			note = " " + v.out().yellow("peak")
		}
		line := fmt.Sprintf("  %*s  %s  %*d  %s%s", step, r.step, text.Pad(shorten(r.name, name), name, ' '), size, r.bytes, v.out().faint(bar(r.bytes, top, room)), note)
		b.WriteString(strings.TrimRight(line, " ") + "\n")
	}
	b.WriteByte('\n')
}

// barRow is one bar: a step, or several of a long graph with the fullest one's name and bytes.
type barRow struct {
	step, name string
	bytes      int64
}

func rowsOf(live []int64, g *plan.Graph) (rows []barRow) {
	n := len(live)
	count := min(n, mostBars)
	for i := range count {
		from, to := int(cut(int64(n), i, count)), int(cut(int64(n), i+1, count))
		fullest := from
		for s := from; s < to; s++ {
			if live[s] > live[fullest] {
				fullest = s
			}
		}
		row := barRow{step: fmt.Sprint(from), bytes: live[fullest]}
		if to-from > 1 {
			row.step = fmt.Sprintf("%d-%d", from, to-1)
		}
		if fullest < len(g.Steps) {
			row.name = visible(g.Steps[fullest].Name)
		}
		rows = append(rows, row)
	}
	return rows
}

// liveBytes returns for each step the bytes of the pool that are live, nil when the graph leaves the pool as it is. It costs O(tensors + steps).
func liveBytes(p *plan.Plan, pool *plan.Pool, g *plan.Graph) []int64 {
	steps := int64(len(g.Steps))
	for _, t := range g.Tensors {
		if t.Pool == pool.Name && t.Role != "constant" {
			steps = max(steps, t.Last)
		}
	}
	change := make([]int64, steps+1)
	changes := false
	for _, t := range g.Tensors {
		if t.Pool != pool.Name || t.ViewOf != nil || t.Size == 0 || t.Last <= t.First || t.First < 0 {
			continue
		}
		for _, piece := range t.Pieces() {
			change[piece.First] += piece.To - piece.From
			change[min(piece.Last, steps)] -= piece.To - piece.From
		}
		changes = changes || t.Role != "constant"
	}
	for _, o := range g.Overlaps() {
		if o.Pool == pool.Name && o.Step >= 0 && o.Step < steps {
			change[o.Step] -= o.Bytes
			change[o.Step+1] += o.Bytes
		}
	}
	if !changes || steps == 0 {
		return nil
	}
	for s := int64(1); s < steps; s++ {
		change[s] += change[s-1]
	}
	return change[:steps]
}

// eighths are the ends of bars, an eighth of a column each.
var eighths = []string{"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"}

// bar is n of the whole as a bar of at most so many columns.
func bar(n, whole int64, columns int) string {
	if whole <= 0 || n <= 0 {
		return ""
	}
	parts := int(float64(n) / float64(whole) * float64(columns*8))
	return strings.Repeat("█", parts/8) + eighths[parts%8]
}
