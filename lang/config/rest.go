package config

import (
	"github.com/memplan/memplan/lang/diag"
)

// decodeRest decodes what nothing needs the value of.
func (l *loader) decodeRest(blocks []*block) {
	l.cfg.Planner = defaultPlanner()
	for _, b := range blocks {
		l.decodePlanned(b)
	}
	for _, b := range blocks {
		l.decodeLast(b)
	}
}

// decodePlanned decodes a block that plans are made of.
func (l *loader) decodePlanned(b *block) {
	switch b.schema.Type {
	case "memplan":
		l.decodeMemplan(b)
	case "scope_rule":
		for _, instance := range l.instancesOf(b) {
			rule := l.ruleOf(instance)
			l.cfg.Rules = append(l.cfg.Rules, rule)
			if len(rule.selected) > 0 {
				l.session.checks = append(l.session.checks, func() { l.checkSelected(rule) })
			}
			l.cfg.evaluation.rules = append(l.cfg.evaluation.rules, l.full(instance))
		}
	case "graph":
		for _, instance := range l.instancesOf(b) {
			g := l.decodeGraph(instance)
			l.cfg.Graphs = append(l.cfg.Graphs, g)
			l.session.graphs[g.Address] = g
		}
	case "planner":
		if l.site.module != "" {
			l.report(diag.New(diag.PlannerInModule, "A module has no planner block: the plan has one, that of the configuration that is planned. Move the settings there.").At(b.header))
			return
		}
		l.cfg.Planner = l.decodePlanner(b)
	}
}

// decodeLast decodes a block that is about plans. Runs and exports wait until every module's graphs are there.
func (l *loader) decodeLast(b *block) {
	switch b.schema.Type {
	case "device", "pool", "graph":
		if len(b.of("postcondition")) == 0 && !b.hasDynamic() {
			return
		}
		for _, instance := range l.instancesOf(b) {
			l.decodePostconditions(instance)
		}
	case "run":
		l.session.runs = append(l.session.runs, func() {
			for _, instance := range l.instancesOf(b) {
				l.cfg.Runs = append(l.cfg.Runs, l.decodeRun(instance))
			}
		})
	case "export":
		l.session.runs = append(l.session.runs, func() {
			for _, instance := range l.instancesOf(b) {
				l.cfg.Exports = append(l.cfg.Exports, l.decodeExport(instance))
			}
		})
	case "moved":
		l.decodeMoved(b)
	case "check":
		check := *decoded(l, b, l.decodeCheck)
		check.owner = l.cfg
		l.cfg.Checks = append(l.cfg.Checks, &check)
	case "output":
		l.cfg.Outputs = append(l.cfg.Outputs, decoded(l, b, l.decodeOutput))
	}
}

// instancesOf returns the instances of a block that is decoded late: those that were made when its value was needed, or now.
func (l *loader) instancesOf(b *block) []*block {
	if made, ok := l.instances[b]; ok {
		return made
	}
	made, _ := l.expand(b)
	return made
}
