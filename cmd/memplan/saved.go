package main

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/planner/plan"
)

// provenance records what apply needs to make the same plan again.
func (a *app) provenance(j *job, lock *plan.Plan, out string) (*plan.Provenance, error) {
	path, err := relative(filepath.Dir(out), j.path)
	if err != nil {
		return nil, err
	}
	p := &plan.Provenance{Path: path, Environment: map[string]string{}, Dims: a.flags.dims, Settings: map[string]string{}}
	if lock != nil {
		if p.Lock, err = plan.Digest(lock); err != nil {
			return nil, err
		}
	}
	if a.flags.algorithm != "" {
		p.Settings["planner.algorithm"] = a.flags.algorithm
	}
	withheld := map[string]bool{}
	for name, value := range a.environmentVariables() {
		declared := j.declaration(name)
		switch {
		case declared == nil:
		case declared.Sensitive:
			withheld[name] = true
		default:
			p.Environment[name] = value
		}
	}
	for _, argument := range effective(a.flags.variables) {
		if declared := j.declaration(argument.Name); argument.File == "" && declared != nil && declared.Sensitive {
			withheld[argument.Name] = true
			continue
		}
		written := plan.Argument{Name: argument.Name, Value: argument.Value}
		if argument.File != "" {
			if written.File, err = relative(filepath.Dir(out), argument.File); err != nil {
				return nil, err
			}
		}
		p.Arguments = append(p.Arguments, written)
	}
	p.Withheld = slices.Sorted(maps.Keys(withheld))
	return p, nil
}

// declaration is the variable of a name, nil when there is none.
func (j *job) declaration(name string) *eval.Variable {
	at := slices.IndexFunc(j.cfg.Declarations, func(v eval.Variable) bool { return v.Name == name })
	if at < 0 {
		return nil
	}
	return &j.cfg.Declarations[at]
}

// effective leaves out the values that later ones of the same variable replace, and sorts values that no file stands
// between by name: the order of flags that does not matter leaves no trace in a saved plan.
func effective(given []eval.Argument) []eval.Argument {
	later := map[string]bool{}
	var out []eval.Argument
	for _, argument := range slices.Backward(given) {
		if argument.File == "" && later[argument.Name] {
			continue
		}
		later[argument.Name] = argument.File == ""
		out = append(out, argument)
	}
	slices.Reverse(out)
	for from := 0; from < len(out); from++ {
		to := from
		for to < len(out) && out[to].File == "" {
			to++
		}
		slices.SortFunc(out[from:to], func(a, b eval.Argument) int { return strings.Compare(a.Name, b.Name) })
		from = to
	}
	return out
}

// relative returns the path as seen from a directory, with forward slashes.
func relative(dir, path string) (string, error) {
	from, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	to, err := filepath.Abs(filepath.FromSlash(path))
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(from, to)
	return filepath.ToSlash(rel), err
}

// reopen loads what a saved plan was made of, with the flags that it was made with.
func (a *app) reopen(in *input) (*plan.Saved, *job, diag.Diagnostics) {
	saved, ds := plan.DecodeSaved(filepath.ToSlash(in.path), in.plan)
	if ds.HasErrors() {
		return nil, nil, ds
	}
	if a.flags.changesThePlan(saved.Saved.Withheld) {
		return nil, nil, diag.Diagnostics{diag.New(diag.WrongArguments, "A saved plan is applied as it is; -var, -var-file, -dim and -algorithm cannot change it. Leave them out, or plan again with them.")}
	}
	if ds := a.withheld(&saved.Saved); ds.HasErrors() {
		return nil, nil, ds
	}
	dir := filepath.Dir(in.path)
	a.restore(&saved.Saved, dir)
	j, ds := a.open("apply", filepath.Join(dir, filepath.FromSlash(saved.Saved.Path)))
	return saved, j, ds
}

// changesThePlan reports whether the flags say anything about what to plan beyond the values that a saved plan withholds.
func (f *commonFlags) changesThePlan(withheld []string) bool {
	more := slices.ContainsFunc(f.variables, func(v eval.Argument) bool { return v.File != "" || !slices.Contains(withheld, v.Name) })
	return more || len(f.dims) > 0 || f.algorithm != ""
}

// withheld reports the sensitive values that a plan was made with and that nobody gives again.
func (a *app) withheld(p *plan.Provenance) (ds diag.Diagnostics) {
	given := a.environmentVariables()
	for _, name := range p.Withheld {
		_, inEnvironment := given[name]
		if inEnvironment || slices.ContainsFunc(a.flags.variables, func(v eval.Argument) bool { return v.Name == name }) {
			continue
		}
		ds = append(ds, diag.New(diag.ValueWithheld, "The variable %q is sensitive, and the saved plan does not hold the value that it was made with. Give it again, with -var %s=VALUE or in %s%s.", name, name, eval.EnvironmentPrefix, name))
	}
	return ds
}

// restore sets the flags and the environment that a plan saved in dir was made with. Values that it withholds come first:
// a variables file among its arguments decided over them then and does now.
func (a *app) restore(p *plan.Provenance, dir string) {
	a.environ = slices.DeleteFunc(slices.Clone(a.environ), func(pair string) bool {
		name, _, _ := strings.Cut(pair, "=")
		variable, isVariable := strings.CutPrefix(name, eval.EnvironmentPrefix)
		return isVariable && !slices.Contains(p.Withheld, variable)
	})
	for name, value := range p.Environment {
		a.environ = append(a.environ, eval.EnvironmentPrefix+name+"="+value)
	}
	for _, written := range p.Arguments {
		argument := eval.Argument{Name: written.Name, Value: written.Value}
		if written.File != "" {
			argument.File = filepath.ToSlash(filepath.Join(dir, filepath.FromSlash(written.File)))
		}
		a.flags.variables = append(a.flags.variables, argument)
	}
	a.flags.dims, a.flags.algorithm = p.Dims, p.Settings["planner.algorithm"]
}
