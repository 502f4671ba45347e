package exec_test

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/rewrite"
	"github.com/memplan/memplan/planner/shape"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write docs/conformance.md anew")

// The conformance data and the package of Debian that installs it.
const (
	conformanceDir     = "/usr/share/libonnx-testdata/data"
	conformancePackage = "libonnx-testdata"
	conformanceDoc     = "../../docs/conformance.md"
)

// conformanceSets are the folders of tests, each with a model.onnx and test_data_set_*.
var conformanceSets = []string{"node", "simple", "pytorch-converted", "pytorch-operator"}

// verdict is the outcome of one conformance test.
type verdict struct {
	set, name string
	// op is the operator of a test with one op, "several" else; "?" when the model does not import.
	op string
	// core says that all inputs and outputs are float32 or int64 of rank 4 at most.
	core bool
	// bound says that the test passes only with its small integer inputs taken as constants: they steer shapes.
	bound bool
	// reason says why it does not pass, "" when it does.
	reason string
}

func TestConformanceListIsUpToDate(t *testing.T) {
	all := judgeHost(t)
	if needs.Raced {
		return // some were tried
	}
	passed := 0
	for _, v := range all {
		if v.core && v.reason == "" {
			passed++
		}
	}
	require.GreaterOrEqual(t, passed, 250, "float32 and int64 tests of rank 4 at most that pass")
	requireDoc(t, conformanceDoc, conformanceReport(all))
}

// hostVerdicts are those of the host device, which several tests want.
var hostVerdicts []verdict

func judgeHost(t *testing.T) []verdict {
	if hostVerdicts == nil {
		hostVerdicts = judgeAll(t, hostDevice)
	}
	return hostVerdicts
}

// judgeAll runs all tests on a device, in the order of the sets and then by name; some of each set where the race detector
// watches.
func judgeAll(t *testing.T, open opener) []verdict {
	if _, err := os.Stat(conformanceDir); err != nil {
		needs.Missing(t, "the conformance data of ONNX is not there: apt-get install %s", conformancePackage)
	}
	var all []verdict
	for _, set := range conformanceSets {
		dirs, err := filepath.Glob(filepath.Join(conformanceDir, set, "test_*"))
		require.NoError(t, err)
		for i, dir := range dirs {
			if !needs.Turn(i, 10) {
				continue
			}
			v := judge(t, dir, open)
			v.set, v.name = set, filepath.Base(dir)
			all = append(all, v)
		}
	}
	return all
}

// requireDoc compares a generated page with what is committed, or writes it.
func requireDoc(t *testing.T, path string, doc []byte) {
	t.Helper()
	if *update {
		require.NoError(t, os.WriteFile(path, doc, 0o644))
		return
	}
	have, err := os.ReadFile(path)
	require.NoError(t, err)
	if !bytes.Equal(have, doc) {
		t.Errorf("%s is stale: run go test ./runtime/exec -run Conformance -update and look at the difference.\n%s", filepath.Base(path), firstDifference(have, doc))
	}
}

// firstDifference shows the first line that differs.
func firstDifference(have, want []byte) string {
	h, w := strings.Split(string(have), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(h), len(w)) {
		if h[i] != w[i] {
			return fmt.Sprintf("line %d is %q, and now %q", i+1, h[i], w[i])
		}
	}
	return fmt.Sprintf("%d lines, and now %d", len(h), len(w))
}

// errUnsupportedData is data that is not made of tensors memplan has.
var errUnsupportedData = errors.New("the data are not tensors of a known type")

// judge runs one test without and with folding; where shapes depend on the content of inputs, again with these as
// constants.
func judge(t *testing.T, dir string, open opener) (v verdict) {
	defer func() {
		if p := recover(); p != nil {
			v.reason = fmt.Sprintf("panics: %v", p)
			t.Errorf("%s: %v\n%s", dir, p, debug.Stack())
		}
	}()
	content, err := os.ReadFile(filepath.Join(dir, "model.onnx"))
	require.NoError(t, err)
	sets, err := filepath.Glob(filepath.Join(dir, "test_data_set_*"))
	require.NoError(t, err)
	v = verdict{op: "?", reason: "has no data", core: true}
	for _, set := range sets {
		inputs, outputs, err := conformanceData(set)
		if err != nil {
			v.core, v.reason = false, err.Error()
			return v
		}
		for _, a := range append(slices.Clone(inputs), outputs...) {
			if a != nil && (a.DType != graph.Float32 && a.DType != graph.Int64 || len(a.Shape) > 4) {
				v.core = false
			}
		}
		for _, fold := range []bool{false, true} {
			v.reason = attempt(content, inputs, outputs, fold, false, &v.op, open)
			if v.reason != "" {
				v.bound = true
				v.reason = attempt(content, inputs, outputs, fold, true, &v.op, open)
			}
			if v.reason != "" {
				v.bound = false
				return v
			}
		}
	}
	return v
}

func conformanceData(dir string) (inputs, outputs []*array.Array, err error) {
	for kind, list := range map[string]*[]*array.Array{"input": &inputs, "output": &outputs} {
		for i := 0; ; i++ {
			content, err := os.ReadFile(filepath.Join(dir, fmt.Sprintf("%s_%d.pb", kind, i)))
			if errors.Is(err, os.ErrNotExist) {
				break
			}
			if err != nil {
				return nil, nil, err
			}
			a, err := decodeTensor(content)
			if err != nil {
				return nil, nil, errUnsupportedData
			}
			*list = append(*list, a)
		}
	}
	return inputs, outputs, nil
}

// attempt runs a test once and returns why it fails. With bound, the integer inputs of rank 1 at most are constants.
func attempt(content []byte, inputs, outputs []*array.Array, fold, bound bool, op *string, open opener) string {
	g, diags := onnx.Import(source.FromBytes("model.onnx", content))
	if diags.HasErrors() {
		return diagReason("import", diags)
	}
	if *op = "several"; len(g.Ops) == 1 {
		*op = g.Ops[0].Op
	}
	given, reason := assign(g, inputs, bound)
	if reason != "" {
		return reason
	}
	learned, diags := shape.Infer(g, nil)
	if diags.HasErrors() {
		return diagReason("shapes", diags)
	}
	if fold {
		g, _ = rewrite.Fold(g, learned.Known)
		for name := range given {
			if id := g.ByName(name); id == graph.NoTensor {
				delete(given, name)
			}
		}
	}
	return execute(g, given, outputs, open)
}

// assign gives the data to the graph's inputs in order, as constants where bound asks for it, and fixes their shapes.
func assign(g *graph.Graph, inputs []*array.Array, bound bool) (map[string]*array.Array, string) {
	if len(inputs) != len(g.Inputs) {
		return nil, fmt.Sprintf("the graph has %d inputs, the data %d", len(g.Inputs), len(inputs))
	}
	given := map[string]*array.Array{}
	var kept []graph.TensorID
	for i, id := range g.Inputs {
		t, a := g.Tensor(id), inputs[i]
		if t.DType == graph.BFloat16 && a.DType == graph.Uint16 {
			// The data files have no better name for these bits.
			a.DType = graph.BFloat16
		}
		if t.DType != a.DType {
			return nil, fmt.Sprintf("input is %v, the data %v", t.DType, a.DType)
		}
		t.Shape, t.Symbols = a.Shape, nil
		steers := !a.DType.IsFloat() && len(a.Shape) <= 1 || len(a.Shape) == 1 && i > 0
		if bound && steers {
			t.Role, t.Data = graph.Constant, graph.Bytes(a.Data)
			continue
		}
		kept = append(kept, id)
		given[t.Name] = a
	}
	g.Inputs = kept
	return given, ""
}

// execute plans a graph, runs it with poison and compares the outputs.
func execute(g *graph.Graph, given map[string]*array.Array, want []*array.Array, open opener) string {
	p, reason := buildSequential(g)
	if reason != "" {
		return reason
	}
	share(p)
	dev, err := open()
	if err != nil {
		return err.Error()
	}
	defer dev.Close()
	r, diags, err := exec.New(context.Background(), p, g.Name, g, dev, exec.Options{Poison: true})
	if err != nil {
		return "device: " + err.Error()
	}
	if diags.HasErrors() {
		return diagReason("prepare", diags)
	}
	got, diags, err := r.Run(context.Background(), given)
	if err != nil {
		return "run: " + err.Error()
	}
	if diags.HasErrors() {
		return diagReason("run", diags)
	}
	if len(want) != len(g.Outputs) {
		return fmt.Sprintf("the graph has %d outputs, the data %d", len(g.Outputs), len(want))
	}
	for i, id := range g.Outputs {
		if reason := compareArrays(got[g.Tensor(id).Name], want[i]); reason != "" {
			return "result: " + reason
		}
	}
	return ""
}

func diagReason(stage string, diags diag.Diagnostics) string {
	for _, d := range diags {
		if d.Severity == diag.Error {
			return fmt.Sprintf("%s: %s %s", stage, d.ID, d.Summary)
		}
	}
	return stage
}

// conformanceReport is docs/conformance.md.
func conformanceReport(all []verdict) []byte {
	var b bytes.Buffer
	b.WriteString(conformanceIntro)
	reportCounts(&b, all)
	reportOps(&b, all)
	reportReasons(&b, all)
	return b.Bytes()
}

const conformanceIntro = `# Conformance with the ONNX backend tests

Made by ` + "`go test ./runtime/exec -run Conformance -update`" + `, which also fails when this page is stale. The tests are those of the
Debian package ` + conformancePackage + ` 1.12. Each goes through the whole pipeline on the host device: import, shape inference, a
plan in which tensors share bytes (first fit, views), a run in which everything that is not live is filled with NaN. It passes when the results agree with the test's
(1e-3 relative, 1e-7 absolute; 1e-3 absolute for 16-bit floats, 1e-2 relative for bfloat16) both without and with constant folding.

"Bound" tests need the content of an integer input to know a shape; that input is then given as a constant, since a
plan cannot depend on a run's data. "Core" tests have only float32 and int64 inputs and outputs of rank 4 at most.

`

func reportCounts(b *bytes.Buffer, all []verdict) {
	b.WriteString("| set | tests | pass | of these bound | core tests | core pass |\n| --- | ---: | ---: | ---: | ---: | ---: |\n")
	line := func(name string, keep func(verdict) bool) {
		var tests, pass, bound, core, corePass int
		for _, v := range all {
			if !keep(v) {
				continue
			}
			tests++
			if v.core {
				core++
			}
			if v.reason != "" {
				continue
			}
			pass++
			if v.bound {
				bound++
			}
			if v.core {
				corePass++
			}
		}
		fmt.Fprintf(b, "| %s | %d | %d | %d | %d | %d |\n", name, tests, pass, bound, core, corePass)
	}
	for _, set := range conformanceSets {
		line(set, func(v verdict) bool { return v.set == set })
	}
	line("all", func(verdict) bool { return true })
}

func reportOps(b *bytes.Buffer, all []verdict) {
	b.WriteString("\n## Passing tests by operator\n\n\"several\" are models of more than one operator.\n\n| operator | pass | tests |\n| --- | ---: | ---: |\n")
	pass, total := map[string]int{}, map[string]int{}
	for _, v := range all {
		total[v.op]++
		if v.reason == "" {
			pass[v.op]++
		}
	}
	for _, op := range slices.Sorted(maps.Keys(pass)) {
		fmt.Fprintf(b, "| %s | %d | %d |\n", op, pass[op], total[op])
	}
}

func reportReasons(b *bytes.Buffer, all []verdict) {
	by := map[string][]string{}
	for _, v := range all {
		if v.reason != "" {
			by[v.reason] = append(by[v.reason], v.set+"/"+strings.TrimPrefix(v.name, "test_"))
		}
	}
	b.WriteString("\n## The rest, by reason\n")
	for _, reason := range slices.Sorted(maps.Keys(by)) {
		fmt.Fprintf(b, "\n### %s (%d)\n\n%s\n", reason, len(by[reason]), strings.Join(by[reason], ", "))
	}
}
