package exec

import (
	"encoding/json"
	"io"
	"time"

	"github.com/memplan/memplan/planner/graph"
)

// Traced is a run for WriteTrace.
type Traced struct {
	// Name is that of the run, Device what it ran on.
	Name, Device string
	Runner       *Runner
	Profile      *Profile
}

// traceEvent is an event of the trace format of Chrome, which Perfetto reads; times are microseconds. See "Trace Event Format"
// of the Chromium project.
type traceEvent struct {
	Name     string         `json:"name"`
	Category string         `json:"cat,omitempty"`
	Phase    string         `json:"ph"`
	Start    float64        `json:"ts"`
	Duration float64        `json:"dur,omitempty"`
	Process  int            `json:"pid"`
	Thread   int            `json:"tid"`
	Args     map[string]any `json:"args,omitempty"`
}

// WriteTrace writes runs as a trace: each run is a process, with a slice for each step and, for each pool, a counter of the bytes
// that live in it.
func WriteTrace(w io.Writer, runs []Traced) error {
	trace := struct {
		Unit   string       `json:"displayTimeUnit"`
		Events []traceEvent `json:"traceEvents"`
	}{"ms", []traceEvent{}}
	for i, run := range runs {
		process := i + 1
		named := func(what, name string) {
			trace.Events = append(trace.Events, traceEvent{Name: what, Phase: "M", Process: process, Thread: 1, Args: map[string]any{"name": name}})
		}
		named("process_name", "run "+run.Name)
		named("thread_name", run.Device)
		trace.Events = append(trace.Events, run.events(process)...)
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	return enc.Encode(trace)
}

func (t *Traced) events(process int) []traceEvent {
	var events []traceEvent
	live := map[*Runner]*liveness{}
	for i := range t.Profile.Steps {
		s := &t.Profile.Steps[i]
		args := map[string]any{"step": s.Step.Index, "op": s.Step.Op.Op, "scope": s.Scope(), "bytes": s.Bytes()}
		if s.Duration > 0 {
			args["gb_per_s"] = float64(s.Bytes()) / float64(s.Duration)
		}
		events = append(events, traceEvent{Name: s.Step.Op.Name, Category: s.Step.Op.Op, Phase: "X", Start: microseconds(s.Start),
			Duration: microseconds(s.Duration), Process: process, Thread: 1, Args: args})
		if live[s.of] == nil {
			live[s.of] = s.of.liveness()
		}
		l := live[s.of]
		for p, pool := range l.pools {
			if at := s.Step.Index; at < int64(len(l.bytes[p])) {
				events = append(events, traceEvent{Name: "pool " + pool, Phase: "C", Start: microseconds(s.Start), Process: process,
					Args: map[string]any{"bytes": l.bytes[p][at]}})
			}
		}
	}
	return events
}

func microseconds(d time.Duration) float64 { return float64(d.Nanoseconds()) / 1000 }

// liveness has the pools that hold what changes, and for each the bytes alive at every step.
type liveness struct {
	pools []string
	bytes [][]int64
}

func (r *Runner) liveness() *liveness {
	l := &liveness{}
	at := map[string]int{}
	steps := int64(len(r.planned.Steps))
	for i := range r.planned.Tensors {
		t := &r.planned.Tensors[i]
		if t.ViewOf != nil || graph.Role(t.Role) == graph.Constant || t.Pool == "" {
			continue
		}
		if _, known := at[t.Pool]; !known {
			at[t.Pool] = len(l.pools)
			l.pools, l.bytes = append(l.pools, t.Pool), append(l.bytes, make([]int64, steps))
		}
		for step := max(t.First, 0); step < min(t.Last, steps); step++ {
			l.bytes[at[t.Pool]][step] += t.LiveAt(step)
		}
	}
	for _, o := range r.planned.Overlaps() {
		if k, known := at[o.Pool]; known && o.Step >= 0 && o.Step < steps {
			l.bytes[k][o.Step] -= o.Bytes
		}
	}
	return l
}
