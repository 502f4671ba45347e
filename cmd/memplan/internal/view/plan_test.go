package view

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

var update = flag.Bool("update", false, "rewrite golden files")

func ptr[T any](v T) *T { return &v }

// network has a chain x → h → y with a view z of h, in 448 bytes of a flat pool, and weights w and v in images.
func network() *plan.Plan {
	tensor := func(name, role, pool string, offset, size, first, last, storage int64) plan.Tensor {
		t := plan.Tensor{Name: name, Role: role, DType: "float32", Shape: []int64{1, size / 4}, Scope: "global", Pool: pool, Storage: storage, Offset: &offset, Size: size, LogicalSize: size, Alignment: 64, First: first, Last: last}
		return t
	}
	image := func(t plan.Tensor) plan.Tensor {
		t.Offset, t.Scope = nil, "global.texture"
		t.Reason.Rule = ptr("scope_rule.weights")
		return t
	}
	view := tensor("z", "activation", "arena", 64, 256, 1, 2, 1)
	view.ViewOf, view.Producer = ptr("h"), "reshape"
	y := tensor("y", "output", "arena", 320, 128, 1, 3, 2)
	y.Reason = plan.Reason{Policy: ptr("mincopy"), Spill: &plan.Spill{From: []string{"fast"}, Because: "128 bytes did not fit"}, Excluded: []plan.Exclusion{{Scope: "global.texture", Because: "rank 2 has no image"}}}
	return &plan.Plan{
		FormatVersion: "1.0", MemplanVersion: "0.1.0", ConfigDigest: "sha256:0",
		Settings: map[string]plan.Setting{"planner.algorithm": {Value: "auto", Origin: "default"}, "planner.views": {Value: []any{"reshape", "inplace"}, Origin: "config"}},
		Devices:  []plan.Device{{Name: "gpu", Driver: "opencl", BaseAlignment: 64}},
		Pools: []plan.Pool{
			{Name: "arena", Device: "gpu", Type: "flat", Capacity: ptr(int64(4096)), Alignment: 64, Bound: 384, Peak: 448, Used: 448, PeakGraph: "net", PeakStep: ptr(int64(1)), Optimality: "best_found", Gap: 64},
			{Name: "weights", Device: "gpu", Type: "texture", Alignment: 64, Bound: 2048, Peak: 2048, Used: 2048, Optimality: "optimal"},
			{Name: "gpu.constants", Device: "gpu", Type: "flat", Alignment: 64, Implicit: true, Optimality: "optimal"},
		},
		Storages: []plan.Storage{
			{ID: 0, Pool: "arena", Offset: ptr(int64(0)), Size: 64}, {ID: 1, Pool: "arena", Offset: ptr(int64(64)), Size: 256}, {ID: 2, Pool: "arena", Offset: ptr(int64(320)), Size: 128},
			{ID: 3, Pool: "weights", Size: 1024, Width: 8, Height: 8, Texel: "rgba_float32", RowPitch: 128}, {ID: 4, Pool: "weights", Size: 1024, Width: 8, Height: 8, Texel: "rgba_float32", RowPitch: 128},
		},
		Graphs: []plan.Graph{{
			Name: "net", Source: "net.json", Digest: "sha256:1", Format: "json",
			Steps: []plan.Step{{Step: 0, Op: "Conv", Name: "conv"}, {Step: 1, Op: "Reshape", Name: "reshape"}, {Step: 2, Op: "MatMul", Name: "matmul"}},
			Tensors: []plan.Tensor{
				tensor("x", "input", "arena", 0, 64, 0, 1, 0), tensor("h", "activation", "arena", 64, 256, 0, 2, 1), view, y,
				image(tensor("w", "constant", "weights", 0, 1024, 0, 3, 3)), image(tensor("v", "constant", "weights", 0, 1024, 0, 3, 4)),
			},
			Copies: []plan.Copy{{Tensor: "h", To: "h@global.texture", Step: 1, Bytes: 256}},
		}},
	}
}

// earlier is the network before x was moved, w got another image and u was dropped.
func earlier() *plan.Plan {
	p := network()
	g := &p.Graphs[0]
	g.Tensors[0].Offset = ptr(int64(448))
	p.Storages[3].Width, p.Storages[3].RowPitch = 4, 64
	g.Tensors[3].Name = "u"
	return p
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		require.NoError(t, os.MkdirAll("testdata", 0o755))
		require.NoError(t, os.WriteFile(path, []byte(got), 0o644))
	}
	want, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func planned(old *plan.Plan) *Planned {
	return &Planned{
		Path: "net.hcl", LockPath: "net.lock.json", Old: old, New: network(), Change: plan.Diff(old, network()),
		Outputs: []Output{{Name: "peak", Value: cty.NumberIntVal(448)}}, Checks: []CheckResult{{"budget", true}, {"spare", false}},
	}
}

func people() (*Terminal, *bytes.Buffer, *bytes.Buffer) {
	var out, errs bytes.Buffer
	return &Terminal{Out: &out, Err: &errs}, &out, &errs
}

func TestPlanForPeople(t *testing.T) {
	for name, old := range map[string]*plan.Plan{"first": nil, "changed": earlier(), "same": network()} {
		term, out, errs := people()
		NewPlan(false, term, nil, "0.1.0").Result(planned(old))
		golden(t, "plan_"+name+".txt", out.String())
		require.Empty(t, errs.String())
	}
}

func TestThePlanSaysThatFoldingMadeWeightsLarger(t *testing.T) {
	term, out, _ := people()
	p := planned(nil)
	p.New.Graphs[0].Rewrites = []plan.Rewrite{
		{Rewrite: "fold", Op: "wide1", HalfBytes: 1 << 20, FloatBytes: 2 << 20}, {Rewrite: "fold", Op: "shape"}, {Rewrite: "fold", Op: "wide2", HalfBytes: 1 << 20, FloatBytes: 2 << 20},
	}
	NewPlan(false, term, nil, "0.1.0").Result(p)
	require.Contains(t, out.String(), "\n  fold turned 2 float16 constants of 2097152 bytes (2 MiB) into float32 of 4194304 bytes (4 MiB); rewrite = [] keeps them\n")
}

func TestShowForPeople(t *testing.T) {
	term, out, _ := people()
	require.NoError(t, NewShow(false, term, nil).Result(network(), nil))
	golden(t, "show.txt", out.String())
}

func TestShowAsJSONIsThePlanItself(t *testing.T) {
	term, out, errs := people()
	warning := diag.Diagnostics{{ID: "MP0001", Severity: diag.Warning, Summary: "Odd", Detail: "It is odd."}}
	require.NoError(t, NewShow(true, term, nil).Result(network(), warning))
	want, err := plan.Encode(network())
	require.NoError(t, err)
	require.Equal(t, string(want), out.String())
	require.Contains(t, errs.String(), "Warning: Odd")
}

// lines decodes a stream of events.
func lines(t *testing.T, stream string) []map[string]any {
	t.Helper()
	var events []map[string]any
	for line := range strings.Lines(stream) {
		var event map[string]any
		require.NoError(t, json.Unmarshal([]byte(line), &event), line)
		require.NotEmpty(t, event["type"])
		require.Contains(t, event, "message")
		events = append(events, event)
	}
	return events
}

func TestPlanAsEvents(t *testing.T) {
	term, out, _ := people()
	NewPlan(true, term, nil, "0.1.0").Result(planned(earlier()))
	events := lines(t, out.String())
	require.Equal(t, "version", events[0]["type"])
	last := events[len(events)-1]
	require.Equal(t, "summary", last["type"])
	require.Equal(t, "Plan: 1 to place, 2 to move, 1 to remove.", last["message"])
	require.Equal(t, map[string]any{"placed": 1.0, "moved": 2.0, "gone": 1.0, "same": 3.0}, last["changes"])
	require.Equal(t, map[string]any{"peak": 448.0}, last["outputs"])
	require.Equal(t, true, last["ok"])
	require.Equal(t, 448.0, last["pools"].([]any)[0].(map[string]any)["peak"])
	kinds := map[string]int{}
	for _, e := range events {
		kinds[e["type"].(string)]++
	}
	require.Equal(t, map[string]int{"version": 1, "planned_change": 4, "pool_summary": 3, "summary": 1}, kinds)
}

func TestFailureAsEventsEndsWithASummary(t *testing.T) {
	term, out, _ := people()
	NewPlan(true, term, nil, "0.1.0").Failed(diag.Diagnostics{{ID: "MP0001", Summary: "Bad", Detail: "It is bad."}})
	events := lines(t, out.String())
	require.Len(t, events, 3)
	require.Equal(t, "diagnostic", events[1]["type"])
	require.Equal(t, false, events[2]["ok"])
	require.Equal(t, 1.0, events[2]["error_count"])
}

func TestOnlyTheLargestChangesAreListed(t *testing.T) {
	p := network()
	g := &p.Graphs[0]
	for i := range int64(100) {
		tensor := g.Tensors[0]
		tensor.Name, tensor.Size = fmt.Sprintf("t%d", i), 1000+i
		g.Tensors = append(g.Tensors, tensor)
	}
	term, out, _ := people()
	NewPlan(false, term, nil, "0.1.0").Result(&Planned{New: p, Change: plan.Diff(nil, p)})
	require.Equal(t, mostChanges, strings.Count(out.String(), "\n  + "))
	require.Contains(t, out.String(), "+ t99 ")
	require.NotContains(t, out.String(), "+ t10 ")
	require.Contains(t, out.String(), "... and 66 changes more")
}

func TestTensorsOfSeveralGraphsCarryTheirGraph(t *testing.T) {
	p := network()
	second := p.Graphs[0]
	second.Name = "other"
	p.Graphs = append(p.Graphs, second)
	term, out, _ := people()
	NewPlan(false, term, nil, "0.1.0").Result(&Planned{New: p, Change: plan.Diff(nil, p)})
	require.Contains(t, out.String(), "+ net: x ")
	require.Contains(t, out.String(), "+ other: x ")
}

func TestOnATerminalReasonsFitTheWidth(t *testing.T) {
	for name, columns := range map[string]int{"wide": 150, "narrow": 110} {
		term, out, _ := people()
		term.OutWidth = columns
		require.NoError(t, NewShow(false, term, nil).Result(network(), nil))
		golden(t, "show_"+name+".txt", out.String())
		for line := range strings.Lines(out.String()) {
			require.LessOrEqual(t, len([]rune(line)), columns+1, line)
		}
	}
}
