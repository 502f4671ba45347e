package view

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/memplan/memplan/lang/eval"
)

// Output is an output of the configuration with its value.
type Output struct {
	Name        string
	Value       cty.Value
	Description string
}

// CheckResult is a check of the configuration with its outcome.
type CheckResult struct {
	Name   string
	Passed bool
}

func writeFinished(b *strings.Builder, paint palette, outputs []Output, checks []CheckResult) {
	if len(checks) > 0 {
		b.WriteString(paint.bold("Checks:") + "\n")
		for _, c := range checks {
			mark := paint.green("passed")
			if !c.Passed {
				mark = paint.red("failed")
			}
			fmt.Fprintf(b, "  %s  %s\n", mark, c.Name)
		}
		b.WriteByte('\n')
	}
	if len(outputs) > 0 {
		b.WriteString(paint.bold("Outputs:") + "\n")
		for _, o := range outputs {
			fmt.Fprintf(b, "  %s = %s\n", o.Name, valueText(o.Value))
		}
		b.WriteByte('\n')
	}
}

type jsonCheck struct {
	Name   string `json:"name"`
	Passed bool   `json:"passed"`
}

func jsonChecks(checks []CheckResult) []jsonCheck {
	out := make([]jsonCheck, len(checks))
	for i, c := range checks {
		out[i] = jsonCheck(c)
	}
	return out
}

// jsonOutputs gives the outputs as JSON, null for a value that is sensitive, that is not known or that JSON cannot hold.
func jsonOutputs(outputs []Output) map[string]json.RawMessage {
	out := map[string]json.RawMessage{}
	for _, o := range outputs {
		value := eval.Plain(o.Value)
		data, err := ctyjson.Marshal(value, value.Type())
		if err != nil || eval.IsSensitive(o.Value) {
			data = []byte("null")
		}
		out[o.Name] = data
	}
	return out
}
