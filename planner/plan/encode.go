package plan

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
)

// Encode returns the plan as canonical JSON: keys in ascending order, integers exact, two spaces of indentation, a list
// of plain values on one line, a list that is nil as [], and a final newline. Equal plans have equal bytes.
//
// It fails only on a setting whose value JSON cannot hold. The cost is O(bytes written).
func Encode(p *Plan) ([]byte, error) { return encode(reflect.ValueOf(p).Elem()) }

// EncodeSaved is [Encode] for a saved plan.
func EncodeSaved(s *Saved) ([]byte, error) { return encode(reflect.ValueOf(s).Elem()) }

// Digest returns "sha256:" and the hex digest of the canonical JSON of the plan.
func Digest(p *Plan) (string, error) {
	data, err := Encode(p)
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(data)
	return "sha256:" + hex.EncodeToString(sum[:]), nil
}

func encode(v reflect.Value) ([]byte, error) {
	e := encoder{fields: fields{}}
	if err := e.value(v, 0); err != nil {
		return nil, fmt.Errorf("encoding a plan: %w", err)
	}
	e.out.WriteByte('\n')
	return e.out.Bytes(), nil
}

type encoder struct {
	out    bytes.Buffer
	fields fields
}

func (e *encoder) value(v reflect.Value, depth int) error {
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			e.out.WriteString("null")
			return nil
		}
		return e.value(v.Elem(), depth)
	case reflect.Struct:
		return e.object(v, depth)
	case reflect.Map:
		return e.mapping(v, depth)
	case reflect.Slice:
		return e.list(v, depth)
	}
	return e.scalar(v)
}

func (e *encoder) scalar(v reflect.Value) error {
	switch {
	case v.CanInt():
		e.out.WriteString(strconv.FormatInt(v.Int(), 10))
	case v.Kind() == reflect.String, v.Kind() == reflect.Bool, v.CanFloat(), v.CanUint():
		return e.literal(v.Interface())
	default:
		return fmt.Errorf("a value of type %s has no place in a plan", v.Type())
	}
	return nil
}

// literal writes a scalar as encoding/json does, but keeps <, > and & readable.
func (e *encoder) literal(value any) error {
	enc := json.NewEncoder(&e.out)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(value); err != nil {
		return err
	}
	e.out.Truncate(e.out.Len() - 1) // the newline that Encode adds
	return nil
}

func (e *encoder) object(v reflect.Value, depth int) error {
	var members []member
	for _, f := range e.fields.of(v.Type()) {
		value := v.FieldByIndex(f.index)
		if f.omitEmpty && (value.IsZero() || value.Kind() == reflect.Map && value.Len() == 0) {
			continue
		}
		members = append(members, member{f.name, value})
	}
	return e.members(members, depth)
}

func (e *encoder) mapping(v reflect.Value, depth int) error {
	byName := make(map[string]reflect.Value, v.Len())
	for it := v.MapRange(); it.Next(); {
		byName[it.Key().String()] = it.Value()
	}
	var members []member
	for _, name := range slices.SortedFunc(maps.Keys(byName), cmp.Compare) {
		members = append(members, member{name, byName[name]})
	}
	return e.members(members, depth)
}

type member struct {
	name  string
	value reflect.Value
}

func (e *encoder) members(members []member, depth int) error {
	if len(members) == 0 {
		e.out.WriteString("{}")
		return nil
	}
	e.out.WriteByte('{')
	for i, m := range members {
		e.newline(i, depth+1)
		if err := e.literal(m.name); err != nil {
			return err
		}
		e.out.WriteString(": ")
		if err := e.value(m.value, depth+1); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	e.newline(0, depth)
	e.out.WriteByte('}')
	return nil
}

// list writes plain values on one line, so that a shape reads as a shape, and anything else one value a line.
func (e *encoder) list(v reflect.Value, depth int) error {
	plain := isPlain(v)
	e.out.WriteByte('[')
	for i := range v.Len() {
		switch {
		case !plain:
			e.newline(i, depth+1)
		case i > 0:
			e.out.WriteString(", ")
		}
		if err := e.value(v.Index(i), depth+1); err != nil {
			return err
		}
	}
	if !plain {
		e.newline(0, depth)
	}
	e.out.WriteByte(']')
	return nil
}

// newline ends the line of the item before item i, the first of which has none, and indents the next.
func (e *encoder) newline(i, depth int) {
	if i > 0 {
		e.out.WriteByte(',')
	}
	e.out.WriteByte('\n')
	e.out.WriteString(strings.Repeat("  ", depth))
}

func isPlain(list reflect.Value) bool {
	for i := range list.Len() {
		v := list.Index(i)
		if v.Kind() == reflect.Interface {
			v = v.Elem()
		}
		switch v.Kind() {
		case reflect.Struct, reflect.Map, reflect.Slice, reflect.Pointer:
			return false
		}
	}
	return true
}
