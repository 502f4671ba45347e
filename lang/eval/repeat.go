package eval

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/schema"
)

// Repetition says how many blocks a block stands for.
type Repetition uint8

// The repetitions.
const (
	// Once is a block without for_each and count.
	Once Repetition = iota
	// Counted is one with count: its instances are in a tuple.
	Counted
	// Keyed is one with for_each: its instances are in an object.
	Keyed
)

// Element is one element of a collection that blocks are made for.
type Element struct{ Key, Value cty.Value }

// The reasons why a collection cannot make blocks, besides those of its type.
var (
	ErrUntilPlanned = errors.New("the keys are known only after planning")
	ErrSensitive    = errors.New("it is sensitive, and keys are shown in addresses")
)

// Elements takes the value of for_each apart: a map, an object or a set of strings, and with lists true also a list of
// anything, whose keys are indexes. Elements come in order of their keys, those of a list in order. The error says in words
// what is wrong with the value. Values inside may be unknown, sensitive and null; keys may not.
func Elements(v cty.Value, lists bool) ([]Element, error) {
	v, marks := v.Unmark()
	if err := repeatable(marks); err != nil {
		return nil, err
	}
	t := v.Type()
	switch {
	case v.IsNull():
		return nil, errors.New("it is null: give it a map, an object or a set of strings, empty for no instance at all")
	case !v.IsKnown():
		return nil, ErrUntilPlanned
	case t.IsSetType():
		if err := checkMembers(v); err != nil && !lists {
			return nil, err
		}
	case t.IsMapType() || t.IsObjectType():
	case lists && (t.IsListType() || t.IsTupleType()):
	case t.IsListType() || t.IsTupleType():
		return nil, errors.New("it is a list, whose elements have no keys: write toset(...) around a list of strings, or use count")
	default:
		return nil, fmt.Errorf("it is a %s: give it a map, an object or a set of strings", t.FriendlyName())
	}
	if n := v.LengthInt(); n > schema.MostInstances {
		return nil, fmt.Errorf("it has %d elements, and there may be %d", n, schema.MostInstances)
	}
	out := make([]Element, 0, v.LengthInt())
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		out = append(out, Element{key, value})
	}
	return out, nil
}

// checkMembers checks that a set has nothing but known strings.
func checkMembers(v cty.Value) error {
	if !v.IsWhollyKnown() {
		return ErrUntilPlanned
	}
	if t := v.Type().ElementType(); t != cty.String && v.LengthInt() > 0 {
		return fmt.Errorf("it is a set of %ss, and keys are strings: write tostring(...) around each member", t.FriendlyName())
	}
	for it := v.ElementIterator(); it.Next(); {
		if _, member := it.Element(); member.IsNull() {
			return errors.New("the set has a null in it: remove it, for example with compact(...)")
		}
	}
	return nil
}

// repeatable says why a value with marks cannot make blocks.
func repeatable(marks cty.ValueMarks) error {
	if source := firstPlanned(marks); source != "" {
		return fmt.Errorf("%w, with %s", ErrUntilPlanned, source)
	}
	if _, hidden := marks[Sensitive]; hidden {
		return ErrSensitive
	}
	return nil
}

// CountOf reads the value of count.
func CountOf(v cty.Value) (int, error) {
	v, marks := v.UnmarkDeep()
	if err := repeatable(marks); err != nil {
		return 0, err
	}
	if v.IsNull() {
		return 0, errors.New("it is null: give it a number, 0 for no instance at all")
	}
	number, err := convert.Convert(v, cty.Number)
	if err != nil {
		return 0, fmt.Errorf("it is a %s: give it a whole number", v.Type().FriendlyName())
	}
	if !number.IsKnown() {
		return 0, ErrUntilPlanned
	}
	n, accuracy := number.AsBigFloat().Int64()
	if accuracy != big.Exact || n < 0 || n > schema.MostInstances {
		return 0, fmt.Errorf("it must be a whole number from 0 to %d", schema.MostInstances)
	}
	return int(n), nil
}

// Group is the value of all instances of a block together, keys and values in the same order.
func Group(how Repetition, keys []cty.Value, values []cty.Value) cty.Value {
	if how == Counted {
		return cty.TupleVal(values)
	}
	fields := make(map[string]cty.Value, len(keys))
	for i, key := range keys {
		fields[key.AsString()] = values[i]
	}
	return cty.ObjectVal(fields)
}

// Instances lists the keys of a group's instances as they stand in addresses, nil when the value is none.
func Instances(group cty.Value) []string {
	group, _ = group.Unmark()
	if group.IsNull() || !group.IsKnown() || !group.Type().IsTupleType() && !group.Type().IsObjectType() {
		return nil
	}
	keys := []string{}
	for it := group.ElementIterator(); it.Next(); {
		key, _ := it.Element()
		keys = append(keys, addr.KeyOf(key))
	}
	return keys
}
