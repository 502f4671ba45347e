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
