package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// Solved is what came of a bare layout problem.
type Solved struct {
	Path, Algorithm string
	// Status is "optimal", "feasible", "infeasible" or "unknown".
	Status string
	// Peak and Bound are bytes, sums over the pools; Capacity as well, nil when a pool has none.
	Peak, Bound int64
	Capacity    *int64
	Nodes       int64
	// Placed counts the buffers with a place.
	Placed  int
	Pools   []SolvedPool
	Buffers []SolvedBuffer
	// Conflict are the ids of buffers that cannot be placed together, when that is proved.
	Conflict []string
	Compared []Compared
	// Written is the file that the places were written to, "" when there is none.
	Written     string
	Diagnostics diag.Diagnostics
}

// SolvedPool is the outcome for a pool, in bytes.
type SolvedPool struct {
	Name     string `json:"name"`
	Peak     int64  `json:"peak"`
	Bound    int64  `json:"bound"`
	Capacity *int64 `json:"capacity"`
	// Alignment is that of the pool alone; buffers may have stricter ones.
	Alignment int64 `json:"alignment"`
}

// SolvedBuffer is where a buffer stands; both places are nil when it has none.
type SolvedBuffer struct {
	ID     string  `json:"id"`
	Pool   *string `json:"pool"`
	Offset *int64  `json:"offset"`
}

// Compared is what one algorithm reached.
type Compared struct {
	Algorithm    string  `json:"algorithm"`
	Peak         int64   `json:"peak"`
	Bound        int64   `json:"bound"`
	Status       string  `json:"status"`
	Unplaced     int     `json:"unplaced"`
	Nodes        int64   `json:"nodes"`
	Milliseconds float64 `json:"milliseconds"`
}

// Solve shows the outcome of a layout problem.
type Solve interface {
	Verb
	Result(*Solved)
}

// NewSolve returns the renderer for people or the JSON one.
func NewSolve(asJSON bool, term *Terminal, sources Sources) Solve {
	if asJSON {
		return solveJSON{document{term.Out, sources}}
	}
	return solveHuman{human{term, sources}}
}

// NewSolveBeside returns the renderer for people on standard error, for when the places go to standard output.
func NewSolveBeside(term *Terminal, sources Sources) Solve {
	beside := *term
	beside.Out, beside.OutColour, beside.OutWidth = term.Err, term.ErrColour, term.ErrWidth
	return solveHuman{human{&beside, sources}}
}

type solveHuman struct{ human }

// Result writes
//
//	net.csv: 154 of 154 buffers placed by auto, optimal
//	  POOL       PEAK    BOUND  RATIO  CAPACITY  ALIGNMENT
//	  memory  1048576  1048576  1.000   1048576          1
func (v solveHuman) Result(s *Solved) {
	v.diagnostics(s.Diagnostics)
	paint := v.out()
	var b strings.Builder
	tint := paint.green
	if s.Placed < len(s.Buffers) {
		tint = paint.red
	}
	fmt.Fprintf(&b, "%s %d of %s placed by %s, %s\n", paint.bold(visible(s.Path)+":"), s.Placed, plural(len(s.Buffers), "buffer"), s.Algorithm, tint(s.Status))
	pools := grid{header: []string{"pool", "peak", "bound", "ratio", "capacity", "alignment"}, numbers: []int{1, 2, 3, 4, 5}}
	for _, pool := range s.Pools {
		capacity := "unlimited"
		if pool.Capacity != nil {
			capacity = fmt.Sprint(*pool.Capacity)
		}
		pools.add(pool.Name, fmt.Sprint(pool.Peak), fmt.Sprint(pool.Bound), ratioOf(s, pool), capacity, fmt.Sprint(pool.Alignment))
	}
	b.WriteString(pools.render(paint))
	if len(s.Compared) > 0 {
		b.WriteString("\n" + comparison(s.Compared).render(paint))
	}
	if s.Written != "" {
		fmt.Fprintf(&b, "The places were written to %s.\n", visible(s.Written))
	}
	v.print(b.String())
}

// comparison is the table of algorithms. Ratios are to the best bound that any of them proved, which holds for all when
// all buffers are placed in the same pools.
func comparison(rows []Compared) *grid {
	best := int64(0)
	for _, row := range rows {
		best = max(best, row.Bound)
	}
	out := &grid{header: []string{"algorithm", "peak", "ratio", "status", "unplaced", "nodes", "ms"}, numbers: []int{1, 2, 4, 5, 6}}
	for _, row := range rows {
		unplaced := ""
		if row.Unplaced > 0 {
			unplaced = fmt.Sprint(row.Unplaced)
		}
		out.add(row.Algorithm, fmt.Sprint(row.Peak), ratio(row.Peak, best), row.Status, unplaced, fmt.Sprint(row.Nodes), fmt.Sprintf("%.1f", row.Milliseconds))
	}
	return out
}

// ratioOf is the ratio of a pool's peak to its bound. There is none while buffers have no place: the peak is then of the
// others alone.
func ratioOf(s *Solved, pool SolvedPool) string {
	if s.Placed < len(s.Buffers) {
		return ""
	}
	return ratio(pool.Peak, pool.Bound)
}

func ratio(peak, bound int64) string {
	if bound == 0 {
		return "1.000"
	}
	return fmt.Sprintf("%.3f", float64(peak)/float64(bound))
}

type solveJSON struct{ document }

// solveDocument is the result as JSON.
type solveDocument struct {
	report
	Status    string         `json:"status"`
	Algorithm string         `json:"algorithm"`
	Peak      int64          `json:"peak"`
	Bound     int64          `json:"bound"`
	Capacity  *int64         `json:"capacity"`
	Nodes     int64          `json:"nodes"`
	Pools     []SolvedPool   `json:"pools"`
	Buffers   []SolvedBuffer `json:"buffers"`
	Conflict  []string       `json:"conflict"`
	Compare   []Compared     `json:"compare,omitempty"`
	Written   string         `json:"written,omitempty"`
}

// Result writes the document.
func (v solveJSON) Result(s *Solved) {
	out := solveDocument{reportOf(v.sources, s.Diagnostics), s.Status, s.Algorithm, s.Peak, s.Bound, s.Capacity, s.Nodes, s.Pools, s.Buffers, s.Conflict, s.Compared, s.Written}
	if out.Buffers == nil {
		out.Buffers = []SolvedBuffer{}
	}
	if out.Conflict == nil {
		out.Conflict = []string{}
	}
	v.write(out)
}
