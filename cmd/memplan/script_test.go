package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/testdata/needs"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestMain(m *testing.M) {
	// With the race detector every command would sleep for a second when it ends.
	if os.Getenv(raceOptions) == "" {
		if err := os.Setenv(raceOptions, "atexit_sleep_ms=0"); err != nil {
			panic(err)
		}
	}
	testscript.Main(m, map[string]func(){"memplan": main})
}

// raceOptions is the environment variable with the options of the race detector.
const raceOptions = "GORACE"

// TestScripts runs the command line as users do. Beside testscript's own commands the scripts have:
//
//	exits CODE COMMAND...   run a command and expect its exit code; JSON of memplan is checked against docs/schemas
//	json PATH VALUE         the last document or event on standard output has the value at the dotted path
//	events TYPE...          standard output is one JSON object a line, of these types in this order ("..." for any number)
//	document                standard output is exactly one JSON object
//	hold LOCK               hold the guard of a lock until the script ends
//	copied FROM TO          copy a file of the repository's testdata
//
// and the conditions complete, which holds where nothing may be skipped, and opencl, which holds there and where an OpenCL
// device is.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir: "testdata/script", UpdateScripts: *update, RequireExplicitExec: true, RequireUniqueNames: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("ROOT", root)
			env.Setenv(raceOptions, os.Getenv(raceOptions))
			env.Setenv("POCL_CACHE_DIR", kernelCache(env))
			return nil
		},
		Condition: func(name string) (bool, error) {
			switch name {
			case "complete":
				return needs.All(), nil
			case "opencl":
				return needs.All() || hasOpenCL(), nil
			}
			return false, fmt.Errorf("unknown condition %s", name)
		},
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"exits": exits, "json": jsonValue, "events": eventTypes, "document": oneDocument, "hold": hold, "copied": copied,
		},
	})
}

// kernelCache is where compiled kernels are kept from test to test: scripts have no home of their own.
func kernelCache(env *testscript.Env) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return filepath.Join(env.WorkDir, "pocl")
	}
	return filepath.Join(cache, "memplan", "pocl")
}

// hasOpenCL reports whether the machine has an OpenCL device.
func hasOpenCL() bool {
	devices, _, err := opencl.List(opencl.Options{})
	return err == nil && len(devices) > 0
}

func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	if err := ts.Exec(args[1], args[2:]...); err != nil {
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			ts.Fatalf("running %s: %v", args[1], err)
		}
		got = exit.ExitCode()
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
	if args[1] == "memplan" {
		checkSchema(ts, args[2:], got)
		checkSentences(ts)
	}
}

// stdout decodes every JSON value on standard output.
func stdout(ts *testscript.TestScript) []map[string]any {
	dec := json.NewDecoder(strings.NewReader(ts.ReadFile("stdout")))
	var values []map[string]any
	for dec.More() {
		var value map[string]any
		if err := dec.Decode(&value); err != nil {
			ts.Fatalf("standard output is not JSON: %v", err)
		}
		values = append(values, value)
	}
	if len(values) == 0 {
		ts.Fatalf("standard output is empty")
	}
	return values
}

func oneDocument(ts *testscript.TestScript, neg bool, args []string) {
	if n := len(stdout(ts)); n != 1 {
		ts.Fatalf("%d JSON values on standard output", n)
	}
}

func jsonValue(ts *testscript.TestScript, neg bool, args []string) {
	if len(args) != 2 {
		ts.Fatalf("usage: json PATH VALUE")
	}
	values := stdout(ts)
	var at any = values[len(values)-1]
	for _, step := range strings.Split(args[0], ".") {
		switch node := at.(type) {
		case map[string]any:
			at = node[step]
		case []any:
			i, err := strconv.Atoi(step)
			if step == "count" {
				at = float64(len(node))
				continue
			}
			if err != nil || i >= len(node) {
				ts.Fatalf("no element %s at %s", step, args[0])
			}
			at = node[i]
		default:
			ts.Fatalf("nothing at %s in %s", step, args[0])
		}
	}
	got := fmt.Sprint(at)
	if n, ok := at.(float64); ok {
		got = strconv.FormatFloat(n, 'f', -1, 64)
	}
	if (got == args[1]) == neg {
		ts.Fatalf("%s is %s", args[0], got)
	}
}

func eventTypes(ts *testscript.TestScript, neg bool, args []string) {
	text := ts.ReadFile("stdout")
	values := stdout(ts)
	if lines := strings.Count(text, "\n"); lines != len(values) {
		ts.Fatalf("%d events on %d lines", len(values), lines)
	}
	var types []string
	for _, value := range values {
		types = append(types, fmt.Sprint(value["type"]))
	}
	if !matches(types, args) {
		ts.Fatalf("events: %s", strings.Join(types, " "))
	}
}

// matches compares lists; "..." in the pattern stands for any number of elements.
func matches(list, pattern []string) bool {
	if len(pattern) == 0 {
		return len(list) == 0
	}
	if pattern[0] == "..." {
		return matches(list, pattern[1:]) || len(list) > 0 && matches(list[1:], pattern)
	}
	return len(list) > 0 && list[0] == pattern[0] && matches(list[1:], pattern[1:])
}

func hold(ts *testscript.TestScript, neg bool, args []string) {
	guard, ds, err := plan.Acquire(ts.MkAbs(args[0]), plan.Holder{Operation: "apply", Who: "ada@engine", PID: 42, Since: time.Unix(0, 0)})
	ts.Check(err)
	if len(ds) > 0 {
		ts.Fatalf("%v", ds)
	}
	ts.Defer(func() { ts.Check(guard.Release()) })
}

func copied(ts *testscript.TestScript, neg bool, args []string) {
	data, err := os.ReadFile(filepath.Join(ts.Getenv("ROOT"), args[0]))
	ts.Check(err)
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), data, 0o644))
}
