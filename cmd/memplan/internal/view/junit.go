package view

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// junitReport is the form of test results that build servers read.
type junitReport struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Name     string       `xml:"name,attr"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Name    string        `xml:"name,attr"`
	Class   string        `xml:"classname,attr"`
	Seconds string        `xml:"time,attr"`
	Failure *junitFailure `xml:"failure"`
}

type junitFailure struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes results as JUnit XML: a suite for each file, a case for each run. The text of a failure has a line for
// each error.
func WriteJUnit(w io.Writer, results []TestResult) error {
	report := junitReport{Name: "memplan", Tests: len(results), Failures: len(results) - countPassed(results)}
	for i := range results {
		r := &results[i]
		if n := len(report.Suites); n == 0 || report.Suites[n-1].Name != r.File {
			report.Suites = append(report.Suites, junitSuite{Name: r.File})
		}
		suite := &report.Suites[len(report.Suites)-1]
		suite.Tests++
		c := junitCase{Name: r.Run, Class: r.File, Seconds: fmt.Sprintf("%.3f", r.Took.Seconds())}
		if !r.Passed() {
			suite.Failures++
			c.Failure = junitFailureOf(r)
		}
		suite.Cases = append(suite.Cases, c)
	}
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	enc := xml.NewEncoder(w)
	enc.Indent("", "  ")
	if err := enc.Encode(report); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}

func junitFailureOf(r *TestResult) *junitFailure {
	errs, _ := bySeverity(r.Diagnostics.Sorted())
	out := &junitFailure{Message: visible(errs[0].Detail), Type: string(errs[0].ID)}
	var b strings.Builder
	for _, d := range errs {
		where := ""
		if d.Subject != nil {
			where = rangeText(d.Subject) + ": "
		}
		fmt.Fprintf(&b, "%s%s (%s): %s\n", where, d.Summary, d.ID, visibleLines(d.Detail))
	}
	out.Text = b.String()
	return out
}
