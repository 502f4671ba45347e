package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// Outputs shows outputs of the configuration.
type Outputs interface {
	Verb
	// All shows every output; sensitive values are hidden. The diagnostics hold errors when a check failed.
	All(outputs []Output, ds diag.Diagnostics)
	// One shows the value of one output, or says why it cannot be shown in this form.
	One(output Output, ds diag.Diagnostics) *diag.Diagnostic
}

// NewOutputs returns the renderer for people, for scripts that take the bare value, or the JSON one.
func NewOutputs(asJSON, raw bool, term *Terminal, sources Sources) Outputs {
	switch people := (outputsHuman{human{term, sources}}); {
	case asJSON:
		return outputsJSON{document{term.Out, sources}, people.human}
	case raw:
		return outputsRaw{people}
	default:
		return people
	}
}

type outputsHuman struct{ human }

// All lists names and values as a configuration would write them.
func (v outputsHuman) All(outputs []Output, ds diag.Diagnostics) {
	v.diagnostics(ds)
	var b strings.Builder
	for _, o := range outputs {
		fmt.Fprintf(&b, "%s = %s\n", o.Name, ValueLines(o.Value))
	}
	v.print(b.String())
}

// One writes the value.
func (v outputsHuman) One(o Output, ds diag.Diagnostics) *diag.Diagnostic {
	v.diagnostics(ds)
	v.print(ValueLines(o.Value) + "\n")
	return nil
}

type outputsRaw struct{ outputsHuman }

// One writes the text of a value that has one, and nothing else.
func (v outputsRaw) One(o Output, ds diag.Diagnostics) *diag.Diagnostic {
	value := eval.Plain(o.Value)
	text, err := convert.Convert(value, cty.String)
	if err != nil || text.IsNull() {
		d := diag.New(diag.OutputHasNoValue, "The output %q is %s, and -raw prints a text, a number or a truth value. Use -json for it.", o.Name, kindOf(value))
		return &d
	}
	v.diagnostics(ds)
	v.content([]byte(text.AsString()))
	return nil
}

func kindOf(value cty.Value) string {
	if value.IsNull() {
		return "null"
	}
	return "of type " + value.Type().FriendlyName()
}

type outputsJSON struct {
	document
	people human
}

// jsonOutput is an output in the document of all of them. The value is null when it is hidden.
type jsonOutput struct {
	Value       json.RawMessage `json:"value"`
	Type        json.RawMessage `json:"type"`
	Sensitive   bool            `json:"sensitive"`
	Description string          `json:"description,omitempty"`
}

// outputsDocument is the document of output without a name.
type outputsDocument struct {
	report
	Outputs map[string]jsonOutput `json:"outputs"`
}

// All writes the document.
func (v outputsJSON) All(outputs []Output, ds diag.Diagnostics) {
	doc := outputsDocument{reportOf(v.sources, ds), map[string]jsonOutput{}}
	values := jsonOutputs(outputs)
	for _, o := range outputs {
		kind, err := ctyjson.MarshalType(eval.Plain(o.Value).Type())
		if err != nil {
			kind = []byte(`"dynamic"`)
		}
		doc.Outputs[o.Name] = jsonOutput{Value: values[o.Name], Type: kind, Sensitive: eval.IsSensitive(o.Value), Description: o.Description}
	}
	v.write(doc)
}

// One writes the value alone, as one line. Warnings go to standard error.
func (v outputsJSON) One(o Output, ds diag.Diagnostics) *diag.Diagnostic {
	value := eval.Plain(o.Value)
	data, err := ctyjson.Marshal(value, value.Type())
	if err != nil {
		d := diag.New(diag.OutputHasNoValue, "The output %q cannot be written as JSON: %v.", o.Name, err)
		return &d
	}
	v.people.diagnostics(ds)
	write(v.out, append(data, '\n'))
	return nil
}
