package view

import (
	"fmt"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// Sweep is what plans for several values of one thing need.
type Sweep struct {
	// Name is what was swept, as it was asked for.
	Name   string
	Points []SweepPoint
}

// SweepPoint is one plan of a sweep.
type SweepPoint struct {
	// Name is what had the value, which is text.
	Name, Value string
	// Fits says that there is a plan; Pools are its pools and Spilled the bytes of what is not in the pool it would like best.
	Fits    bool
	Pools   []plan.Pool
	Spilled int64
	// Fault is why there is none.
	Fault *diag.Diagnostic
}

// SweepView shows a sweep.
type SweepView interface {
	Verb
	// Point shows one plan as soon as it was made.
	Point(*Sweep, SweepPoint)
	Result(*Sweep)
}

// NewSweep returns the renderer for people or the JSON one.
func NewSweep(asJSON bool, term *Terminal, sources Sources, version string) SweepView {
	if asJSON {
		stream := events{term.Out, sources}
		stream.Start(version)
		return sweepJSON{stream}
	}
	return sweepHuman{human{term, sources}}
}

type sweepHuman struct{ human }

// Point shows nothing: the columns of a table depend on all rows.
func (v sweepHuman) Point(*Sweep, SweepPoint) {}

// Result shows a table with a row for each value and a column for the peak of each pool in bytes:
//
//	BATCH   ARENA  WEIGHTS  SPILLED
//	    1   12288     4096        0
//	    8  does not fit (MP0301)
func (v sweepHuman) Result(s *Sweep) {
	pools := s.pools()
	several := slices.ContainsFunc(s.Points, func(p SweepPoint) bool { return p.Name != s.Points[0].Name })
	out := grid{header: []string{"", s.Points[0].Name}}
	if several {
		out.header = []string{"pool", "size"}
	}
	out.numbers = []int{1}
	for i, pool := range pools {
		if slices.Contains(pools, s.Points[0].Name) {
			pool = "pool." + pool // a variable has the name of a pool
		}
		out.header, out.numbers = append(out.header, pool), append(out.numbers, 2+i)
	}
	out.header, out.numbers = append(out.header, "spilled", ""), append(out.numbers, 2+len(pools))
	for i, p := range s.Points {
		first := ""
		if several && (i == 0 || s.Points[i-1].Name != p.Name) {
			first = visible(p.Name)
		}
		out.add(append([]string{first, visible(p.Value)}, p.cells(pools)...)...)
	}
	v.print("Peaks in bytes:\n" + out.render(v.out()))
}

// pools names the pools of all plans, in order of appearance.
func (s *Sweep) pools() []string {
	var out []string
	for _, p := range s.Points {
		for _, pool := range p.Pools {
			if !slices.Contains(out, pool.Name) {
				out = append(out, pool.Name)
			}
		}
	}
	return out
}

// cells are the peaks of the pools, the bytes that spilled, and why there is no plan.
func (p *SweepPoint) cells(pools []string) []string {
	out := make([]string, len(pools)+2)
	if !p.Fits {
		out[len(pools)+1] = fmt.Sprintf("%s (%s)", p.Fault.Summary, p.Fault.ID)
		return out
	}
	for _, pool := range p.Pools {
		out[slices.Index(pools, pool.Name)] = fmt.Sprint(pool.Peak)
	}
	out[len(pools)] = fmt.Sprint(p.Spilled)
	return out
}

type sweepJSON struct{ events }

// sweepPoint is one plan of a sweep as JSON.
type sweepPoint struct {
	Name    string          `json:"name"`
	Value   string          `json:"value"`
	Fits    bool            `json:"fits"`
	Pools   []plan.Pool     `json:"pools"`
	Spilled int64           `json:"spilled_bytes"`
	Fault   *jsonDiagnostic `json:"fault"`
}

// sweepEvent is one plan of a sweep.
type sweepEvent struct {
	event
	Point sweepPoint `json:"point"`
}

// sweepSummary is the last event of a sweep.
type sweepSummary struct {
	summary
	Sweep  string       `json:"sweep"`
	Points []sweepPoint `json:"points"`
}

// Point emits an event.
func (v sweepJSON) Point(_ *Sweep, p SweepPoint) {
	message := fmt.Sprintf("%s = %s does not fit", p.Name, p.Value)
	if p.Fits {
		peak := int64(0)
		for _, pool := range p.Pools {
			peak += pool.Peak
		}
		message = fmt.Sprintf("%s = %s: %s", p.Name, p.Value, units.FormatExact(peak))
	}
	v.emit(sweepEvent{event{"sweep_point", message}, v.point(p)})
}

func (v sweepJSON) point(p SweepPoint) sweepPoint {
	out := sweepPoint{p.Name, p.Value, p.Fits, []plan.Pool{}, p.Spilled, nil}
	for _, pool := range p.Pools {
		out.Pools = append(out.Pools, withLists(pool))
	}
	if p.Fault != nil {
		out.Fault = &jsonDiagnostics(v.sources, diag.Diagnostics{*p.Fault})[0]
	}
	return out
}

// Result emits the summary.
func (v sweepJSON) Result(s *Sweep) {
	out := sweepSummary{summary: v.events.diagnostics(nil, plural(len(s.Points), "plan")+" made."), Sweep: s.Name, Points: []sweepPoint{}}
	for _, p := range s.Points {
		out.Points = append(out.Points, v.point(p))
	}
	v.emit(out)
}
