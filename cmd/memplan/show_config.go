package main

import (
	"strings"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/diag"
)

// showConfig shows a builtin module, or the configuration that a path leads to as it is in effect.
func (a *app) showConfig(v view.Config, path string) outcome {
	if name, ok := strings.CutPrefix(path, builtin.Prefix); ok {
		text, ok := builtin.Source(name)
		if !ok {
			return problem(diag.UnknownBuiltin, "There is no builtin module %q.%s There are %s.", name, diag.DidYouMean(name, builtin.Names()), diag.Enumerate(builtin.Names(), "and"))
		}
		v.Result(text, nil)
		return done(exitOK)
	}
	j, ds := a.open("show -config", path)
	if ds.HasErrors() {
		return problems(ds)
	}
	ds = a.judged(j.diags)
	v.Result(j.cfg.Effective(), ds)
	return done(exitFor(ds))
}
