package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// Load reads the configuration that a path stands for, a file or a directory, through r, with the modules that it calls.
// The path has forward slashes. The result is never nil and holds what could be made out, so that an editor can use it;
// it is complete only when there are no errors. While a file has syntax errors only those are reported, since what is
// missing would make others look wrong. It costs O(text) plus the evaluation of the expressions.
func Load(r syntax.Reader, path string, vars eval.VariableSources) (*Config, diag.Diagnostics) {
	return new(Cache).Load(r, path, vars)
}

// LoadFor is [Load] for a run of a test file: with its overrides.
func LoadFor(run *TestRun, from *syntax.File, r syntax.Reader, path string, vars eval.VariableSources) (*Config, diag.Diagnostics) {
	module, faults := syntax.Open(r, path)
	s := newSession(new(Cache))
	here, inside := ofModules(run.Overrides)
	s.overrides = inside
	module, more := overridden(module, here)
	cfg, ds := loadModule(s, r, path, vars, module, faults)
	cfg.Files[from.Name] = from.HCL
	return cfg, slices.Concat(more, s.unmet(), ds)
}

func loadModule(s *session, r syntax.Reader, path string, vars eval.VariableSources, module *syntax.Module, faults diag.Diagnostics) (*Config, diag.Diagnostics) {
	s.syntaxFaults = faults
	l := newLoader(s, r, module, site{key: syntaxKey(path), rel: "."})
	l.prepare()
	l.load(func(declared []eval.Variable) (map[string]cty.Value, diag.Diagnostics) {
		return eval.Resolve(declared, module.Variables, vars, r)
	})
	for _, run := range s.runs {
		run()
	}
	for _, check := range s.checks {
		check()
	}
	l.gather()
	l.finishLists()
	l.checkExports()
	l.checkMoves()
	l.checkViews()
	if s.syntaxFaults.HasErrors() {
		for _, g := range l.cfg.Graphs {
			g.Faulty = true
		}
		return l.cfg, s.syntaxFaults
	}
	ds := l.cfg.WithValues(slices.Concat(s.syntaxFaults, l.diags))
	if !ds.HasErrors() {
		l.cfg.digest = digestOf(l.cfg)
	}
	return l.cfg, ds
}

// loader carries the state of the load of one module.
type loader struct {
	diags     diag.Diagnostics
	cfg       *Config
	scope     *eval.Scope
	inspector *eval.Inspector
	defaults  map[*schema.Attribute]cty.Value
	session   *session
	reader    syntax.Reader
	module    *syntax.Module
	site      site
	// blocks are in order of declaration, calls hold the modules that could be opened, by name.
	blocks []*block
	calls  map[string]*loader
	// called holds for each module block the modules that were evaluated for it, one for each instance.
	called map[string][]*loader
	// names are those of this module, instances what blocks stand for that stand for more than themselves.
	names     map[addr.Address]*name
	instances map[*block][]*block
	// inputs are what the calling block gives.
	inputs map[string]eval.Input
	// noted are the uses of the step that is under way, nil when none is.
	noted *[]use
	// secret lists the expressions whose values messages must not show.
	secret []hcl.Range
}

func newLoader(s *session, r syntax.Reader, module *syntax.Module, at site) *loader {
	functions := eval.Table(eval.Functions(r, module.Dir))
	return &loader{
		cfg: &Config{
			Dir: module.Dir, Files: module.Sources(),
			Variables: map[string]cty.Value{}, Locals: map[string]cty.Value{},
			evaluation: evaluation{functions: functions, module: at.module},
		},
		scope:    eval.NewScope(functions),
		defaults: map[*schema.Attribute]cty.Value{},
		session:  s, reader: r, module: module, site: at, calls: map[string]*loader{}, called: map[string][]*loader{},
		names: s.namesOf(at.module), instances: map[*block][]*block{},
	}
}

func (l *loader) report(d diag.Diagnostic) { l.diags = append(l.diags, d) }

// prepare reads structure and names, of the modules that are called as well.
func (l *loader) prepare() {
	l.blocks = l.declare(l.structure(l.module))
	l.openModules()
}

// load runs the stages that follow the names: references, variables, then values in an order in which each finds those
// it needs, and last what nothing refers to.
func (l *loader) load(resolve func([]eval.Variable) (map[string]cty.Value, diag.Diagnostics)) {
	l.inspector = eval.NewInspector(l, l.cfg.evaluation.functions, l.outputNames())
	l.inspectAll()
	blocks := l.blocks
	variables := l.decodeVariables(blocks, resolve)
	l.scope.Otherwise = l.objectOf
	l.evaluateInOrder(blocks)
	l.validateVariables(variables)
	l.decodeRest(blocks)
}

// objectOf is the value of a block without for_each and count: of a device and a pool once it is decoded. Before that, and of
// the others always, no more is known than the name and that some values are planned.
func (l *loader) objectOf(a addr.Address) cty.Value {
	n := l.declared(a)
	if n == nil || n.how != eval.Once {
		return eval.InvalidValue()
	}
	full := a
	full.Module = l.site.module
	switch a.Kind {
	case addr.Device:
		if d := n.device; d != nil {
			l.scope.Set(a, deviceValue(d))
			return l.scope.Value(a)
		}
	case addr.Pool:
		if p := n.pool; p != nil {
			l.scope.Set(a, poolValue(p, nil))
			return l.scope.Value(a)
		}
		return plainObject(full)
	case addr.Graph, addr.ScopeRule:
		return plainObject(full)
	}
	return eval.InvalidValue()
}

// structure checks every file against the schema. The result has the blocks in order of declaration.
func (l *loader) structure(module *syntax.Module) []*block {
	s := structure{keep: l.keep}
	var all []*block
	once := map[string]*block{}
	for _, file := range module.Files {
		body := file.Body
		if file.JSON != nil {
			s.source = file.HCL.Bytes
			body = s.native(schema.Root(), file.JSON, nil)
		}
		root := s.body(schema.Root(), body, body.SrcRange)
		for _, b := range root.blocks {
			if earlier := once[b.schema.Type]; b.schema.Once && earlier != nil {
				s.report(repeated(b.schema, earlier).At(b.header))
				continue
			}
			if b.schema.Once {
				once[b.schema.Type] = b
			}
			all = append(all, b)
		}
	}
	l.diags = append(l.diags, s.diags...)
	return all
}

// declare enters the names of blocks and local values. A second block of a name is left out of the result.
func (l *loader) declare(blocks []*block) []*block {
	kept := make([]*block, 0, len(blocks))
	for _, b := range blocks {
		if isLocals(b) {
			kept = append(kept, l.declareLocals(b))
			continue
		}
		if b.schema.Kind == "" {
			kept = append(kept, b)
			continue
		}
		n := l.nameOf(b)
		if n.at != nil {
			d := diag.New(diag.DuplicateName, "There is already a %s named %q. Rename one of the two.", b.schema.Type, b.label).At(b.labelRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: *n.at}}
			l.report(d)
			continue
		}
		n.at = &b.labelRange
		if n.how = repetition(b); n.how != eval.Once {
			l.checkRepetition(b)
		}
		kept = append(kept, b)
	}
	return kept
}

// nameOf is the name that a block declares.
func (l *loader) nameOf(b *block) *name {
	if b.name == nil {
		b.name = l.name(addr.Address{Kind: b.schema.Kind, Name: b.label})
	}
	return b.name.in(l.session)
}

func (l *loader) nameOfLocal(a *attribute) *name {
	if a.local == nil {
		a.local = l.name(addr.Address{Kind: addr.Local, Name: a.name})
	}
	return a.local.in(l.session)
}

func isLocals(b *block) bool { return b.schema.Type == "locals" }

// declareLocals enters the names of a locals block and returns it without those that are taken.
func (l *loader) declareLocals(b *block) *block {
	faults := len(l.diags)
	order := slices.DeleteFunc(slices.Clone(b.order), func(a *attribute) bool {
		n := l.nameOfLocal(a)
		if n.at != nil {
			d := diag.New(diag.DuplicateAttribute, "The local value %q is declared already. Remove one of the two.", a.name).At(a.nameRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: *n.at}}
			l.report(d)
			return true
		}
		n.at = &a.nameRange
		return false
	})
	if len(l.diags) == faults {
		return b
	}
	out := again(b)
	out.kept = nil
	out.order = slices.DeleteFunc(out.order, func(a *attribute) bool {
		return !slices.ContainsFunc(order, func(other *attribute) bool { return other.name == a.name })
	})
	return out
}

// decodeRest decodes what nothing needs the value of. Runs and exports wait until every module's graphs are there.
func (l *loader) decodeRest(blocks []*block) {
	l.cfg.Planner = defaultPlanner()
	for _, b := range blocks {
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
				continue
			}
			l.cfg.Planner = l.decodePlanner(b)
		}
	}
	for _, b := range blocks {
		switch b.schema.Type {
		case "device", "pool", "graph":
			if len(b.of("postcondition")) == 0 && !b.hasDynamic() {
				continue
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
}

// instancesOf returns the instances of a block that is decoded late: those that were made when its value was needed, or now.
func (l *loader) instancesOf(b *block) []*block {
	if made, ok := l.instances[b]; ok {
		return made
	}
	made, _ := l.expand(b)
	return made
}
