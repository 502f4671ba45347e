package view

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"

	"github.com/memplan/memplan/lang/diag"
)

// Verb is what every view can say: that the command ended without a result. Exactly one of Failed and the verb's own
// result method is called.
type Verb interface {
	Failed(ds diag.Diagnostics)
}

// marshal writes JSON without escaping <, > and &, which stand in the names of many tensors.
func marshal(v any, indent string) []byte {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		// Views encode their own types only, all of which JSON can hold.
		panic(fmt.Sprintf("view: %v", err))
	}
	if indent == "" {
		return b.Bytes()
	}
	// The encoder would let memory for the indented text grow step by step, which takes most of the time of a large one.
	out := bytes.NewBuffer(make([]byte, 0, 2*b.Len()+512))
	if err := json.Indent(out, b.Bytes(), "", indent); err != nil {
		panic(fmt.Sprintf("view: %v", err))
	}
	return out.Bytes()
}

// human is the part that all renderers for people share.
type human struct {
	term    *Terminal
	sources Sources
}

func (h human) out() palette { return palette(h.term.OutColour) }

func (h human) diagnostics(ds diag.Diagnostics) {
	writeDiagnostics(h.term.Err, palette(h.term.ErrColour), h.term.ErrWidth, h.sources, ds)
}

// Failed writes the diagnostics to standard error.
func (h human) Failed(ds diag.Diagnostics) { h.diagnostics(ds) }

// print writes text for people. What a name or a path might make the terminal do is written out.
func (h human) print(text string) { fmt.Fprint(h.term.Out, harmless(text, h.out())) }

// content writes a file for another program byte by byte, and on a terminal, where nobody but people reads it, as print would.
func (h human) content(file []byte) { write(h.term.Out, h.shown(file)) }

// shown is the content of a file as content writes it.
func (h human) shown(file []byte) []byte {
	if h.term.OutWidth == 0 {
		return file
	}
	return []byte(harmless(string(file), false))
}

// document is the part that all renderers of one JSON document share.
type document struct {
	out     io.Writer
	sources Sources
}

// failure is the document of a command without a result.
type failure struct {
	report
	Valid bool `json:"valid"`
}

// Failed writes the diagnostics as a document.
func (d document) Failed(ds diag.Diagnostics) { d.write(failure{report: reportOf(d.sources, ds)}) }

func (d document) write(v any) { write(d.out, marshal(v, "  ")) }

// events is the part that all renderers of an event stream share: one JSON object a line, the last a summary.
type events struct {
	out     io.Writer
	sources Sources
}

// event is one line; each kind of event adds its own members.
type event struct {
	Type    string `json:"type"`
	Message string `json:"message"`
}

// versionEvent is the first event of a stream.
type versionEvent struct {
	event
	MemplanVersion string `json:"memplan_version"`
	FormatVersion  string `json:"format_version"`
}

// diagnosticEvent is one diagnostic.
type diagnosticEvent struct {
	event
	Diagnostic jsonDiagnostic `json:"diagnostic"`
}

func (e events) emit(v any) { write(e.out, marshal(v, "")) }

// Start writes the first event, which says what writes the rest.
func (e events) Start(version string) {
	e.emit(versionEvent{event{"version", "memplan " + version}, version, FormatVersion})
}

// summary is what every last event has; a verb adds its result.
type summary struct {
	event
	FormatVersion string `json:"format_version"`
	OK            bool   `json:"ok"`
	ErrorCount    int    `json:"error_count"`
	WarningCount  int    `json:"warning_count"`
}

// diagnostics writes an event for each and returns the start of the summary. Without errors it says that all is well.
func (e events) diagnostics(ds diag.Diagnostics, message string) summary {
	r := reportOf(e.sources, ds)
	for _, d := range r.Diagnostics {
		e.emit(diagnosticEvent{event{"diagnostic", d.Severity + ": " + d.Summary}, d})
	}
	return summary{event{"summary", message}, FormatVersion, r.ErrorCount == 0, r.ErrorCount, r.WarningCount}
}

// Failed writes the diagnostics and a summary without a result.
func (e events) Failed(ds diag.Diagnostics) {
	errors, _ := ds.Count()
	e.emit(e.diagnostics(ds, "Nothing was done: "+plural(errors, "error")+"."))
}

func write(w io.Writer, data []byte) {
	// A writer that fails remembers it; the command line asks at the end.
	_, _ = w.Write(data)
}
