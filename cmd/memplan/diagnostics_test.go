package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
	"github.com/mattn/go-shellwords"
	"github.com/rogpeppe/go-internal/txtar"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/testdata/needs"
)

// exampleDir holds the examples of the page of diagnostics. A file of an archive is named after its id: the configuration net.hcl
// that shows the diagnostic, "corrected" the one that does not, and other names are those of files that both find; "MP06 NAME" is
// a file that those of all such ids in the archive find. First lines "$ memplan ..." are the commands, where it is not "memplan
// validate net.hcl"; the text is that of the file net.* that the first ends with. "$ NAME=VALUE memplan ..." sets a variable of the
// environment, and "$ jq FILTER FILE | sponge FILE" edits a JSON file.
// A name that ends in ".base64" has a small binary file, of which the page prints the text named "note" in its place. Where no
// command of an example can show an id, "no example" says why.
const exampleDir = "../../lang/diag/testdata/examples"

// declaredBeside are what examples need and do not declare, one after the other: a text that matches needs the block unless it has it.
var declaredBeside = []struct {
	needs       *regexp.Regexp
	block, text string
}{
	{regexp.MustCompile(`graph\.net|scope_rule "`), `graph "net"`, "graph \"net\" {\n  source = \"net.json\"\n  device = device.cpu\n}\n"},
	{regexp.MustCompile(`pool\.arena`), `pool "arena"`, arena},
	{regexp.MustCompile(`graph "`), `pool "`, arena},
	{regexp.MustCompile(`device\.cpu`), `device "cpu"`, "device \"cpu\" {}\n"},
}

const arena = "pool \"arena\" { device = device.cpu }\n"

// exampleGraph is the model of the examples.
const exampleGraph = `{
  "format_version": "1.0",
  "tensors": [
    {"name": "x", "role": "input", "dtype": "float32", "shape": [1, 4]},
    {"name": "w", "role": "constant", "dtype": "float32", "shape": [4, 8], "data": "AAAAvwAAgL4AAAAAAACAPgAAAD8AAAC/AACAvgAAAAAAAIA+AAAAPwAAAL8AAIC+AAAAAAAAgD4AAAA/AAAAvwAAgL4AAAAAAACAPgAAAD8AAAC/AACAvgAAAAAAAIA+AAAAPwAAAL8AAIC+AAAAAAAAgD4AAAA/AAAAvwAAgL4="},
    {"name": "h", "dtype": "float32", "shape": [1, 8]},
    {"name": "y", "role": "output", "dtype": "float32", "shape": [1, 8]}
  ],
  "ops": [
    {"name": "dense", "op": "MatMul", "inputs": ["x", "w"], "outputs": ["h"]},
    {"name": "relu", "op": "Relu", "inputs": ["h"], "outputs": ["y"]}
  ]
}
`

// afterOthers are the ids of what follows a hundred other faults.
var afterOthers = []string{string(diag.TVMMore), string(diag.NativeMore), string(diag.IntervalMore), string(diag.SolveMore)}

// TestExamplesOfDiagnostics runs each example: what fails has the diagnostic, and no other error; what is
// corrected has no diagnostic at all.
func TestExamplesOfDiagnostics(t *testing.T) {
	archives, err := filepath.Glob(exampleDir + "/*.txtar")
	require.NoError(t, err)
	require.NotEmpty(t, archives)
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		beside := filesBeside(t, archive)
		for _, f := range archive.Files {
			id, rest, _ := strings.Cut(f.Name, " ")
			if rest != "" && rest != "corrected" {
				continue
			}
			t.Run(f.Name, func(t *testing.T) {
				said := runExample(t, string(f.Data), append(slices.Clone(beside[id]), beside[id[:len("MP06")]]...))
				if rest == "corrected" {
					require.NotContains(t, said, "(MP")
					return
				}
				require.Contains(t, said, "("+id+")")
				if slices.Contains(afterOthers, id) {
					return
				}
				for _, other := range regexp.MustCompile(`Error: .*\((MP\d+)\)`).FindAllStringSubmatch(said, -1) {
					require.True(t, id == other[1] || entailed(id, other[1]), "%s beside %s: %s", other[1], id, said)
				}
			})
		}
	}
}

// TestEveryIDHasBothExamplesOrAReason tells of an id that is new, of one that is half shown, and of a reason beside examples.
func TestEveryIDHasBothExamplesOrAReason(t *testing.T) {
	archives, err := filepath.Glob(exampleDir + "/*.txtar")
	require.NoError(t, err)
	times := map[string]int{}
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		require.NoError(t, err)
		for _, f := range archive.Files {
			times[f.Name]++
		}
	}
	for _, info := range diag.All() {
		id := string(info.ID)
		reasons := times[id+" no example"]
		require.LessOrEqual(t, reasons, 1, id)
		require.Equal(t, 1-reasons, times[id], "%s (%s) needs an example that has it, or \"no example\" and why", id, info.Summary)
		require.Equal(t, 1-reasons, times[id+" corrected"], "%s (%s) needs a corrected example", id, info.Summary)
	}
}

// TestNoAttributeIsDeprecated holds what the page says instead of examples of MP0110.
func TestNoAttributeIsDeprecated(t *testing.T) {
	var search func(block *schema.Block)
	search = func(block *schema.Block) {
		for _, a := range block.Attributes {
			require.Empty(t, a.Deprecated, "%s of %s can be the example of %s", a.Name, block.Type, diag.DeprecatedAttribute)
		}
		for i := range block.Blocks {
			search(&block.Blocks[i])
		}
	}
	search(schema.Root())
	search(schema.TestFile())
}

// filesBeside returns the files that both examples of an id find, by id.
func filesBeside(t *testing.T, archive *txtar.Archive) map[string][]txtar.File {
	beside, notes := map[string][]txtar.File{}, map[string]bool{}
	for _, f := range archive.Files {
		notes[f.Name] = true
	}
	for _, f := range archive.Files {
		id, rest, _ := strings.Cut(f.Name, " ")
		if rest == "" || rest == "corrected" || rest == "no example" || strings.HasSuffix(rest, " note") {
			continue
		}
		if name, binary := strings.CutSuffix(rest, ".base64"); binary {
			data, err := base64.StdEncoding.DecodeString(string(f.Data))
			require.NoError(t, err, f.Name)
			require.Less(t, len(data), 1024, f.Name)
			require.True(t, notes[id+" "+name+" note"], "%s has no note for the page", f.Name)
			rest, f.Data = name, data
		}
		beside[id] = append(beside[id], txtar.File{Name: rest, Data: f.Data})
	}
	return beside
}

// entailed says whether an example of an id may show another one: a lock with a fault was altered, and one fault of a lock is
// often seen in its totals or storages too.
func entailed(id, other string) bool {
	return strings.HasPrefix(id, "MP06") && (other == string(diag.LockAltered) || strings.HasPrefix(other, "MP06"))
}

// runExample returns what the command of an example prints.
func runExample(t *testing.T, text string, beside []txtar.File) string {
	if (strings.Contains(text, `"opencl"`) || strings.Contains(text, "$ memplan run -device opencl")) && !hasOpenCL() {
		needs.Missing(t, "there is no OpenCL device: install the Debian packages pocl-opencl-icd and ocl-icd-libopencl1")
	}
	t.Chdir(t.TempDir())
	var commands [][]string
	for strings.HasPrefix(text, "$ ") {
		line, rest, _ := strings.Cut(text, "\n")
		words, err := shellwords.Parse(strings.TrimPrefix(line, "$ "))
		require.NoError(t, err)
		require.True(t, words[0] != "jq" || strings.HasSuffix(line, " | sponge "+words[len(words)-1]), line)
		commands, text = append(commands, words), rest
	}
	if commands == nil {
		commands = [][]string{{"memplan", "validate", "net.hcl"}}
	}
	file := "net.hcl"
	if words := commands[0]; text != "" && strings.HasPrefix(words[len(words)-1], "net.") {
		file = words[len(words)-1]
	}
	for _, d := range declaredBeside {
		if file == "net.hcl" && d.needs.MatchString(text) && !strings.Contains(text, d.block) {
			text = d.text + text
		}
	}
	files := slices.Concat([]txtar.File{{Name: "net.json", Data: []byte(exampleGraph)}}, beside)
	if text != "" {
		files = append(files, txtar.File{Name: file, Data: []byte(text)})
	}
	for _, f := range files {
		require.NoError(t, os.MkdirAll(filepath.Dir(f.Name), 0o755))
		require.NoError(t, os.WriteFile(f.Name, f.Data, 0o644))
	}
	var out bytes.Buffer
	for _, words := range commands {
		perform(t, words, &out)
	}
	return out.String()
}

// perform does what one line of an example says. A command with a variable of the environment is a process of its own, since what is
// loaded once in a process, such as OpenCL, depends on it.
func perform(t *testing.T, words []string, out *bytes.Buffer) {
	switch {
	case words[0] == "jq":
		require.Len(t, words, 3)
		editJSON(t, words[1], words[2])
	case words[0] == "memplan":
		a := &app{stdin: strings.NewReader(""), stdout: out, stderr: out}
		a.main(context.Background(), words[1:])
	default:
		require.Contains(t, words[0], "=")
		require.Equal(t, "memplan", words[1])
		cmd := exec.Command(words[1], words[2:]...)
		cmd.Env, cmd.Stdout, cmd.Stderr = append(os.Environ(), words[0]), out, out
		var exit *exec.ExitError
		if err := cmd.Run(); err != nil {
			require.ErrorAs(t, err, &exit)
		}
	}
}

// editJSON replaces a file by what a filter of jq makes of it, which must be something else.
func editJSON(t *testing.T, filter, file string) {
	before, err := os.ReadFile(file)
	require.NoError(t, err)
	var was any
	require.NoError(t, json.Unmarshal(before, &was))
	query, err := gojq.Parse(filter)
	require.NoError(t, err)
	results := query.Run(was)
	is, ok := results.Next()
	require.True(t, ok)
	require.NotImplements(t, (*error)(nil), is)
	_, more := results.Next()
	require.False(t, more, "the filter gives one value")
	after, err := gojq.Marshal(is)
	require.NoError(t, err)
	require.False(t, equalJSON(t, before, after), "the edit %s changes nothing", filter)
	require.NoError(t, os.WriteFile(file, after, 0o644))
}

func equalJSON(t *testing.T, a, b []byte) bool {
	var x, y any
	require.NoError(t, json.Unmarshal(a, &x))
	require.NoError(t, json.Unmarshal(b, &y))
	return reflect.DeepEqual(x, y)
}
