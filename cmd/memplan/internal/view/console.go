package view

import (
	"encoding/json"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// Console shows the values of expressions, one after the other.
type Console interface {
	Verb
	// Start shows the warnings of planning, and errors of checks that failed.
	Start(ds diag.Diagnostics)
	// Value shows the value of an expression.
	Value(expression string, value cty.Value)
	// Help says what can be typed.
	Help()
	// Problem shows why an expression has none.
	Problem(ds diag.Diagnostics)
	// Done ends the input: so many expressions were read, so many of them had no value.
	Done(evaluated, failed int)
}

// NewConsole returns the renderer for people or the JSON one.
func NewConsole(asJSON bool, term *Terminal, sources Sources, version string) Console {
	if asJSON {
		stream := events{term.Out, sources}
		stream.Start(version)
		return &consoleJSON{events: stream}
	}
	return consoleHuman{human{term, sources}}
}

type consoleHuman struct{ human }

func (v consoleHuman) Start(ds diag.Diagnostics)       { v.diagnostics(ds) }
func (v consoleHuman) Problem(ds diag.Diagnostics)     { v.diagnostics(ds) }
func (v consoleHuman) Value(_ string, value cty.Value) { v.print(ValueLines(value) + "\n") }
func (v consoleHuman) Done(evaluated, failed int)      {}

// Help shows what an expression may see, with an example of each kind.
func (v consoleHuman) Help() { v.print(typeable) }

const typeable = `Type an expression to see its value. It sees what an output block sees, and the outputs:

  pool.arena.peak                  values of the plan: peak, bound, capacity, used
  graph.net.tensor["y"].offset     where a tensor is
  var.batch, local.size            the configuration
  output.NAME                      the outputs
  max(1, 2), format_bytes(4096)    functions

A name alone shows all that it holds, as in pool.arena. The Tab key completes names; "exit" or Ctrl-D ends.
`

type consoleJSON struct {
	events
	warnings, errors int
}

// valueEvent is the value of one expression, null when it is hidden, not known or nothing that JSON can hold.
type valueEvent struct {
	event
	Expression string          `json:"expression"`
	Value      json.RawMessage `json:"value"`
	ValueType  json.RawMessage `json:"value_type"`
	Sensitive  bool            `json:"sensitive"`
	Known      bool            `json:"known"`
}

// Value emits an event.
func (v *consoleJSON) Value(expression string, value cty.Value) {
	plain := eval.Plain(value)
	kind, err := ctyjson.MarshalType(plain.Type())
	if err != nil {
		kind = []byte(`"dynamic"`)
	}
	data := jsonOutputs([]Output{{Name: "value", Value: value}})["value"]
	v.emit(valueEvent{event{"value", valueText(value)}, strings.TrimRight(expression, "\n"), data, kind, eval.IsSensitive(value), plain.IsWhollyKnown()})
}

// Start emits events for diagnostics.
func (v *consoleJSON) Start(ds diag.Diagnostics) { v.Problem(ds) }

// Problem emits events for diagnostics, and counts them for the summary.
func (v *consoleJSON) Problem(ds diag.Diagnostics) {
	s := v.events.diagnostics(ds, "")
	v.errors, v.warnings = v.errors+s.ErrorCount, v.warnings+s.WarningCount
}

// Help writes nothing: what a program may ask is documented.
func (v *consoleJSON) Help() {}

// consoleSummary is the last event of console.
type consoleSummary struct {
	summary
	Evaluated int `json:"evaluated"`
	Failed    int `json:"failed"`
}

// Done emits the summary.
func (v *consoleJSON) Done(evaluated, failed int) {
	message := plural(evaluated, "expression") + " evaluated."
	v.emit(consoleSummary{summary{event{"summary", message}, FormatVersion, v.errors == 0, v.errors, v.warnings}, evaluated, failed})
}
