package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/rogpeppe/go-internal/testscript"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// schemas compiles the schemas of docs, each once. Members that a schema does not describe are faults here, though readers are to
// skip them.
var schemas = struct {
	sync.Mutex
	compiled map[string]*jsonschema.Schema
}{compiled: map[string]*jsonschema.Schema{}}

func schemaNamed(ts *testscript.TestScript, file string) *jsonschema.Schema {
	schemas.Lock()
	defer schemas.Unlock()
	if s := schemas.compiled[file]; s != nil {
		return s
	}
	text, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "docs", file))
	ts.Check(err)
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(string(text)))
	ts.Check(err)
	closed(document)
	c := jsonschema.NewCompiler()
	ts.Check(c.AddResource(file, document))
	s, err := c.Compile(file)
	ts.Check(err)
	schemas.compiled[file] = s
	return s
}

// closed forbids members that an object's properties do not list.
func closed(node any) {
	switch node := node.(type) {
	case map[string]any:
		_, lists := node["properties"].(map[string]any)
		if _, says := node["additionalProperties"]; lists && !says {
			node["additionalProperties"] = false
		}
		for _, inner := range node {
			closed(inner)
		}
	case []any:
		for _, inner := range node {
			closed(inner)
		}
	}
}

// checkSchema compares what a command wrote to standard output with the schema of its JSON, when JSON was asked for. Texts
// that a command writes as they are, such as a graph file, have no schema here.
func checkSchema(ts *testscript.TestScript, args []string) {
	takes := valueFlags((&app{}).newRoot())
	line := spelledOut(normalise(args, takes), takes)
	if !asksForJSON(line) || asksForHelp(line) {
		return
	}
	text := ts.ReadFile("stdout")
	has := func(flags ...string) bool {
		return slices.ContainsFunc(line, func(arg string) bool {
			name, _, _ := strings.Cut(arg, "=")
			return slices.Contains(flags, name)
		})
	}
	verb := firstWord(line, takes)
	var files []string
	switch {
	case verb == "solve" && strings.Contains(strings.Join(line, " "), "-o -"):
		return
	case verb == "show" && has("--config"):
		files = []string{"schemas/show-config.schema.json"}
	case verb == "show" && has("--format"):
		files = []string{"schemas/export.schema.json", "plan.schema.json"}
	case verb == "show" && has("--tensor"):
		files = []string{"schemas/show-tensor.schema.json"}
	case verb == "show":
		files = []string{"plan.schema.json"}
	case slices.Contains([]string{"plan", "apply", "run", "console", "test"}, verb):
		checkLines(ts, schemaNamed(ts, "schemas/"+verb+".schema.json"), text)
		return
	case slices.Contains([]string{"check", "device", "export", "fmt", "force-unlock", "graph", "output", "solve", "version"}, verb):
		files = []string{"schemas/" + verb + ".schema.json"}
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	ts.Check(err)
	var faults []string
	for _, file := range append(files, "schemas/diagnostics.schema.json") {
		err := schemaNamed(ts, file).Validate(value)
		if err == nil {
			return
		}
		faults = append(faults, err.Error())
	}
	if object, ok := value.(map[string]any); ok && (object["error_count"] != nil || object["memplan_version"] != nil) || verb != "graph" && verb != "export" && verb != "output" && verb != "show" {
		ts.Fatalf("standard output is not what the schemas describe:\n%s", strings.Join(faults, "\n"))
	}
}

func checkLines(ts *testscript.TestScript, s *jsonschema.Schema, text string) {
	for line := range strings.Lines(text) {
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(line))
		ts.Check(err)
		if err := s.Validate(value); err != nil {
			ts.Fatalf("a line is not what the schema describes: %s\n%v", line, err)
		}
	}
}
