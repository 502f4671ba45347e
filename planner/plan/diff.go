package plan

import (
	"bytes"
	"reflect"
	"slices"
)

// ChangeKind says what happened to a tensor between two plans.
type ChangeKind string

// The kinds of change.
const (
	Placed ChangeKind = "placed" // in the new plan only
	Moved  ChangeKind = "moved"  // in both, at another place or with another size
	Gone   ChangeKind = "gone"   // in the old plan only
	Same   ChangeKind = "same"   // in both, at the same place
)

// Place is where a tensor lives: what "moved" is about. The id of a storage is not part of it, since ids are only
// counted; the geometry of an image is.
type Place struct {
	Pool  string `json:"pool"`
	Scope string `json:"scope"`
	// Offset in bytes from the pool's start, nil in an image object.
	Offset *int64 `json:"offset"`
	// Size in bytes, padding included.
	Size int64 `json:"size"`
	// Rows is how the bytes lie where others are between them, nil for one run.
	Rows *Rows `json:"rows,omitempty"`
	// Width and Height of the image in texels, Texel their format and RowPitch in bytes; 0 and "" in flat memory.
	Width    int64  `json:"width,omitempty"`
	Height   int64  `json:"height,omitempty"`
	Texel    string `json:"texel,omitempty"`
	RowPitch int64  `json:"row_pitch,omitempty"`
}

// Equal reports whether both are the same place.
func (p Place) Equal(o Place) bool { return reflect.DeepEqual(p, o) }

// TensorChange is what happened to one tensor. Old is nil when it was placed, New when it is gone.
type TensorChange struct {
	Graph  string     `json:"graph"`
	Tensor string     `json:"tensor"`
	Kind   ChangeKind `json:"change"`
	Old    *Place     `json:"old"`
	New    *Place     `json:"new"`
}

// Pool returns the pool the tensor is in now, or was in when it is gone.
func (c TensorChange) Pool() string {
	if c.New != nil {
		return c.New.Pool
	}
	return c.Old.Pool
}

// Size returns the bytes the tensor occupies now, or did when it is gone.
func (c TensorChange) Size() int64 {
	if c.New != nil {
		return c.New.Size
	}
	return c.Old.Size
}

// Change is the difference between two plans.
type Change struct {
	// Tensors are in the order of the new plan, then those gone in the order of the old.
	Tensors []TensorChange
	// Settings names the settings that differ, in ascending order.
	Settings []string
	// Attributes are how devices and pools are declared differently; none without an old plan.
	Attributes []AttributeChange
	// Identical is true when the two plans have the same bytes, so that nothing at all differs.
	Identical bool
}

// Count returns the number of tensors with the kind of change.
func (c Change) Count(kind ChangeKind) int {
	n := 0
	for _, t := range c.Tensors {
		if t.Kind == kind {
			n++
		}
	}
	return n
}

// Empty reports whether every tensor is where it was.
func (c Change) Empty() bool { return c.Count(Same) == len(c.Tensors) }

type tensorKey struct{ graph, tensor string }

// Diff compares two plans, tensor by tensor, by graph and name. A nil old plan has nothing in it: everything is placed.
// It costs O(tensors) and one encoding of each plan.
func Diff(old, new *Plan) Change {
	first := old == nil
	if first {
		old = &Plan{}
	}
	before, after := places(old), places(new)
	var c Change
	eachTensor(new, func(key tensorKey) {
		now := after[key]
		was, known := before[key]
		change := TensorChange{Graph: key.graph, Tensor: key.tensor, Kind: Placed, New: &now}
		if known {
			change.Kind, change.Old = Moved, &was
			if was.Equal(now) {
				change.Kind = Same
			}
		}
		c.Tensors = append(c.Tensors, change)
	})
	eachTensor(old, func(key tensorKey) {
		if _, still := after[key]; !still {
			was := before[key]
			c.Tensors = append(c.Tensors, TensorChange{Graph: key.graph, Tensor: key.tensor, Kind: Gone, Old: &was})
		}
	})
	c.Settings = changedSettings(old, new)
	if !first {
		c.Attributes = changedAttributes(old, new)
	}
	c.Identical = identical(old, new)
	return c
}

func eachTensor(p *Plan, visit func(tensorKey)) {
	for _, g := range p.Graphs {
		for _, t := range g.Tensors {
			visit(tensorKey{g.Name, t.Name})
		}
	}
}

func places(p *Plan) map[tensorKey]Place {
	storages := make(map[int64]*Storage, len(p.Storages))
	for i := range p.Storages {
		storages[p.Storages[i].ID] = &p.Storages[i]
	}
	out := map[tensorKey]Place{}
	for _, g := range p.Graphs {
		for _, t := range g.Tensors {
			place := Place{Pool: t.Pool, Scope: t.Scope, Offset: t.Offset, Size: t.Size, Rows: t.Rows}
			if s := storages[t.Storage]; s != nil {
				place.Width, place.Height, place.Texel, place.RowPitch = s.Width, s.Height, s.Texel, s.RowPitch
			}
			out[tensorKey{g.Name, t.Name}] = place
		}
	}
	return out
}

func changedSettings(old, new *Plan) []string {
	var names []string
	for name, now := range new.Settings {
		if was, known := old.Settings[name]; !known || !sameValue(was.Value, now.Value) {
			names = append(names, name)
		}
	}
	for name := range old.Settings {
		if _, still := new.Settings[name]; !still {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// sameValue compares the values of settings as they are written: []string{"a"} and []any{"a"} are the same.
func sameValue(a, b any) bool {
	x, errX := encode(reflect.ValueOf(&a).Elem())
	y, errY := encode(reflect.ValueOf(&b).Elem())
	return errX == nil && errY == nil && bytes.Equal(x, y)
}

func identical(a, b *Plan) bool {
	if a == nil || b == nil {
		return a == b // spares the encoding of a plan that there is no lock for
	}
	x, errX := Encode(a)
	y, errY := Encode(b)
	return errX == nil && errY == nil && bytes.Equal(x, y)
}
