package config

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"

	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// variables writes the values of the configuration's own variables; those of modules are the inputs of their blocks.
func (w *effectiveWriter) variables() {
	for _, v := range w.cfg.Declarations {
		w.begin("variable "+quote(v.Name), "", v.Range, nil)
		value := w.cfg.Variables[v.Name]
		switch {
		case v.Sensitive:
			w.WriteString("# value: sensitive\n")
		case eval.IsInvalid(value) || !value.IsWhollyKnown():
			w.WriteString("# value: unknown\n")
		default:
			fmt.Fprintf(w, "value = %s\n", hclwrite.TokensForValue(value).Bytes())
		}
		w.end()
	}
}

// rest writes what is done with a plan: runs, exports, checks and outputs.
func (w *effectiveWriter) rest() {
	for _, r := range w.cfg.Runs {
		w.run(r)
	}
	for _, e := range w.cfg.Exports {
		w.begin("export "+quote(e.Name), "", e.Range, nil)
		w.to(e.Graph)
		w.set("format", quote(e.Format))
		w.set("path", quote(e.Path))
		w.set("offset", strconv.FormatBool(e.Offset))
		w.end()
	}
	for _, c := range w.cfg.Checks {
		w.begin("check "+quote(c.Name), "", c.Range, nil)
		for _, a := range c.Asserts {
			w.WriteString("assert {\n")
			w.written("condition", a.Condition)
			w.written("error_message", a.ErrorMessage)
			w.end()
		}
		w.end()
	}
	for _, o := range w.cfg.Outputs {
		w.begin("output "+quote(o.Name), "", o.Range, nil)
		if o.Description != "" {
			w.set("description", quote(o.Description))
		}
		w.written("value", o.Value)
		w.end()
	}
}

func (w *effectiveWriter) run(r *Run) {
	w.begin("run "+quote(r.Name), "", r.Range, nil)
	w.to(r.Graph)
	for _, in := range r.Inputs {
		fmt.Fprintf(w, "\ninput %s {\n", quote(in.Tensor))
		if in.RandomSeed != nil {
			w.set("random_seed", strconv.FormatInt(*in.RandomSeed, 10))
		} else {
			w.set("npy", quote(in.NPY))
		}
		w.end()
	}
	for _, e := range r.Expects {
		fmt.Fprintf(w, "\nexpect %s {\n", quote(e.Tensor))
		w.set("npy", quote(e.NPY))
		w.set("atol", strconv.FormatFloat(e.ATol, 'g', -1, 64))
		w.set("rtol", strconv.FormatFloat(e.RTol, 'g', -1, 64))
		w.end()
	}
	w.end()
}

// to names the graph of a run or an export.
func (w *effectiveWriter) to(g *Graph) {
	if g != nil {
		w.set("graph", g.Address.String())
	}
}

// written copies an expression from its file, nothing when there is none.
func (w *effectiveWriter) written(name string, expr hcl.Expression) {
	if expr == nil {
		return
	}
	written := syntax.Text(w.cfg.Files, expr.Range())
	if written == nil {
		return
	}
	text := string(written)
	if strings.Contains(text, "\n") && !strings.HasPrefix(text, "<<") {
		text = "(" + text + ")"
	}
	w.set(name, text)
}
