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
	for _, inner := range l.distinct(b.of("input")) {
		run.Inputs = append(run.Inputs, l.decodeInput(inner))
	}
	for _, inner := range l.distinct(b.of("expect")) {
		run.Expects = append(run.Expects, l.decodeExpect(inner))
	}
	slices.SortFunc(run.Inputs, func(a, b *RunInput) int { return cmp.Compare(a.Tensor, b.Tensor) })
	slices.SortFunc(run.Expects, func(a, b *Expect) int { return cmp.Compare(a.Tensor, b.Tensor) })
	return run
}

func (l *loader) decodeInput(b *block) *RunInput {
	f := l.fields(b)
	in := &RunInput{Tensor: b.label, Range: b.header}
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
