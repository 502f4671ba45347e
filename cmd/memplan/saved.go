package main

import (
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
	for name, value := range a.environmentVariables() {
		if _, declared := j.cfg.Variables[name]; declared {
			p.Environment[name] = value
		}
	}
	for _, argument := range effective(a.flags.variables) {
		written := plan.Argument{Name: argument.Name, Value: argument.Value}
		if argument.File != "" {
			if written.File, err = relative(filepath.Dir(out), argument.File); err != nil {
				return nil, err
			}
		}
		p.Arguments = append(p.Arguments, written)
	}
	return p, nil
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
	if a.flags.changesThePlan() {
		return nil, nil, diag.Diagnostics{diag.New(diag.WrongArguments, "A saved plan is applied as it is; -var, -var-file, -dim and -algorithm cannot change it. Leave them out, or plan again with them.")}
	}
	dir := filepath.Dir(in.path)
	a.restore(&saved.Saved, dir)
	j, ds := a.open("apply", filepath.Join(dir, filepath.FromSlash(saved.Saved.Path)))
	return saved, j, ds
}

// changesThePlan reports whether the flags say anything about what to plan.
func (f *commonFlags) changesThePlan() bool {
	return len(f.variables)+len(f.dims) > 0 || f.algorithm != ""
}

// restore sets the flags and the environment that a plan saved in dir was made with.
func (a *app) restore(p *plan.Provenance, dir string) {
	a.environ = slices.DeleteFunc(slices.Clone(a.environ), func(pair string) bool { return strings.HasPrefix(pair, eval.EnvironmentPrefix) })
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
