package view

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

// schemaDir holds the schemas of all JSON that commands write; plan.schema.json beside it is that of plans.
const schemaDir = "../../../../docs/schemas"

// documents are the documents that commands write with -json, beside the one of a failure that each may write instead.
var documents = map[string]reflect.Type{
	"check":        reflect.TypeFor[checkDocument](),
	"device":       reflect.TypeFor[devicesDocument](),
	"export":       reflect.TypeFor[exportDocument](),
	"fmt":          reflect.TypeFor[fmtDocument](),
	"force-unlock": reflect.TypeFor[unlockDocument](),
	"graph":        reflect.TypeFor[graphDocument](),
	"output":       reflect.TypeFor[outputsDocument](),
	"show-config":  reflect.TypeFor[configDocument](),
	"show-tensor":  reflect.TypeFor[tensorDocument](),
	"solve":        reflect.TypeFor[solveDocument](),
	"version":      reflect.TypeFor[versionDocument](),
}

// common are the events of every stream.
var common = map[string]reflect.Type{"version": reflect.TypeFor[versionEvent](), "diagnostic": reflect.TypeFor[diagnosticEvent]()}

// streams are the events that commands write with -json, by command and type. A summary without a result is the summary
// of a failure. A type with several forms has them under the type and what tells them apart.
var streams = map[string]map[string]reflect.Type{
	"plan": {"planned_change": reflect.TypeFor[changeEvent](), "pool_summary": reflect.TypeFor[poolEvent](), "summary": reflect.TypeFor[planSummary](),
		"sweep_point": reflect.TypeFor[sweepEvent](), "summary of a sweep": reflect.TypeFor[sweepSummary]()},
	"apply": {"planned_change": reflect.TypeFor[changeEvent](), "pool_summary": reflect.TypeFor[poolEvent](), "run_complete": reflect.TypeFor[runEvent](),
		"summary": reflect.TypeFor[applySummary]()},
	"run":     {"run_complete": reflect.TypeFor[runEvent](), "summary": reflect.TypeFor[runSummary]()},
	"console": {"value": reflect.TypeFor[valueEvent](), "summary": reflect.TypeFor[consoleSummary]()},
	"test":    {"test_run": reflect.TypeFor[testEvent](), "summary": reflect.TypeFor[testSummary]()},
}

func TestSchemasAreCurrent(t *testing.T) {
	written := map[string]*jsonschema.Schema{"diagnostics": titled("The document of a command that ended without a result, and of validate.", schemaOf(t, reflect.TypeFor[failure]()))}
	for verb, document := range documents {
		written[verb] = titled("The document of \"memplan "+verb+" -json\".", schemaOf(t, document))
	}
	for verb, events := range streams {
		var forms []*jsonschema.Schema
		add := func(name string, of reflect.Type) {
			form := schemaOf(t, of)
			kind, _, _ := strings.Cut(name, " ")
			form.Properties["type"] = &jsonschema.Schema{Const: jsonschema.Ptr[any](kind)}
			forms = append(forms, form)
		}
		for _, list := range []map[string]reflect.Type{common, events} {
			for _, name := range sortedKeys(list) {
				add(name, list[name])
			}
		}
		add("summary", reflect.TypeFor[summary]())
		written[verb] = &jsonschema.Schema{Title: "A line of \"memplan " + verb + " -json\". The last one is a summary; without a result it has the members of the last form alone.", AnyOf: forms}
	}
	var names []string
	for name, s := range written {
		s.Schema = "https://json-schema.org/draft/2020-12/schema"
		data, err := json.MarshalIndent(s, "", "  ")
		require.NoError(t, err)
		data = append(data, '\n')
		file := filepath.Join(schemaDir, name+".schema.json")
		names = append(names, filepath.Base(file))
		if *update {
			require.NoError(t, os.MkdirAll(schemaDir, 0o755))
			require.NoError(t, os.WriteFile(file, data, 0o644))
		}
		want, err := os.ReadFile(file)
		require.NoError(t, err)
		require.True(t, bytes.Equal(want, data), "%s is stale: run make update", file)
	}
	entries, err := os.ReadDir(schemaDir)
	require.NoError(t, err)
	for _, entry := range entries {
		require.Contains(t, names, entry.Name())
	}
}

func titled(title string, s *jsonschema.Schema) *jsonschema.Schema {
	s.Title = title
	return s
}

func sortedKeys(m map[string]reflect.Type) (keys []string) {
	for key := range m {
		keys = append(keys, key)
	}
	slices.Sort(keys)
	return keys
}

// schemaOf describes a type. Lists are never null; readers may meet members that a later version adds.
func schemaOf(t *testing.T, of reflect.Type) *jsonschema.Schema {
	s, err := jsonschema.ForType(of, &jsonschema.ForOptions{TypeSchemas: map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[json.RawMessage](): {Description: "Any value."},
		reflect.TypeFor[plan.ChangeKind](): {Type: "string", Enum: []any{"placed", "moved", "gone", "same"}},
	}})
	require.NoError(t, err)
	opened(s)
	return s
}

func opened(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if slices.Contains(s.Types, "array") {
		s.Type, s.Types = "array", nil
	}
	if s.Properties != nil {
		s.AdditionalProperties = nil
	}
	for _, inner := range s.Properties {
		opened(inner)
	}
	opened(s.Items)
	opened(s.AdditionalProperties)
}
