package config

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclwrite"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/lang/units"
)

// Effective writes the configuration as it is in effect, modules included, for people: every variable, device, pool, rule,
// graph, planner setting, run, export, check and output with its value, a comment that says where each block comes from,
// and one on each value that is a default. What depends on the plan stands as it is written, as do conditions. It is written in the language of configurations; names of what modules declare have their module before them,
// so that it is not meant to be read back.
func (c *Config) Effective() []byte {
	w := &effectiveWriter{cfg: c}
	w.variables()
	for _, d := range c.Devices {
		w.device(d)
	}
	for _, p := range c.Pools {
		w.pool(p)
	}
	w.implicitPools()
	for _, r := range c.Rules {
		w.rule(r)
	}
	for _, g := range c.Graphs {
		w.graph(g)
	}
	w.planner(&c.Planner)
	w.rest()
	return syntax.Canonical([]byte(strings.TrimLeft(w.String(), "\n")))
}

// effectiveWriter writes blocks. Given holds the attributes that the current block sets itself.
type effectiveWriter struct {
	strings.Builder
	cfg   *Config
	given map[string]hcl.Range
}

// begin opens a block and says where it comes from.
func (w *effectiveWriter) begin(header string, module string, at hcl.Range, given map[string]hcl.Range) {
	w.given = given
	at, _ = syntax.Now(w.cfg.Files, at)
	w.WriteByte('\n')
	switch {
	case module != "" && at.Filename != "":
		fmt.Fprintf(w, "# of %s, declared at %s:%d\n", module, at.Filename, at.Start.Line)
	case at.Filename != "":
		fmt.Fprintf(w, "# declared at %s:%d\n", at.Filename, at.Start.Line)
	}
	fmt.Fprintf(w, "%s {\n", header)
}

func (w *effectiveWriter) end() { w.WriteString("}\n") }

// set writes an attribute whose value is spelled already.
func (w *effectiveWriter) set(name, value string) {
	fmt.Fprintf(w, "%s = %s", name, value)
	if _, ok := w.given[name]; !ok && w.given != nil {
		w.WriteString(" # default")
	}
	w.WriteByte('\n')
}

// some writes an attribute that has a value only when it is given.
func (w *effectiveWriter) some(name string, list []string) {
	if len(list) > 0 {
		w.set(name, quoted(list))
	}
}

func (w *effectiveWriter) amount(name string, n, none int64) {
	if n == none {
		fmt.Fprintf(w, "# %s: unlimited\n", name)
		return
	}
	w.set(name, size(n))
}

// size is a plain number for the small and strange, and a text with a unit for the rest.
func size(n int64) string {
	text := units.Literal(n)
	if n < 1024 || strings.Trim(text, "0123456789") == "" {
		return strconv.FormatInt(n, 10)
	}
	return strconv.Quote(text)
}

func quote(text string) string {
	return string(hclwrite.TokensForValue(cty.StringVal(text)).Bytes())
}

func quoted(list []string) string {
	out := make([]string, len(list))
	for i, text := range list {
		out[i] = quote(text)
	}
	return "[" + strings.Join(out, ", ") + "]"
}

func (w *effectiveWriter) device(d *Device) {
	w.begin("device "+quote(d.Name), d.Address.Module, d.Range, d.Attributes)
	w.set("driver", quote(d.Driver))
	w.set("base_alignment", size(d.BaseAlignment))
	w.amount("max_alloc", d.MaxAlloc, 0)
	if d.Driver == "none" {
		w.set("keeps_order", strconv.FormatBool(d.Ordered))
	}
	w.given = nil
	if i := d.Image2D; i != nil {
		w.WriteString("\nimage2d {\n")
		for _, limit := range []struct {
			name  string
			value int64
		}{{"max_width", i.MaxWidth}, {"max_height", i.MaxHeight}, {"max_layers", i.MaxLayers}, {"pitch_alignment", i.PitchAlignment}} {
			if limit.value > 0 {
				w.set(limit.name, strconv.FormatInt(limit.value, 10))
			}
		}
		w.set("from_buffer", strconv.FormatBool(i.FromBuffer))
		w.end()
	}
	for _, capability := range d.Capabilities {
		w.WriteString("\ncapability {\n")
		w.set("op", quoted(capability.Op))
		for _, operand := range schema.Operands {
			w.some(operand.Name, capability.Scopes[operand.Name])
		}
		w.end()
	}
	w.end()
}

func (w *effectiveWriter) pool(p *Pool) {
	w.begin("pool "+quote(p.Name), p.Address.Module, p.Range, p.Attributes)
	w.set("device", p.Device.Address.String())
	w.set("type", quote(p.Type))
	w.set("holds", quoted(p.Holds))
	w.amount("size", p.Size, Unlimited)
	w.set("alignment", size(p.Alignment))
	if p.Type == "flat" {
		w.set("images", strconv.FormatBool(p.Images))
	}
	w.end()
}

// implicitPools names the pools that constants get where no declared one takes them.
func (w *effectiveWriter) implicitPools() {
	for _, d := range w.cfg.Devices {
		if !slices.ContainsFunc(w.cfg.Pools, func(p *Pool) bool { return p.Device == d && p.Type == "flat" && slices.Contains(p.Holds, "constant") }) {
			fmt.Fprintf(w, "\n# pool %q of %s: implicit, flat and unlimited, for constants, of which no declared pool takes flat ones\n", d.Name+".constants", d.Address)
		}
	}
}

func (w *effectiveWriter) rule(r *ScopeRule) {
	w.begin("scope_rule "+quote(r.Name), r.Address.Module, r.Range, nil)
	w.WriteString("match {\n")
	w.some("op", r.Op)
	w.some("operand", r.Operand)
	w.some("dtype", r.DType)
	w.some("role", r.Role)
	if len(r.Rank) > 0 {
		w.set("rank", strings.ReplaceAll(fmt.Sprint(r.Rank), " ", ", "))
	}
	w.some("layout", r.Layout)
	w.some("graph", r.Graph)
	w.some("device", r.Device)
	w.some("tensor", r.Tensor)
	w.end()
	if r.Condition != nil {
		w.set("condition", "("+string(syntax.Text(w.cfg.Files, r.Condition.Range()))+")")
	}
	if r.Scope != "" {
		w.set("scope", quote(r.Scope))
	}
	if r.Penalty != nil {
		w.set("penalty", size(*r.Penalty))
	}
	if len(r.Pools) > 0 {
		pools := make([]string, len(r.Pools))
		for i, p := range r.Pools {
			pools[i] = p.Address.String()
		}
		w.set("pools", "["+strings.Join(pools, ", ")+"]")
	}
	w.end()
}

func (w *effectiveWriter) graph(g *Graph) {
	w.begin("graph "+quote(g.Name), g.Address.Module, g.Range, nil)
	w.set("source", quote(g.Source))
	w.set("device", g.Device.Address.String())
	if len(g.Dims) > 0 {
		w.WriteString("dims = {\n")
		for _, name := range slices.Sorted(maps.Keys(g.Dims)) {
			w.set(quote(name), dimension(g.Dims[name]))
		}
		w.end()
	}
	w.some("keep", g.Keep)
	if g.KeepInputs {
		w.set("keep_inputs", "true")
	}
	for _, in := range g.Inputs {
		fmt.Fprintf(w, "\ninput %s {\n", quote(in.Tensor))
		w.set("graph", in.Graph.Address.String())
		w.set("output", quote(in.Output))
		w.end()
	}
	for _, place := range g.Places {
		fmt.Fprintf(w, "\nplace %s {\n", quote(place.Tensor))
		w.set("pool", place.Pool.Address.String())
		if place.Offset != NoOffset {
			w.set("offset", size(place.Offset))
		}
		w.end()
	}
	w.end()
}

func dimension(d Dim) string {
	if d.Max {
		return fmt.Sprintf("{ max = %d }", d.Value)
	}
	return strconv.FormatInt(d.Value, 10)
}

func (w *effectiveWriter) planner(p *Planner) {
	w.begin("planner", "", p.Range, p.Attributes)
	if w.given == nil {
		w.given = map[string]hcl.Range{}
	}
	w.set("algorithm", quote(p.Algorithm))
	if order, ok := w.everywhere(p.OrderOn); ok {
		w.set("order", quote(order[0]))
	}
	if list, ok := w.everywhere(p.RewriteOn); ok {
		w.set("rewrite", quoted(list))
	}
	if list, ok := w.everywhere(p.ViewsOn); ok {
		w.set("views", quoted(list))
	}
	w.set("scope_policy", quote(p.ScopePolicy))
	w.set("texture_algorithm", quote(p.TextureAlgorithm))
	if len(p.Concurrent) > 0 {
		names := make([]string, len(p.Concurrent))
		for i, g := range p.Concurrent {
			names[i] = g.Address.String()
		}
		w.set("concurrent", "["+strings.Join(names, ", ")+"]")
	}
	w.set("io", quote(p.IO))
	w.end()
}
