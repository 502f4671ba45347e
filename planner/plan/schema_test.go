package plan_test

import (
	"encoding/json"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

type schemaObject struct {
	Properties map[string]any          `json:"properties"`
	Required   []string                `json:"required"`
	Defs       map[string]schemaObject `json:"$defs"`
}

// members returns the JSON members of a struct, and those that every file has.
func members(t reflect.Type) (all, required []string) {
	for _, f := range reflect.VisibleFields(t) {
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "" {
			continue
		}
		all = append(all, name)
		if options != "omitempty" {
			required = append(required, name)
		}
	}
	slices.Sort(all)
	slices.Sort(required)
	return all, required
}

// eachStruct visits the struct types that are reachable from t, each once.
func eachStruct(t reflect.Type, seen map[reflect.Type]bool, visit func(reflect.Type)) {
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		eachStruct(t.Elem(), seen, visit)
	case reflect.Struct:
		if seen[t] {
			return
		}
		seen[t] = true
		visit(t)
		for i := range t.NumField() {
			eachStruct(t.Field(i).Type, seen, visit)
		}
	}
}

func TestTheSchemaAndThePageCoverEveryMember(t *testing.T) {
	data, err := os.ReadFile("../../docs/plan.schema.json")
	require.NoError(t, err)
	var schema schemaObject
	require.NoError(t, json.Unmarshal(data, &schema))
	page, err := os.ReadFile("../../docs/plan-format.md")
	require.NoError(t, err)

	eachStruct(reflect.TypeFor[plan.Saved](), map[reflect.Type]bool{}, func(s reflect.Type) {
		all, required := members(s)
		object := schema.Defs[s.Name()]
		switch s {
		case reflect.TypeFor[plan.Plan]():
			return // its members are those of Saved but one
		case reflect.TypeFor[plan.Saved]():
			object = schema
			required = slices.DeleteFunc(required, func(name string) bool { return name == "saved" })
		}
		var described []string
		for name := range object.Properties {
			described = append(described, name)
		}
		slices.Sort(described)
		require.Equal(t, all, described, s.Name())
		require.ElementsMatch(t, required, object.Required, s.Name())
		section := sectionOf(string(page), s.Name())
		for _, name := range all {
			require.Contains(t, section, "| `"+name+"` |", "docs/plan-format.md, section %s", s.Name())
		}
	})
}

func sectionOf(page, name string) string {
	if name == "Saved" {
		name = "Plan"
	}
	_, after, _ := strings.Cut(page, "\n## "+name+"\n")
	section, _, _ := strings.Cut(after, "\n## ")
	return section
}
