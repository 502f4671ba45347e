package view

import (
	"fmt"
	"slices"
	"time"

	"github.com/memplan/memplan/lang/diag"
)

// TestResult is what became of one run of a test file.
type TestResult struct {
	File, Run string
	// Diagnostics has an error unless the run passed.
	Diagnostics diag.Diagnostics
	// Took is for the report to machines that ask for it, and is not shown.
	Took time.Duration
}

// Passed reports whether the run passed.
func (r *TestResult) Passed() bool { return !r.Diagnostics.HasErrors() }

// Test shows the results of runs as they come, and what they come to.
type Test interface {
	Verb
	Run(*TestResult)
	// Done ends the tests; the diagnostics are of what else went wrong.
	Done(results []TestResult, ds diag.Diagnostics)
}

// NewTest returns the renderer for people or the JSON one.
func NewTest(asJSON bool, term *Terminal, sources Sources, version string) Test {
	if asJSON {
		stream := events{term.Out, sources}
		stream.Start(version)
		return &testJSON{events: stream}
	}
	return &testHuman{human: human{term, sources}}
}

type testHuman struct {
	human
	file string
	// told are the diagnostics that were shown, as texts.
	told map[string]bool
}

// Run names the file when it is another than before, and the run with its outcome. What has been said of an earlier run, such
// as what is wrong with the configuration, is referred to by its id.
func (v *testHuman) Run(r *TestResult) {
	if r.File != v.file {
		v.print(v.out().bold(visible(r.File)) + "\n")
		v.file = r.File
	}
	mark := v.out().green("pass")
	if !r.Passed() {
		mark = v.out().red("fail")
	}
	fresh, again := v.untold(r.Diagnostics)
	note := ""
	if len(again) > 0 {
		note = ", " + diag.Enumerate(again, "and") + " as above"
	}
	v.print(fmt.Sprintf("  %s  %s%s\n", mark, r.Run, note))
	v.diagnostics(fresh)
}

// untold are the diagnostics that were not shown yet, and the ids of the others.
func (v *testHuman) untold(ds diag.Diagnostics) (fresh diag.Diagnostics, again []string) {
	if v.told == nil {
		v.told = map[string]bool{}
	}
	for _, d := range ds.Sorted() {
		text := d.Error()
		if d.Subject != nil {
			text += d.Subject.String()
		}
		switch {
		case !v.told[text]:
			fresh = append(fresh, d)
		case !slices.Contains(again, string(d.ID)):
			again = append(again, string(d.ID))
		}
		v.told[text] = true
	}
	return fresh, again
}

// Done counts.
func (v *testHuman) Done(results []TestResult, ds diag.Diagnostics) {
	passed := countPassed(results)
	text := fmt.Sprintf("%d passed, %d failed.\n", passed, len(results)-passed)
	if passed == len(results) {
		v.print("\n" + v.out().green("Success:") + " " + text)
	} else {
		v.print("\n" + v.out().red("Failure:") + " " + text)
	}
	v.diagnostics(ds)
}

func countPassed(results []TestResult) int {
	passed := 0
	for i := range results {
		if results[i].Passed() {
			passed++
		}
	}
	return passed
}

type testJSON struct {
	events
	errors, warnings int
}

// jsonTest is a run with its outcome, "pass" or "fail".
type jsonTest struct {
	File   string `json:"file"`
	Run    string `json:"run"`
	Status string `json:"status"`
}

func jsonTestOf(r *TestResult) jsonTest {
	if r.Passed() {
		return jsonTest{r.File, r.Run, "pass"}
	}
	return jsonTest{r.File, r.Run, "fail"}
}

// testEvent is the outcome of a run; the events of its diagnostics come before it.
type testEvent struct {
	event
	Test jsonTest `json:"test"`
}

// Run emits events.
func (v *testJSON) Run(r *TestResult) {
	s := v.events.diagnostics(r.Diagnostics, "")
	v.errors, v.warnings = v.errors+s.ErrorCount, v.warnings+s.WarningCount
	t := jsonTestOf(r)
	v.emit(testEvent{event{"test_run", t.Status + ": " + t.File + ": " + t.Run}, t})
}

// testSummary is the last event of test.
type testSummary struct {
	summary
	Passed int        `json:"passed"`
	Failed int        `json:"failed"`
	Tests  []jsonTest `json:"tests"`
}

// Done emits the summary.
func (v *testJSON) Done(results []TestResult, ds diag.Diagnostics) {
	passed := countPassed(results)
	s := v.events.diagnostics(ds, fmt.Sprintf("%d passed, %d failed.", passed, len(results)-passed))
	s.ErrorCount, s.WarningCount = s.ErrorCount+v.errors, s.WarningCount+v.warnings
	s.OK = s.ErrorCount == 0
	out := testSummary{summary: s, Passed: passed, Failed: len(results) - passed, Tests: []jsonTest{}}
	for i := range results {
		out.Tests = append(out.Tests, jsonTestOf(&results[i]))
	}
	v.emit(out)
}
