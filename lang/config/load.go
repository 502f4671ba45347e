package config

import (
	"cmp"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// Load reads the configuration that a path stands for, a file or a directory, through r. The path has forward slashes.
// The result is never nil and holds what could be made out, so that an editor can use it; it is complete only when
// there are no errors. While a file has syntax errors only those are reported, since what is missing would make others
// look wrong. It costs O(text) plus the evaluation of the expressions.
func Load(r syntax.Reader, path string, vars eval.VariableSources) (*Config, diag.Diagnostics) {
	module, syntaxFaults := syntax.Open(r, path)
	l := newLoader(r, module)
	l.load(module, vars, r)
	l.finishLists()
	if len(syntaxFaults) > 0 && syntaxFaults.HasErrors() {
		return l.cfg, syntaxFaults
	}
	ds := slices.Concat(syntaxFaults, l.diags)
	if !ds.HasErrors() {
		l.cfg.Digest = l.digest()
	}
	return l.cfg, ds
}

// loader carries the state of one load.
type loader struct {
	diags     diag.Diagnostics
	cfg       *Config
	scope     *eval.Scope
	inspector *eval.Inspector
	defaults  map[*schema.Attribute]cty.Value
	devices   map[string]*Device
	pools     map[string]*Pool
	graphs    map[string]*Graph
	// secret lists the expressions whose values messages must not show.
	secret []hcl.Range
}

func newLoader(r syntax.Reader, module *syntax.Module) *loader {
	functions := eval.Table(eval.Functions(r, module.Dir))
	return &loader{
		cfg: &Config{
			Dir: module.Dir, Files: module.Sources(), Declared: map[addr.Address]hcl.Range{},
			Variables: map[string]cty.Value{}, Locals: map[string]cty.Value{}, evaluation: evaluation{functions: functions},
		},
		scope:    eval.NewScope(functions),
		defaults: map[*schema.Attribute]cty.Value{},
		devices:  map[string]*Device{}, pools: map[string]*Pool{}, graphs: map[string]*Graph{},
	}
}

func (l *loader) report(d diag.Diagnostic) { l.diags = append(l.diags, d) }

func (l *loader) isDeclared(a addr.Address) bool {
	_, ok := l.cfg.Declared[a]
	return ok
}

// load runs the stages: structure, names, references, variables, then values in an order in which each finds those it
// needs, and last what nothing refers to.
func (l *loader) load(module *syntax.Module, vars eval.VariableSources, r syntax.Reader) {
	roots := l.structure(module)
	blocks := l.declare(roots)
	l.inspector = eval.NewInspector(l.cfg.Declared, l.cfg.evaluation.functions)
	for _, b := range blocks {
		l.inspect(b)
	}
	variables := l.decodeVariables(blocks, module.Variables, vars, r)
	for _, b := range blocks {
		switch b.schema.Kind {
		case addr.Graph, addr.ScopeRule, addr.Pool:
			// A pool gets its whole value later; its planned values are unknown from the start.
			l.scope.Set(addr.Address{Kind: b.schema.Kind, Name: b.label}, plainObject(b.schema.Kind, b.label))
		}
		if b.schema.Kind == addr.ScopeRule {
			l.cfg.evaluation.rules = append(l.cfg.evaluation.rules, b.label)
		}
	}
	l.evaluateInOrder(blocks)
	l.validateVariables(variables)
	l.decodeRest(blocks)
}

// structure checks every file against the schema. The result has the blocks in order of declaration.
func (l *loader) structure(module *syntax.Module) []*block {
	var s structure
	var all []*block
	once := map[string]*block{}
	for _, file := range module.Files {
		root := s.body(schema.Root(), file.Body, file.Body.SrcRange)
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
	var kept []*block
	for _, b := range blocks {
		if b.schema.Free {
			l.declareLocals(b)
			kept = append(kept, b)
			continue
		}
		if b.schema.Kind == "" {
			kept = append(kept, b)
			continue
		}
		a := addr.Address{Kind: b.schema.Kind, Name: b.label}
		if first, ok := l.cfg.Declared[a]; ok {
			d := diag.New(diag.DuplicateName, "There is already a %s named %q. Rename one of the two.", b.schema.Type, b.label).At(b.labelRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: first}}
			l.report(d)
			continue
		}
		l.cfg.Declared[a] = b.labelRange
		kept = append(kept, b)
	}
	return kept
}

// declareLocals enters the names of a locals block and drops those that are taken.
func (l *loader) declareLocals(b *block) {
	b.order = slices.DeleteFunc(b.order, func(a *attribute) bool {
		address := addr.Address{Kind: addr.Local, Name: a.name}
		if first, ok := l.cfg.Declared[address]; ok {
			d := diag.New(diag.DuplicateAttribute, "The local value %q is declared already. Remove one of the two.", a.name).At(a.nameRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: first}}
			l.report(d)
			return true
		}
		l.cfg.Declared[address] = a.nameRange
		return false
	})
}

// decodeRest decodes what nothing needs the value of.
func (l *loader) decodeRest(blocks []*block) {
	l.cfg.Planner = defaultPlanner()
	for _, b := range blocks {
		switch b.schema.Type {
		case "memplan":
			l.decodeMemplan(b)
		case "scope_rule":
			l.cfg.Rules = append(l.cfg.Rules, l.decodeRule(b))
		case "graph":
			g := l.decodeGraph(b)
			l.cfg.Graphs = append(l.cfg.Graphs, g)
			l.graphs[g.Name] = g
		case "planner":
			l.cfg.Planner = l.decodePlanner(b)
		}
	}
	for _, b := range blocks {
		switch b.schema.Type {
		case "run":
			l.cfg.Runs = append(l.cfg.Runs, l.decodeRun(b))
		case "check":
			l.cfg.Checks = append(l.cfg.Checks, l.decodeCheck(b))
		case "output":
			l.cfg.Outputs = append(l.cfg.Outputs, l.decodeOutput(b))
		}
	}
}

// finishLists brings the lists whose order has no meaning into order of name. Pools were decoded in the order of need
// and get back that of declaration.
func (l *loader) finishLists() {
	c := l.cfg
	slices.SortFunc(c.Devices, func(a, b *Device) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Graphs, func(a, b *Graph) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Runs, func(a, b *Run) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Checks, func(a, b *Check) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Outputs, func(a, b *Output) int { return cmp.Compare(a.Name, b.Name) })
	slices.SortFunc(c.Pools, func(a, b *Pool) int {
		return cmp.Or(cmp.Compare(a.Range.Filename, b.Range.Filename), cmp.Compare(a.Range.Start.Byte, b.Range.Start.Byte))
	})
}
