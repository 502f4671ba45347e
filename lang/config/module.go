package config

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// The limits on modules: calls within calls, and calls in all.
const (
	deepestModule = 16
	mostModules   = 256
)

// openModules reads the modules that this one calls, as far as their names.
func (l *loader) openModules() {
	for _, b := range l.blocks {
		if b.schema.Kind != addr.Module {
			continue
		}
		if called := l.openModule(b); called != nil {
			l.calls[b.label] = called
			called.prepare()
		}
	}
}

// openModule opens what the source of a module block names; nil when there is a fault.
func (l *loader) openModule(b *block) *loader {
	source, at, ok := l.moduleSource(b)
	if !ok {
		return nil
	}
	child := site{module: addr.Inside(l.site.module, "module."+b.label), name: b.label, call: b.header, parent: l}
	name, isBuiltin := strings.CutPrefix(source, builtin.Prefix)
	if isBuiltin {
		child.key, child.rel = source, source
	} else {
		child.key, child.rel = path.Join(l.module.Dir, source), path.Join(l.site.rel, source)
	}
	if d, found := l.checkCall(b, child.key); found {
		l.report(d.At(at))
		return nil
	}
	if isBuiltin {
		return l.openBuiltin(name, child, at)
	}
	return l.openPath(child, at)
}

// moduleSource reads the source, which is needed before anything can be evaluated.
func (l *loader) moduleSource(b *block) (string, hcl.Range, bool) {
	a := b.attrs["source"]
	if a == nil || len(a.expr.Variables()) > 0 {
		// Both have been or will be reported: a missing attribute, a reference in a constant.
		return "", hcl.Range{}, false
	}
	at := a.expr.Range()
	v, hclDiags := a.expr.Value(nil)
	if hclDiags.HasErrors() || v.IsNull() || v.Type() != cty.String {
		l.report(diag.New(diag.InvalidModuleSource, "The source of a module is a text in quotes. Write it as in source = \"./devices/phone\".").At(at))
		return "", at, false
	}
	source := v.AsString()
	local := source == "." || source == ".." || strings.HasPrefix(source, "./") || strings.HasPrefix(source, "../")
	if local && !strings.Contains(source, `\`) || strings.HasPrefix(source, builtin.Prefix) {
		return source, at, true
	}
	l.report(invalidSource(source).At(at))
	return "", at, false
}

func invalidSource(source string) diag.Diagnostic {
	next := fmt.Sprintf("Write \"./%s\" for a directory beside this file.", source)
	switch _, known := builtin.Source(source); {
	case known:
		next = fmt.Sprintf("Write \"%s%s\" for the builtin module.", builtin.Prefix, source)
	case source == "" || path.IsAbs(source) || strings.Contains(source, ":"):
		next = "Write a path relative to this file, as in \"./devices/phone\"."
	case strings.Contains(source, `\`):
		next = "Write it with forward slashes."
	}
	return diag.New(diag.InvalidModuleSource, "%q is not the source of a module: that is a path that begins with ./ or ../, or %sNAME. %s", source, builtin.Prefix, next)
}

// checkCall finds calls without end.
func (l *loader) checkCall(b *block, key string) (diag.Diagnostic, bool) {
	depth := 1
	for a := l; a != nil; a = a.site.parent {
		if a.site.key == key {
			return diag.New(diag.ModuleCycle, "The module %q is %q, which contains this block, so that it would contain itself. Remove the block or change its source.", b.label, key), true
		}
		depth++
	}
	l.session.modules++
	switch {
	case depth > deepestModule+1:
		return diag.New(diag.TooManyModules, "The module %q is nested more than %d deep. Call it from further up.", b.label, deepestModule), true
	case l.session.modules > mostModules:
		return diag.New(diag.TooManyModules, "The configuration has more than %d modules. Remove some calls.", mostModules), true
	}
	return diag.Diagnostic{}, false
}

func (l *loader) openBuiltin(name string, child site, at hcl.Range) *loader {
	text, ok := builtin.Source(name)
	if !ok {
		next := diag.DidYouMean(name, builtin.Names()).Or(" There are " + diag.Enumerate(builtin.Names(), "and") + ".")
		l.report(diag.New(diag.UnknownBuiltin, "There is no builtin module %q.%s", name, next).At(at))
		return nil
	}
	module := l.session.opened[child.key]
	if module == nil {
		if module = l.session.before.builtins[name]; module == nil {
			file, ds := syntax.Parse(child.key, text)
			l.session.syntaxFaults = append(l.session.syntaxFaults, ds...)
			module = &syntax.Module{Dir: child.key, Files: []*syntax.File{file}}
		}
		l.session.opened[child.key], l.session.builtins[name] = module, module
	}
	return newLoader(l.session, syntax.Memory{}, l.session.overriddenIn(child.module, module), child)
}

func (l *loader) openPath(child site, at hcl.Range) *loader {
	module := l.session.opened[child.key]
	if module == nil {
		var ds diag.Diagnostics
		if module, ds = syntax.OpenModule(l.reader, child.key); len(module.Files) == 0 {
			if len(ds) == 1 && ds[0].ID == diag.PathNotFound {
				ds = diag.Diagnostics{diag.New(diag.ModuleNotFound, "There is no file or directory %q. Paths are relative to the directory of the file that has the block: check the spelling.", child.key)}
			}
			l.diags = append(l.diags, ds.At(at)...)
			return nil
		}
		l.session.syntaxFaults = append(l.session.syntaxFaults, ds.At(at)...)
		l.session.opened[child.key] = module
	}
	if module.Dir != child.key {
		child.rel = path.Dir(child.rel)
	}
	return newLoader(l.session, l.reader, l.session.overriddenIn(child.module, module), child)
}

// outputNames lists the outputs of the modules that could be opened.
func (l *loader) outputNames() map[string][]string {
	names := map[string][]string{}
	for name, called := range l.calls {
		names[name] = []string{}
		for _, b := range called.blocks {
			if b.schema.Kind == addr.Output {
				names[name] = append(names[name], b.label)
			}
		}
		slices.Sort(names[name])
	}
	return names
}

// callModule evaluates a module with the inputs of the block and returns the object of its outputs.
func (l *loader) callModule(b *block) cty.Value {
	called := l.calls[b.label]
	if called == nil {
		return eval.InvalidValue()
	}
	if b.key != "" {
		if called = l.openInstance(called, b); called == nil {
			return eval.InvalidValue()
		}
	}
	l.called[b.label] = append(l.called[b.label], called)
	var ds diag.Diagnostics
	called.inputs, ds = inputsOf(l.scope, b)
	l.diags = append(l.diags, ds...)
	called.load(func(declared []eval.Variable) (map[string]cty.Value, diag.Diagnostics) {
		values, ds := eval.ResolveInputs(declared, called.inputs, b.label, b.header)
		// They speak of the block, so they are not the module's.
		l.diags = append(l.diags, ds...)
		return values, nil
	})
	l.cfg.Modules = append(l.cfg.Modules, &Module{Name: b.label, Key: b.key, Source: called.site.key, Config: called.cfg, Range: b.header, block: b})
	return called.cfg.outputValues(called.scope)
}

// openInstance makes a module of its own for an instance of a block, of the same files. The first one serves for names only.
func (l *loader) openInstance(first *loader, b *block) *loader {
	l.session.modules++
	if l.session.modules > mostModules {
		l.report(diag.New(diag.TooManyModules, "The configuration has more than %d modules, instances included. Remove some calls.", mostModules).At(b.header))
		return nil
	}
	at := first.site
	at.module = addr.Inside(l.site.module, "module."+b.label+b.key)
	instance := newLoader(l.session, first.reader, first.module, at)
	instance.prepare()
	return instance
}

// inputsOf evaluates the attributes of a module block but its source.
func inputsOf(scope *eval.Scope, b *block) (map[string]eval.Input, diag.Diagnostics) {
	inputs := map[string]eval.Input{}
	var ds diag.Diagnostics
	for _, a := range b.order {
		if a.schema != nil {
			continue
		}
		input := eval.Input{Value: eval.InvalidValue(), NameRange: a.nameRange, Range: a.expr.Range()}
		if !a.broken {
			var found diag.Diagnostics
			input.Value, found = scope.Evaluate(a.expr, a.refs, b.extra)
			ds = append(ds, found...)
		}
		inputs[a.name] = input
	}
	return inputs, ds
}

// outputValues is the object of a module's outputs. What is at fault in them is reported where they are decoded.
func (c *Config) outputValues(scope *eval.Scope) cty.Value {
	values := map[string]cty.Value{}
	for _, output := range c.Outputs {
		v := eval.InvalidValue()
		if output.value != nil {
			v, _ = scope.Evaluate(output.value.expr, output.value.refs, nil)
			if output.Sensitive {
				v = v.Mark(eval.Sensitive)
			}
		}
		values[output.Name] = v
	}
	return cty.ObjectVal(values)
}
