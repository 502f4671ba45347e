package view

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// RunResult is one run that was executed.
type RunResult struct {
	Name       string      `json:"name"`
	Graph      string      `json:"graph"`
	Device     string      `json:"device"`
	Iterations int         `json:"iterations"`
	Latency    Latency     `json:"latency_ms"`
	Outputs    []RunOutput `json:"outputs"`
	// RandomInputs are the names of the inputs that no file was given for, in the model's order.
	RandomInputs []string `json:"random_inputs"`
	// AllocationsAfterFirst counts what the device allocated after the first iteration: 0 unless something is wrong.
	AllocationsAfterFirst int64 `json:"allocations_after_first"`
	// PoolBytes is what was allocated for each pool, in bytes.
	PoolBytes map[string]int64 `json:"pool_bytes"`
	// Profile is nil unless it was asked for.
	Profile *Profile `json:"profile,omitempty"`
}

// Profile is what the steps of a run took: for each the median of the iterations.
type Profile struct {
	// Clock is "device" or "host"; by the host's, a step's time holds what starting it and waiting for it cost.
	Clock string         `json:"clock"`
	Steps []ProfiledStep `json:"steps"`
}

// ProfiledStep is a step of a profile.
type ProfiledStep struct {
	Step         int64   `json:"step"`
	Op           string  `json:"op"`
	Name         string  `json:"name"`
	Scope        string  `json:"scope"`
	Microseconds float64 `json:"us"`
	// Bytes is what the step reads and writes, each operand once.
	Bytes       int64   `json:"bytes"`
	GBPerSecond float64 `json:"gb_per_s"`
}

// Latency is how long an iteration took, in milliseconds.
type Latency struct {
	Min    float64 `json:"min"`
	Median float64 `json:"median"`
	P95    float64 `json:"p95"`
}

// RunOutput is one output of a run.
type RunOutput struct {
	Name  string  `json:"name"`
	Shape []int64 `json:"shape"`
	DType string  `json:"dtype"`
	// NPY is the file that the output was written to, "" when it was not.
	NPY string `json:"npy"`
	// StoredAs is the element type of the file when NumPy does not have DType, else "".
	StoredAs string `json:"stored_as,omitempty"`
	// MaxAbsError is the largest difference from what was expected, Pass whether that is within the tolerance; both are
	// nil when nothing was expected.
	MaxAbsError *float64 `json:"max_abs_error"`
	Pass        *bool    `json:"pass"`
}

// Run shows what runs computed.
type Run interface {
	Verb
	Result(runs []RunResult, ds diag.Diagnostics)
}

// NewRun returns the renderer for people or the JSON one.
func NewRun(asJSON bool, term *Terminal, sources Sources, version string) Run {
	if asJSON {
		stream := events{term.Out, sources}
		stream.Start(version)
		return runJSON{stream}
	}
	return runHuman{human{term, sources}}
}

type runHuman struct{ human }

// Result describes each run, diagnostics first.
func (v runHuman) Result(runs []RunResult, ds diag.Diagnostics) {
	v.diagnostics(ds)
	var b strings.Builder
	for i := range runs {
		writeRun(&b, v.out(), v.term.OutWidth, &runs[i])
	}
	v.print(b.String())
}

// writeRun describes a run:
//
//	Run smoke: graph net on device host
//	  latency  min 0.412 ms, median 0.430 ms, p95 0.501 ms over 10 iterations
//	  memory   arena 448 bytes; no allocation after the first iteration
//	  random   image
//	  OUTPUT  TYPE             LARGEST ERROR          FILE
//	  y       float32 [1, 10]  1.2e-07        passed  net.out/smoke/y.npy
func writeRun(b *strings.Builder, paint palette, columns int, r *RunResult) {
	fmt.Fprintf(b, "%s graph %s on device %s\n", paint.bold("Run "+r.Name+":"), r.Graph, r.Device)
	fmt.Fprintf(b, "  latency  %s\n", latencyText(r))
	fmt.Fprintf(b, "  memory   %s\n", memoryText(r))
	if len(r.RandomInputs) > 0 {
		fmt.Fprintf(b, "  random   %s\n", visible(strings.Join(r.RandomInputs, ", ")))
	}
	out := grid{header: []string{"output", "type", "largest error", "", "file"}, names: []int{0}, width: columns}
	for _, o := range r.Outputs {
		largest, verdict := "", ""
		if o.MaxAbsError != nil {
			largest = fmt.Sprintf("%.3g", *o.MaxAbsError)
		}
		if o.Pass != nil {
			verdict = paint.green("passed")
			if !*o.Pass {
				verdict = paint.red("failed")
			}
		}
		file := o.NPY
		if o.StoredAs != "" {
			file += " (as " + o.StoredAs + ")"
		}
		out.add(visible(o.Name), o.DType+" "+shapeText(o.Shape), largest, verdict, file)
	}
	b.WriteString(out.render(paint) + "\n")
	if r.Profile != nil {
		writeProfile(b, paint, columns, r)
	}
}

// writeProfile describes what the steps took:
//
//	Steps by the device's clock: 1.204 ms of 1.311 ms
//	  STEP  OP    NAME   SCOPE       TIME  SHARE    BYTES   GB/S
//	     0  Conv  conv1  global  104.2 us  8.7 %  1376256  13.20
func writeProfile(b *strings.Builder, paint palette, columns int, r *RunResult) {
	total, bytes := 0.0, int64(0)
	for _, s := range r.Profile.Steps {
		total += s.Microseconds
		bytes += s.Bytes
	}
	fmt.Fprintf(b, "%s %.3f ms of %.3f ms, %s moved\n", paint.bold("Steps by the "+r.Profile.Clock+"'s clock:"), total/1000, r.Latency.Median, bytesText(bytes))
	out := grid{header: []string{"step", "op", "name", "scope", "time", "share", "bytes", "GB/s"}, names: []int{2}, numbers: []int{0, 4, 5, 6, 7}, width: columns}
	for _, s := range r.Profile.Steps {
		share := 0.0
		if total > 0 {
			share = 100 * s.Microseconds / total
		}
		out.add(fmt.Sprint(s.Step), visible(s.Op), visible(s.Name), s.Scope, fmt.Sprintf("%.1f us", s.Microseconds), fmt.Sprintf("%.1f %%", share),
			fmt.Sprint(s.Bytes), fmt.Sprintf("%.2f", s.GBPerSecond))
	}
	b.WriteString(out.render(paint) + "\n")
}

func latencyText(r *RunResult) string {
	if r.Iterations == 1 {
		return fmt.Sprintf("%.3f ms", r.Latency.Min)
	}
	return fmt.Sprintf("min %.3f ms, median %.3f ms, p95 %.3f ms over %d iterations", r.Latency.Min, r.Latency.Median, r.Latency.P95, r.Iterations)
}

func memoryText(r *RunResult) string {
	var parts []string
	for _, pool := range slices.Sorted(maps.Keys(r.PoolBytes)) {
		parts = append(parts, pool+" "+bytesText(r.PoolBytes[pool]))
	}
	after := "no allocation"
	if r.AllocationsAfterFirst > 0 {
		after = plural(int(r.AllocationsAfterFirst), "allocation")
	}
	return strings.Join(parts, ", ") + "; " + after + " after the first iteration"
}

type runJSON struct{ events }

// runSummary is the last event of run.
type runSummary struct {
	summary
	Runs []RunResult `json:"runs"`
}

// Result emits an event for each run and the summary.
func (v runJSON) Result(runs []RunResult, ds diag.Diagnostics) {
	v.emit(runSummary{v.ran(runs, ds), withoutNil(runs)})
}

// runEvent is a run that came to its end.
type runEvent struct {
	event
	Run string `json:"run"`
}

// ran writes an event for each run and returns the start of a summary.
func (e events) ran(runs []RunResult, ds diag.Diagnostics) summary {
	for _, r := range runs {
		e.emit(runEvent{event{"run_complete", "Run " + r.Name + ": " + latencyText(&r)}, r.Name})
	}
	message := "Ran " + plural(len(runs), "graph") + "."
	if errors, _ := ds.Count(); errors > 0 {
		message = "Ran " + plural(len(runs), "graph") + ", with " + plural(errors, "error") + "."
	}
	return e.diagnostics(ds, message)
}

func withoutNil(runs []RunResult) []RunResult {
	if runs == nil {
		return []RunResult{}
	}
	return runs
}
