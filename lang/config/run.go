package config

import (
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/diag"
)

// decodeRun decodes a run block. Inputs and expectations come in order of tensor name.
func (l *loader) decodeRun(b *block) *Run {
	f := l.fields(b)
	run := &Run{Name: l.full(b).FullName(), Range: b.header}
	if target, ok := f.reference("graph"); ok {
		run.Graph = l.session.graphs[target]
	}
	for _, inner := range b.of("input") {
		in := l.decodeInput(run, inner)
		if l.isFirst(run, in) {
			run.Inputs = append(run.Inputs, in)
		}
	}
	for _, inner := range l.distinct(b.of("expect")) {
		run.Expects = append(run.Expects, l.decodeExpect(inner))
	}
	slices.SortStableFunc(run.Inputs, func(a, b *RunInput) int { return cmp.Compare(a.Tensor, b.Tensor) })
	slices.SortFunc(run.Expects, func(a, b *Expect) int { return cmp.Compare(a.Tensor, b.Tensor) })
	return run
}

// isFirst reports an input that was given before.
func (l *loader) isFirst(run *Run, in *RunInput) bool {
	at := slices.IndexFunc(run.Inputs, func(e *RunInput) bool { return e.Tensor == in.Tensor && e.Graph == in.Graph })
	if at < 0 {
		return true
	}
	d := diag.New(diag.DuplicateName, "There is already a block input %q here. Merge the two.", in.Tensor).At(in.Range)
	d.Related = []diag.Related{{Message: "the first one is here", Range: run.Inputs[at].Range}}
	l.report(d)
	return false
}

func (l *loader) decodeInput(run *Run, b *block) *RunInput {
	f := l.fields(b)
	in := &RunInput{Tensor: b.label, Graph: run.Graph, Range: b.header}
	if target, ok := f.reference("graph"); ok {
		if in.Graph = l.session.graphs[target]; in.Graph != nil && run.Graph != nil && in.Graph != run.Graph && !l.wayBack(run.Graph, in.Graph) {
			l.report(diag.New(diag.InputOfOtherGraph, "Graph %q does not run before graph %q: no input of that comes from it. Remove the block, or give it an input of a graph that does.", in.Graph.Name, run.Graph.Name).At(b.attrs["graph"].expr.Range()))
		}
	}
	npy, _ := f.text("npy")
	in.NPY = l.relative(npy)
	if seed, ok := f.whole("random_seed"); ok {
		in.RandomSeed = &seed
	}
	switch {
	case f.has("npy") && f.has("random_seed"):
		l.report(diag.New(diag.OneInputSource, "Input %q has both npy and random_seed. Remove one of them.", in.Tensor).At(b.header))
	case !f.has("npy") && !f.has("random_seed"):
		l.report(diag.New(diag.OneInputSource, "Input %q has neither npy nor random_seed. Add one of them, as in random_seed = 7.", in.Tensor).At(b.header))
	}
	return in
}

func (l *loader) decodeExpect(b *block) *Expect {
	f := l.fields(b)
	expect := &Expect{Tensor: b.label, Range: b.header, ATol: f.real("atol"), RTol: f.real("rtol")}
	npy, _ := f.text("npy")
	expect.NPY = l.relative(npy)
	return expect
}
