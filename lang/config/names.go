package config

import (
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/schema"
)

// name is something that expressions of one module refer to. It lives as long as the cache does, so that what is kept finds it
// without looking for its address, and knows of one load at a time.
type name struct {
	address addr.Address
	state
	// before is the state of the load before.
	before state
}

// state is what a load knows of a name.
type state struct {
	load int
	// at is where the name is declared, nil when it is not.
	at  *hcl.Range
	how eval.Repetition
	// node is the index of the block or local value among those that have values, from 1.
	node int
	// One of these has the value, once there is one: of a device or pool without for_each and count, or of anything else.
	device *Device
	pool   *Pool
	held   *held
}

// held is a value that a name has. Names with the same one have equal values.
type held struct{ value cty.Value }

// in brings the name to a load.
func (n *name) in(s *session) *name {
	if n.load != s.number {
		n.before, n.state = n.state, state{load: s.number}
	}
	return n
}

// name returns that of an address of this module, new when nothing has had the address.
func (l *loader) name(a addr.Address) *name {
	a.Module = l.site.module
	return l.session.find(a)
}

// declared returns the name of an address, nil when it is not declared.
func (l *loader) declared(a addr.Address) *name {
	if n := l.names[a]; n != nil && n.load == l.session.number && n.at != nil {
		return n
	}
	return nil
}

func (l *loader) isDeclared(a addr.Address) bool { return l.declared(a) != nil }

// how says how many blocks the block of an address stands for.
func (l *loader) how(a addr.Address) eval.Repetition {
	how, _ := l.Declared(a)
	return how
}

// Declared implements eval.Names.
func (l *loader) Declared(a addr.Address) (eval.Repetition, bool) {
	if n := l.declared(a); n != nil {
		return n.how, true
	}
	return eval.Once, false
}

// Names implements eval.Names.
func (l *loader) Names(kind addr.Kind) []string {
	if kind == addr.Path {
		return []string{"module"}
	}
	var names []string
	for a := range l.names {
		if a.Kind == kind && l.isDeclared(a) {
			names = append(names, a.Name)
		}
	}
	slices.Sort(names)
	return names
}

// example is a value for an attribute: where it takes references, one to what is declared.
func (l *loader) example(known *schema.Attribute) string {
	if known.Refers == "" {
		return known.Example
	}
	names := l.Names(known.Refers)
	if len(names) == 0 {
		return known.Example
	}
	first := addr.Address{Kind: known.Refers, Name: names[0]}
	text := first.String()
	if l.how(first) != eval.Once {
		text += l.someKey(first)
	}
	if known.Type == schema.Reference {
		return text
	}
	return "[" + text + "]"
}

// set gives a name its value.
func (l *loader) set(n *name, v cty.Value) {
	h := n.before.held
	if h == nil || !h.value.RawEquals(v) {
		h = &held{v}
	}
	n.held = h
	l.scope.Set(n.address, v)
}

// value stands for the value of a name: equal ones for equal values.
func (n *name) value() any {
	switch {
	case n.held != nil:
		return n.held
	case n.device != nil:
		return n.device.like
	case n.pool != nil:
		return n.pool.like
	}
	return nil
}

// find returns the name that a full address without the key of an instance has in its module.
func (s *session) find(a addr.Address) *name {
	names := s.namesOf(a.Module)
	a.Module = ""
	if names[a] == nil {
		names[a] = &name{address: a}
	}
	return names[a].in(s)
}

// device and pool find what has a full address, nil when nothing has.
func (s *session) device(a addr.Address) *Device {
	if a.Key != "" {
		return s.devices[a]
	}
	return s.find(a).device
}

func (s *session) pool(a addr.Address) *Pool {
	if a.Key != "" {
		return s.pools[a]
	}
	return s.find(a).pool
}

func (l *loader) device(a addr.Address) *Device {
	l.uses(l.session.use(a))
	return l.session.device(a)
}

func (l *loader) pool(a addr.Address) *Pool {
	l.uses(l.session.use(a))
	return l.session.pool(a)
}
