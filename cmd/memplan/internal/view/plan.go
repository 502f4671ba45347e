package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

// Planned is the result of planning: the plan, and how it differs from the lock.
type Planned struct {
	// Path is what was planned, as typed; LockPath is where its lock lies.
	Path, LockPath string
	// Again are the flags without which another plan would be accepted, such as "-var ... ", "" for none.
	Again string
	// Old is the plan in the lock, nil when there is none.
	Old, New *plan.Plan
	Change   plan.Change
	// Renamed is what the lock has under other names.
	Renamed []planner.Rename
	Outputs []Output
	Checks  []CheckResult
	// SavedTo is the file that the plan was saved to, "" when it was not.
	SavedTo string
	// Reports explain the peaks of pools, in the order of the plan's; none where nobody asked.
	Reports []planner.Report
	// Exports are the files of export blocks that were written.
	Exports []Exported
	// Diagnostics are warnings, and errors of checks that failed.
	Diagnostics diag.Diagnostics
}

// Plan shows what a plan would change.
type Plan interface {
	Verb
	Result(*Planned)
}

// NewPlan returns the renderer for people or the JSON one.
func NewPlan(asJSON bool, term *Terminal, sources Sources, version string) Plan {
	if asJSON {
		stream := events{term.Out, sources}
		stream.Start(version)
		return planJSON{stream}
	}
	return planHuman{human{term, sources}}
}

type planHuman struct{ human }

// Result shows warnings, the pools, the changes, the checks and outputs, how to accept the plan or that it cannot be, and
// errors last, where they are not overlooked.
func (v planHuman) Result(p *Planned) {
	errs, warnings := bySeverity(p.Diagnostics)
	v.diagnostics(warnings)
	var b strings.Builder
	writePlanned(&b, v.out(), v.term.OutWidth, p)
	switch {
	case len(errs) > 0 || p.New.Interrupted:
		fmt.Fprintf(&b, "%s %s.\n", v.out().red("This plan cannot be accepted:"), obstacle(p, errs))
	case p.SavedTo != "":
		fmt.Fprintf(&b, "The plan was saved. Accept it with: memplan apply %s\n", visible(p.SavedTo))
	case p.Change.Identical:
	case p.Old == nil:
		fmt.Fprintf(&b, "There is no lock yet (%s). Accept this plan with: memplan apply %s%s\n", visible(p.LockPath), p.Again, visible(p.Path))
	default:
		fmt.Fprintf(&b, "Accept this plan with: memplan apply %s%s\n", p.Again, visible(p.Path))
	}
	v.print(b.String())
	v.diagnostics(errs)
}

func bySeverity(ds diag.Diagnostics) (errs, others diag.Diagnostics) {
	for _, d := range ds {
		if d.Severity == diag.Error {
			errs = append(errs, d)
		} else {
			others = append(others, d)
		}
	}
	return errs, others
}

// mostNamed is how many checks that failed are named once more at the end.
const mostNamed = 5

// obstacle says what keeps a plan from being accepted.
func obstacle(p *Planned, errs diag.Diagnostics) string {
	var failed []string
	for _, c := range p.Checks {
		if !c.Passed {
			failed = append(failed, c.Name)
		}
	}
	switch {
	case len(failed) == 1:
		return "check " + diag.Quoted(failed) + " failed"
	case len(failed) > mostNamed:
		return plural(len(failed), "check") + " failed"
	case len(failed) > 1:
		return "checks " + diag.Quoted(failed) + " failed"
	case p.New.Interrupted:
		return "the search was stopped before its end"
	case len(errs) == 1:
		return "an error is reported below"
	}
	return plural(len(errs), "error") + " are reported below"
}

// writePlanned is what plan and apply say of a plan.
func writePlanned(b *strings.Builder, paint palette, columns int, p *Planned) {
	writeGraphs(b, paint, columns, p.New)
	writePools(b, paint, columns, p)
	writeRenamed(b, paint, p.Renamed)
	writeCauses(b, paint, p.Old, p.New, p.Change)
	writeChanges(b, paint, columns, p.Old, p.New, p.Change)
	writeFinished(b, paint, p.Outputs, p.Checks)
	switch {
	case len(p.New.Graphs) == 0 && len(p.Change.Tensors) == 0:
		fmt.Fprintf(b, "%s Nothing is placed. Declare a graph block with the source of a model.\n", paint.bold("There is no graph."))
	case p.Change.Identical:
		fmt.Fprintf(b, "%s %s is up to date.\n", paint.bold("No changes."), visible(p.LockPath))
	case p.Change.Empty():
		fmt.Fprintf(b, "%s Every tensor stays where it is; %s.\n", paint.bold(totals(p.Change)), elsewhere(p))
	default:
		fmt.Fprintf(b, "%s\n", paint.bold(totals(p.Change)))
	}
}

// elsewhere says what differs when no tensor moved.
func elsewhere(p *Planned) string {
	switch {
	case p.Old != nil && p.Old.FormatVersion != p.New.FormatVersion:
		return "the lock has format version " + p.Old.FormatVersion + ", not " + p.New.FormatVersion
	case len(p.Change.Settings) > 0:
		return "changed settings: " + strings.Join(p.Change.Settings, ", ")
	case len(p.Change.Attributes) > 0:
		return "devices or pools are declared differently"
	case len(p.Renamed) > 0:
		return plural(len(p.Renamed), "name") + " in the lock changed"
	}
	return "lifetimes, reasons or digests differ from the lock"
}

func writeGraphs(b *strings.Builder, paint palette, columns int, p *plan.Plan) {
	for _, g := range p.Graphs {
		title := fmt.Sprintf("%s %s from %s: %s, %s", paint.bold("Graph"), paint.bold(g.Name), visible(g.Source), plural(len(g.Steps), "step"), plural(len(g.Tensors), "tensor"))
		if bytes := copiedBytes(&g); len(g.Copies) > 0 {
			title += ", " + copies(len(g.Copies), bytes)
		}
		for _, line := range []string{title, widened(&g), orderText(&g)} {
			if line != "" {
				b.WriteString(hanging(line, columns, 4) + "\n")
			}
		}
	}
	if len(p.Graphs) > 0 {
		b.WriteByte('\n')
	}
}

// widened says how many weights folding made larger, "" when it did not.
func widened(g *plan.Graph) string {
	n, half, float := 0, int64(0), int64(0)
	for _, w := range g.Rewrites {
		if w.HalfBytes > 0 {
			n, half, float = n+1, half+w.HalfBytes, float+w.FloatBytes
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("  fold turned %s of %s into float32 of %s; rewrite = [] keeps them", plural(n, "float16 constant"), bytesText(half), bytesText(float))
}

func copies(n int, bytes int64) string {
	if n == 1 {
		return fmt.Sprintf("1 copy between scopes of %s", bytesText(bytes))
	}
	return fmt.Sprintf("%d copies between scopes of %s in all", n, bytesText(bytes))
}

func copiedBytes(g *plan.Graph) int64 {
	total := int64(0)
	for _, c := range g.Copies {
		total += c.Bytes
	}
	return total
}

type planJSON struct{ events }

// Result emits an event for each change and each pool, and the summary.
func (v planJSON) Result(p *Planned) { v.planned(p, totals(p.Change)) }

// changeEvent is one tensor that is not where the lock has it.
type changeEvent struct {
	event
	Change plan.TensorChange `json:"change"`
}

// poolEvent is one pool with its outcome.
type poolEvent struct {
	event
	Pool plan.Pool `json:"pool"`
}

// planSummary is the last event of plan and apply.
type planSummary struct {
	summary
	Changes    changeCounts               `json:"changes"`
	Settings   []string                   `json:"changed_settings"`
	Attributes []plan.AttributeChange     `json:"changed_attributes"`
	Renamed    []planner.Rename           `json:"renamed"`
	Pools      []plan.Pool                `json:"pools"`
	Outputs    map[string]json.RawMessage `json:"outputs"`
	Checks     []jsonCheck                `json:"checks"`
	Reports    []jsonReport               `json:"reports,omitempty"`
	PlanDigest string                     `json:"plan_digest"`
	Lock       string                     `json:"lock"`
}

type changeCounts struct {
	Placed int `json:"placed"`
	Moved  int `json:"moved"`
	Gone   int `json:"gone"`
	Same   int `json:"same"`
}

func countsOf(c plan.Change) changeCounts {
	return changeCounts{c.Count(plan.Placed), c.Count(plan.Moved), c.Count(plan.Gone), c.Count(plan.Same)}
}

// changesAndPools writes the events before the summary.
func (e events) changesAndPools(p *Planned) {
	for _, c := range p.Change.Tensors {
		if c.Kind != plan.Same {
			e.emit(changeEvent{event{"planned_change", fmt.Sprintf("%s %s: %s %s", symbolOf(c.Kind), c.Tensor, c.Pool(), from(&c))}, c})
		}
	}
	for _, pool := range p.New.Pools {
		e.emit(poolEvent{event{"pool_summary", fmt.Sprintf("%s: peak %s, bound %s, %s", pool.Name, bytesText(pool.Peak), bytesText(pool.Bound), pool.Optimality)}, withLists(pool)})
	}
}

// planned writes all events of a plan; the summary is the result.
func (e events) planned(p *Planned, message string) {
	e.changesAndPools(p)
	e.emit(e.planSummary(p, message))
}

func (e events) planSummary(p *Planned, message string) planSummary {
	pools := []plan.Pool{}
	for _, pool := range p.New.Pools {
		pools = append(pools, withLists(pool))
	}
	digest, err := plan.Digest(p.New)
	if err != nil {
		panic(fmt.Sprintf("view: %v", err)) // the plan was encoded before it came here
	}
	return planSummary{e.diagnostics(p.Diagnostics, message), countsOf(p.Change),
		append([]string{}, p.Change.Settings...), append([]plan.AttributeChange{}, p.Change.Attributes...), append([]planner.Rename{}, p.Renamed...), pools, jsonOutputs(p.Outputs), jsonChecks(p.Checks), jsonReports(p.Reports), digest, p.LockPath}
}

// withLists makes a list that is nil an empty one, as in the plan itself.
func withLists(pool plan.Pool) plan.Pool {
	if pool.Holds == nil {
		pool.Holds = []string{}
	}
	return pool
}
