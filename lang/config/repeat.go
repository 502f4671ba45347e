package config

import (
	"errors"
	"maps"

	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
)

// group is a block with for_each or count: how it is repeated and the keys of its instances, in order.
type group struct {
	address addr.Address
	how     eval.Repetition
	keys    []cty.Value
}

// repetition says how many blocks a block stands for.
func repetition(b *block) eval.Repetition {
	switch {
	case !b.schema.Repeats():
		return eval.Once
	case b.attrs["for_each"] != nil:
		return eval.Keyed
	case b.attrs["count"] != nil:
		return eval.Counted
	}
	return eval.Once
}

// checkRepetition reports a block with both for_each and count; for_each then counts.
func (l *loader) checkRepetition(b *block) {
	if repetition(b) == eval.Keyed && b.attrs["count"] != nil {
		d := diag.New(diag.ForEachAndCount, "The %s %q has both for_each and count. Remove one of the two.", b.schema.Type, b.label).At(b.attrs["count"].nameRange)
		d.Related = []diag.Related{{Message: "for_each is here", Range: b.attrs["for_each"].nameRange}}
		l.report(d)
	}
}

// expand returns the instances of a block, itself when it is not repeated, with their dynamic blocks made. The second result
// is false when they cannot be told; the fault has been reported.
func (l *loader) expand(b *block) (instances []*block, ok bool) {
	if repetition(b) == eval.Once && !b.hasDynamic() {
		return []*block{b}, true
	}
	made := memo(l, b.kept, "instances", b.needs(), func() (expanded, bool) {
		e := l.makeInstances(b)
		return e, e.ok
	})
	if !made.ok {
		l.session.incomplete = true
	}
	if made.ok && made.keys != nil && b.schema.Kind != "" {
		l.cfg.evaluation.groups = append(l.cfg.evaluation.groups, group{addr.Address{Kind: b.schema.Kind, Name: b.label}, repetition(b), made.keys})
	}
	return made.instances, made.ok
}

// expanded are the instances of a block with the keys, which are nil for a block without for_each and count.
type expanded struct {
	instances []*block
	keys      []cty.Value
	ok        bool
}

func (l *loader) makeInstances(b *block) expanded {
	instances, keys, ds, ok := expansion(l.scope, b)
	l.diags = append(l.diags, ds...)
	for i := range instances {
		instances[i] = l.materialize(instances[i])
		if keys != nil && b.kept != nil {
			instances[i].kept = &kept{read: instances[i], refs: b.kept.refs, pure: b.kept.pure}
		}
	}
	return expanded{instances, keys, ok}
}

// expansion evaluates for_each or count in a scope. The keys are nil for a block without them.
func expansion(scope *eval.Scope, b *block) ([]*block, []cty.Value, diag.Diagnostics, bool) {
	how := repetition(b)
	if how == eval.Once {
		return []*block{b}, nil, nil, true
	}
	name := map[eval.Repetition]string{eval.Keyed: "for_each", eval.Counted: "count"}[how]
	a := b.attrs[name]
	if a.broken {
		return nil, nil, nil, false
	}
	v, ds := scope.Evaluate(a.expr, a.refs, b.extra)
	if len(ds) > 0 || v.HasMark(eval.Invalid) {
		return nil, nil, ds, false
	}
	elements, err := elementsOf(how, v)
	if err != nil {
		return nil, nil, diag.Diagnostics{repetitionFault(b, name, err).At(a.expr.Range())}, false
	}
	instances, keys := make([]*block, len(elements)), make([]cty.Value, len(elements))
	for i, e := range elements {
		keys[i] = e.Key
		values := map[string]cty.Value{"count": cty.ObjectVal(map[string]cty.Value{"index": e.Key})}
		if how == eval.Keyed {
			values = map[string]cty.Value{"each": cty.ObjectVal(map[string]cty.Value{"key": e.Key, "value": e.Value})}
		}
		instances[i] = b.seeing(values)
		instances[i].key = addr.KeyOf(e.Key)
	}
	return instances, keys, nil, true
}

func elementsOf(how eval.Repetition, v cty.Value) ([]eval.Element, error) {
	if how == eval.Keyed {
		return eval.Elements(v, false)
	}
	n, err := eval.CountOf(v)
	elements := make([]eval.Element, n)
	for i := range elements {
		elements[i] = eval.Element{Key: cty.NumberIntVal(int64(i))}
	}
	return elements, err
}

func repetitionFault(b *block, name string, err error) diag.Diagnostic {
	id := diag.InvalidForEach
	switch {
	case b.schema.Type == "dynamic":
		id = diag.InvalidDynamic
	case name == "count":
		id = diag.InvalidCount
	}
	next := "."
	switch {
	case errors.Is(err, eval.ErrUntilPlanned):
		next = ": give it a value that is known before."
	case errors.Is(err, eval.ErrSensitive):
		next = ": take the keys from a value that is not, for example with nonsensitive(...)."
	}
	return diag.New(id, "The %s of %s %q cannot be used: %s%s", name, b.schema.Type, b.label, err, next)
}

// seeing returns a copy of the block, with all in it, whose expressions see further names.
func (b *block) seeing(values map[string]cty.Value) *block {
	out := *b
	out.extra = maps.Clone(b.extra)
	if out.extra == nil {
		out.extra = make(map[string]cty.Value, len(values))
	}
	maps.Copy(out.extra, values)
	out.blocks = make([]*block, len(b.blocks))
	for i, inner := range b.blocks {
		out.blocks[i] = inner.seeing(values)
	}
	return &out
}

// setGroup gives a block with for_each or count its value: its instances in a tuple or an object.
func (l *loader) setGroup(b *block, value func(*block) func() cty.Value, instances []*block, ok bool) {
	n, how := l.nameOf(b), repetition(b)
	switch {
	case !ok:
		l.set(n, eval.InvalidValue())
	case how == eval.Once:
		value(instances[0])
	default:
		keys, values := make([]cty.Value, len(instances)), make([]cty.Value, len(instances))
		for i, instance := range instances {
			keys[i], values[i] = instanceKey(instance), value(instance)()
		}
		l.set(n, eval.Group(how, keys, values))
	}
}

// instanceKey is the key of an instance.
func instanceKey(b *block) cty.Value {
	if each, ok := b.extra["each"]; ok {
		return each.GetAttr("key")
	}
	return b.extra["count"].GetAttr("index")
}
