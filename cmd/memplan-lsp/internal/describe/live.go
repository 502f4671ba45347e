package describe

import (
	"strings"

	"github.com/memplan/memplan/planner/plan"
)

// LiveBytes sums for each step of a graph the bytes of the tensors of a pool that are live at it, shared ones once. It costs O(steps +
// tensors).
func LiveBytes(g *plan.Graph, pool string) []int64 {
	changes := make([]int64, len(g.Steps)+1)
	clamp := func(step int64) int64 { return min(max(step, 0), int64(len(g.Steps))) }
	for i := range g.Tensors {
		if t := &g.Tensors[i]; t.Pool == pool && t.ViewOf == nil {
			for _, piece := range t.Pieces() {
				changes[clamp(piece.First)] += piece.To - piece.From
				changes[clamp(piece.Last)] -= piece.To - piece.From
			}
		}
	}
	for _, o := range g.Overlaps() {
		if o.Pool == pool {
			changes[clamp(o.Step)] -= o.Bytes
			changes[clamp(o.Step+1)] += o.Bytes
		}
	}
	live := make([]int64, len(g.Steps))
	var sum int64
	for i := range live {
		sum += changes[i]
		live[i] = sum
	}
	return live
}

// sparkWidth is the most characters of a sparkline.
const sparkWidth = 48

// Sparkline draws values as a line of bars, the largest as a full one. Of values that share a bar the largest counts.
func Sparkline(values []int64) string {
	var largest int64
	for _, v := range values {
		largest = max(largest, v)
	}
	if largest <= 0 {
		return ""
	}
	bars := []rune("▁▂▃▄▅▆▇█")
	width := min(sparkWidth, len(values))
	var b strings.Builder
	for i := range width {
		var v int64
		for _, value := range values[i*len(values)/width : (i+1)*len(values)/width] {
			v = max(v, value)
		}
		at := int(float64(v) / float64(largest) * float64(len(bars)-1))
		b.WriteRune(bars[min(max(at, 0), len(bars)-1)])
	}
	return b.String()
}
