package config

import "github.com/memplan/memplan/lang/schema"

// defaultPlanner is the planner without a planner block.
func defaultPlanner() Planner {
	p := Planner{
		Algorithm: "auto", ScopePolicy: "mincopy", TextureAlgorithm: "auto", IO: "planned",
		Origins: map[string]string{},
	}
	for _, name := range schema.Root().Block("planner").AttributeNames() {
		p.Origins[name] = "default"
	}
	return p
}

// decodePlanner decodes the planner block.
func (l *loader) decodePlanner(b *block) Planner {
	f := l.fields(b)
	p := defaultPlanner()
	p.Range, p.Attributes = b.header, b.ranges()
	for name := range p.Attributes {
		p.Origins[name] = "config"
	}
	for _, setting := range []struct {
		name  string
		value *string
	}{{"algorithm", &p.Algorithm}, {"order", &p.Order}, {"scope_policy", &p.ScopePolicy}, {"texture_algorithm", &p.TextureAlgorithm}, {"io", &p.IO}} {
		if text, ok := f.text(setting.name); ok && (setting.name != "order" || f.has("order")) {
			*setting.value = text
		}
	}
	if list, _, ok := f.texts("rewrite"); ok && f.has("rewrite") {
		p.Rewrite = list
	}
	if list, _, ok := f.texts("views"); ok && f.has("views") {
		p.Views = list
	}
	l.decodeConcurrent(b)
	return p
}

// barePlanner is the planner of a bare graph file: the figure that any packing of the model's own order must reach, before
// anything below it is tried.
func barePlanner() Planner {
	p := defaultPlanner()
	p.Order, p.Rewrite, p.Views = "source", []string{"fold"}, []string{"reshape"}
	return p
}
