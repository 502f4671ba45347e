package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"
)

// schemas compiles the schemas of docs, each once. Members that a schema does not describe are faults here, though readers are to
// skip them.
var schemas = struct {
	sync.Mutex
	compiled map[string]*jsonschema.Resolved
}{compiled: map[string]*jsonschema.Resolved{}}

func schemaNamed(ts *testscript.TestScript, file string) *jsonschema.Resolved {
	schemas.Lock()
	defer schemas.Unlock()
	if s := schemas.compiled[file]; s != nil {
		return s
	}
	text, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), "docs", file))
	ts.Check(err)
	var document any
	ts.Check(json.Unmarshal(text, &document))
	closed(document)
	s, err := resolved(document)
	ts.Check(err)
	schemas.compiled[file] = s
	return s
}

// resolved makes a schema ready for use of the document that holds it.
func resolved(document any) (*jsonschema.Resolved, error) {
	text, err := json.Marshal(document)
	if err != nil {
		return nil, err
	}
	var s jsonschema.Schema
	if err := json.Unmarshal(text, &s); err != nil {
		return nil, err
	}
	return s.Resolve(nil)
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

// checkSchema compares what a command wrote to standard output with the schema of its JSON, when JSON was asked for. What a
// command writes as it is has no schema here: the problem that "solve -o -" places, and the value of the one output that
// "output NAME" prints when it succeeds.
func checkSchema(ts *testscript.TestScript, args []string, exit int) {
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
	case verb == "output" && exit == exitOK && namesOutput(ts, line, takes):
		jsonOf(ts, text)
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
	value := jsonOf(ts, text)
	var faults []string
	for _, file := range append(files, "schemas/diagnostics.schema.json") {
		err := schemaNamed(ts, file).Validate(value)
		if err == nil {
			return
		}
		faults = append(faults, err.Error())
	}
	ts.Fatalf("standard output is not what the schemas describe:\n%s", strings.Join(faults, "\n"))
}

// jsonOf is the one value that a text holds.
func jsonOf(ts *testscript.TestScript, text string) (value any) {
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		ts.Fatalf("standard output is not JSON: %v\n%s", err, text)
	}
	return value
}

// namesOutput reports whether an argument of the command line is the name of an output: it is not written as a path is, and
// nothing of that name exists.
func namesOutput(ts *testscript.TestScript, line []string, takes func(flag string) bool) bool {
	line = line[verbIndex(line, takes)+1:]
	for at := verbIndex(line, takes); at >= 0; at = verbIndex(line, takes) {
		_, err := os.Stat(ts.MkAbs(line[at]))
		if err != nil && !strings.ContainsAny(line[at], `./\`) {
			return true
		}
		line = line[at+1:]
	}
	return false
}

// checkLines compares each line with a schema. There is at least one: a summary ends the events on every way out.
func checkLines(ts *testscript.TestScript, s *jsonschema.Resolved, text string) {
	if text == "" {
		ts.Fatalf("standard output is empty: not even a summary of what was asked for as JSON")
	}
	for line := range strings.Lines(text) {
		if err := s.Validate(jsonOf(ts, line)); err != nil {
			ts.Fatalf("a line is not what the schema describes: %s\n%v", line, err)
		}
	}
}
