package plan

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// AttributeChange is one value of a device or a pool that was declared differently in two plans. With an empty Attribute
// the whole device or pool is new (Old is nil) or gone (New is nil); Old and New are then its name.
type AttributeChange struct {
	// Kind is "device" or "pool", Name the name.
	Kind string `json:"kind"`
	Name string `json:"name"`
	// Attribute is named as in the plan, "image2d.max_width" for a limit of textures.
	Attribute string `json:"attribute"`
	Old       any    `json:"old"`
	New       any    `json:"new"`
}

// String is the change in words: "pool arena: capacity 1024 → 2048".
func (c AttributeChange) String() string {
	switch {
	case c.Attribute != "":
		return fmt.Sprintf("%s %s: %s %s → %s", c.Kind, c.Name, c.Attribute, valueText(c.Old), valueText(c.New))
	case c.Old == nil:
		return fmt.Sprintf("%s %s is new", c.Kind, c.Name)
	}
	return fmt.Sprintf("%s %s is gone", c.Kind, c.Name)
}

// valueText writes a value of an attribute; one that is nil limits nothing.
func valueText(value any) string {
	if value == nil {
		return "none"
	}
	return fmt.Sprint(value)
}

// outcomes are the members of a pool that planning finds; all others are declared.
var outcomes = []string{"bound", "gap", "optimality", "peak", "peak_graph", "peak_step", "used"}

// changedAttributes lists how devices and pools were declared differently: devices before pools, each in the order of the
// new plan and then those gone in that of the old, their attributes in ascending order.
func changedAttributes(old, now *Plan) []AttributeChange {
	devices := changedObjects("device", old.Devices, now.Devices, func(d Device) string { return d.Name })
	return append(devices, changedObjects("pool", old.Pools, now.Pools, func(p Pool) string { return p.Name })...)
}

func changedObjects[T any](kind string, old, now []T, name func(T) string) (out []AttributeChange) {
	find := func(list []T, wanted string) int {
		return slices.IndexFunc(list, func(item T) bool { return name(item) == wanted })
	}
	for _, is := range now {
		at := find(old, name(is))
		if at < 0 {
			out = append(out, AttributeChange{Kind: kind, Name: name(is), New: name(is)})
			continue
		}
		was, has := attributes("", reflect.ValueOf(old[at])), attributes("", reflect.ValueOf(is))
		for _, attribute := range union(was, has) {
			if !sameValue(was[attribute], has[attribute]) {
				out = append(out, AttributeChange{Kind: kind, Name: name(is), Attribute: attribute, Old: was[attribute], New: has[attribute]})
			}
		}
	}
	for _, was := range old {
		if find(now, name(was)) < 0 {
			out = append(out, AttributeChange{Kind: kind, Name: name(was), Old: name(was)})
		}
	}
	return out
}

// attributes are the declared values of a device or a pool by name, with those of a nested object after its name and a
// dot. A nil pointer and what is left out have none.
func attributes(prefix string, object reflect.Value) map[string]any {
	out := map[string]any{}
	for _, f := range (fields{}).of(object.Type()) {
		value := object.FieldByIndex(f.index)
		if slices.Contains(outcomes, f.name) || f.omitEmpty && value.IsZero() {
			continue
		}
		if value.Kind() == reflect.Pointer {
			if value.IsNil() {
				continue
			}
			value = value.Elem()
		}
		if value.Kind() != reflect.Struct {
			out[prefix+f.name] = value.Interface()
			continue
		}
		for name, inner := range attributes(prefix+f.name+".", value) {
			out[name] = inner
		}
	}
	return out
}

func union(a, b map[string]any) []string {
	var names []string
	for _, m := range []map[string]any{a, b} {
		for name := range m {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, cmp.Compare[string])
	return slices.Compact(names)
}

// configurationChange says that the configuration changed, and what of devices and pools did.
func configurationChange(old, now *Plan) string {
	var what []string
	for _, c := range changedAttributes(old, now) {
		what = append(what, c.String())
	}
	if len(what) == 0 {
		return "the configuration changed"
	}
	return "the configuration changed (" + strings.Join(what, "; ") + ")"
}
