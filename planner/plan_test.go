package planner_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
)

// world is a directory of files, "main.hcl" the configuration among them.
type world map[string]string

// plan plans main.hcl.
func (w world) plan(t *testing.T) (*planner.Result, diag.Diagnostics) {
	t.Helper()
	cfg, diags := config.Load(syntax.Memory(w), "main.hcl", eval.VariableSources{})
	require.Empty(t, diags, "the configuration itself must be right")
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Version: "test", Open: w.open})
	require.NoError(t, err)
	if result != nil {
		t.Cleanup(func() { require.NoError(t, result.Close()) })
	}
	return result, diags
}

func (w world) open(path string) (*source.File, error) {
	text, err := syntax.Memory(w).ReadFile(path)
	if err != nil {
		return nil, err
	}
	return source.FromBytes(path, text), nil
}

// must plans main.hcl, which has to work without any diagnostic.
func (w world) must(t *testing.T) *plan.Plan {
	t.Helper()
	result, diags := w.plan(t)
	require.Empty(t, diags)
	return result.Plan
}

// net writes a native graph of byte tensors. Each line is "name role bytes" for a tensor, "op: in in -> out out" for an
// op, or "op+scratch: ..." for one with scratch bytes; "Reshape" and the like before a dot name the op's type.
func net(t *testing.T, lines ...string) string {
	t.Helper()
	type scratch struct {
		Name  string `json:"name"`
		Bytes int64  `json:"bytes"`
	}
	var tensors, ops []map[string]any
	for _, line := range lines {
		head, rest, isOp := strings.Cut(line, ": ")
		if !isOp {
			fields := strings.Fields(line)
			bytes, err := strconv.ParseInt(fields[2], 10, 64)
			require.NoError(t, err)
			tensors = append(tensors, map[string]any{"name": fields[0], "role": fields[1], "dtype": "uint8", "shape": []int64{bytes}})
			continue
		}
		name, extra, hasScratch := strings.Cut(head, "+")
		kind, _, typed := strings.Cut(name, ".")
		if !typed {
			kind = "Custom"
		}
		in, out, _ := strings.Cut(rest, " -> ")
		op := map[string]any{"name": name, "op": kind, "inputs": strings.Fields(in), "outputs": strings.Fields(out)}
		if hasScratch {
			bytes, err := strconv.ParseInt(extra, 10, 64)
			require.NoError(t, err)
			op["scratch"] = []scratch{{"work", bytes}}
		}
		ops = append(ops, op)
	}
	text, err := json.Marshal(map[string]any{"format_version": "1.0", "name": "net", "tensors": tensors, "ops": ops})
	require.NoError(t, err)
	return string(text)
}

// device is a device without alignment, on which sums are plain.
const device = `
device "d" {
  driver         = "none"
  base_alignment = 1
}
`

const oneGraph = `
graph "g" {
  source = "net.json"
  device = device.d
}
`

func pool(t *testing.T, p *plan.Plan, name string) *plan.Pool {
	t.Helper()
	for i := range p.Pools {
		if p.Pools[i].Name == name {
			return &p.Pools[i]
		}
	}
	require.Failf(t, "no such pool", "%q", name)
	return nil
}

func tensor(t *testing.T, p *plan.Plan, name string) *plan.Tensor {
	t.Helper()
	for i := range p.Graphs {
		for j := range p.Graphs[i].Tensors {
			if p.Graphs[i].Tensors[j].Name == name {
				return &p.Graphs[i].Tensors[j]
			}
		}
	}
	require.Failf(t, "no such tensor", "%q", name)
	return nil
}

func TestTheNeedOfAPool(t *testing.T) {
	for name, c := range map[string]struct {
		config string
		net    []string
		peak   int64
	}{
		"of a chain is the largest op's inputs and outputs": {
			`pool "p" {
			   device = device.d
			 }`,
			[]string{"x input 0", "a activation 100", "b activation 50", "c activation 50", "y output 0", "1: x -> a", "2: a -> b", "3: b -> c", "4: c -> y"},
			100 + 50,
		},
		"counts scratch beside the inputs and outputs of its op": {
			`pool "p" {
			   device = device.d
			 }`,
			[]string{"x input 32", "y output 32", "op+16: x -> y"}, 32 + 16 + 32,
		},
		"is exact for an aligned base: the last tensor is not padded": {
			`pool "p" {
			   device    = device.d
			   alignment = 16
			 }`,
			[]string{"x input 20", "y output 4", "op: x -> y"}, 32 + 4,
		},
		"does not count tensors without elements": {
			`pool "p" {
			   device = device.d
			 }`,
			[]string{"x input 8", "none activation 0", "y output 8", "1: x -> none", "2: x none -> y"}, 8 + 8,
		},
		"keeps state apart from everything": {
			`pool "p" {
			   device = device.d
			 }`,
			[]string{"x input 10", "s state 40", "a activation 30", "b activation 20", "y output 10", "1: x s -> a", "2: a -> b", "3: b -> y"},
			40 + 30 + 20,
		},
		"counts an input that is reshaped into the output once": {
			`pool "p" {
			   device = device.d
			 }`,
			[]string{"x input 64", "r activation 64", "y output 64", "Identity.1: x -> r", "Identity.2: r -> y"}, 64,
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := world{"main.hcl": device + c.config + oneGraph, "net.json": net(t, c.net...)}.must(t)
			got := pool(t, p, "p")
			require.Equal(t, c.peak, got.Peak)
			require.Equal(t, c.peak, got.Bound)
			require.Equal(t, "optimal", got.Optimality)
			require.Zero(t, got.Gap)
		})
	}
}

func TestConstantsNeverCountAsWorkingMemory(t *testing.T) {
	p := world{"main.hcl": device + `pool "p" {
		device = device.d
	}` + oneGraph, "net.json": net(t, "x input 0", "w constant 1048576", "y output 1024", "op: x w -> y")}.must(t)
	require.EqualValues(t, 1024, pool(t, p, "p").Peak)
	constants := pool(t, p, "d.constants")
	require.EqualValues(t, 1048576, constants.Peak)
	require.True(t, constants.Implicit)
	require.Nil(t, constants.PeakStep, "constants are live always")
}

func TestAKeptTensorIsFreeOfLaterOnes(t *testing.T) {
	chain := []string{"x input 10", "a activation 100", "b activation 100", "c activation 100", "d activation 100", "y output 10",
		"1: x -> a", "2: a -> b", "3: b -> c", "4: c -> d", "5: d -> y"}
	keep := strings.Replace(oneGraph, "device.d", "device.d\nkeep = [\"b\"]", 1)
	poolBlock := "pool \"p\" {\ndevice = device.d\n}\n"
	without := pool(t, world{"main.hcl": device + poolBlock + oneGraph, "net.json": net(t, chain...)}.must(t), "p").Peak
	p := world{"main.hcl": device + poolBlock + keep, "net.json": net(t, chain...)}.must(t)
	require.EqualValues(t, 5, tensor(t, p, "b").Last)
	require.Equal(t, "graph.g.keep", tensor(t, p, "b").Kept)
	require.Empty(t, tensor(t, p, "c").Kept)
	require.LessOrEqual(t, pool(t, p, "p").Peak, without+100)
	require.Greater(t, pool(t, p, "p").Peak, without)
}

func TestSmallTensorsPreferTheFastBankAndLargeOnesSpill(t *testing.T) {
	p := world{"main.hcl": device + `
pool "fast" {
  device = device.d
  size   = "1KiB"
}
pool "slow" {
  device = device.d
  size   = "1MiB"
}
` + oneGraph, "net.json": net(t, "x input 512", "y output 4096", "op: x -> y")}.must(t)
	require.Equal(t, "fast", tensor(t, p, "x").Pool)
	require.Equal(t, "slow", tensor(t, p, "y").Pool)
	spill := tensor(t, p, "y").Reason.Spill
	require.NotNil(t, spill)
	require.Equal(t, []string{"fast"}, spill.From)
	require.Nil(t, tensor(t, p, "x").Reason.Spill)
}

func TestGraphsThatRunOneAfterTheOtherShareWorkspace(t *testing.T) {
	graphs := ""
	for _, name := range []string{"one", "two"} {
		graphs += fmt.Sprintf("graph %q {\nsource = \"%s.json\"\ndevice = device.d\n}\n", name, name)
	}
	p := world{
		"main.hcl": device + "pool \"p\" {\ndevice = device.d\n}\n" + graphs,
		"one.json": net(t, "x input 100", "w constant 7", "y output 200", "op: x w -> y"),
		"two.json": net(t, "x input 50", "w constant 9", "y output 60", "op: x w -> y"),
	}.must(t)
	require.EqualValues(t, 300, pool(t, p, "p").Peak)
	require.EqualValues(t, 7+9, pool(t, p, "d.constants").Peak, "the constants of both graphs are live always")
	require.Equal(t, "one", pool(t, p, "p").PeakGraph)
}

func TestAPinHolds(t *testing.T) {
	p := world{"main.hcl": device + `
pool "p" {
  device = device.d
}
graph "g" {
  source = "net.json"
  device = device.d
  place "y" {
    pool   = pool.p
    offset = 512
  }
}
`, "net.json": net(t, "x input 100", "y output 8", "op: x -> y")}.must(t)
	require.EqualValues(t, 512, *tensor(t, p, "y").Offset)
	require.Equal(t, `graph.g.place["y"]`, *tensor(t, p, "y").Reason.Pinned)
	require.EqualValues(t, 520, pool(t, p, "p").Peak)
}

func TestIntervalsArePlannedAsTheyAreGiven(t *testing.T) {
	p := world{"main.hcl": device + `
pool "a" {
  device = device.d
}
pool "b" {
  device = device.d
}
graph "g" {
  source = "net.csv"
  device = device.d
}
`, "net.csv": "id,lower,upper,size,alignment,pool\nu,5,9,10,1,\nv,7,12,20,64,\nw,9,14,30,1,b\n"}.must(t)
	require.Equal(t, "a", tensor(t, p, "u").Pool)
	require.Equal(t, "b", tensor(t, p, "w").Pool)
	require.Zero(t, *tensor(t, p, "v").Offset%64)
	require.EqualValues(t, 30, pool(t, p, "a").Bound)
	require.EqualValues(t, 7, *pool(t, p, "a").PeakStep)
}

func TestTVMsAlgorithmsBreakTiesByName(t *testing.T) {
	// Of two equal buffers in conflict, TVM places the one whose name sorts last first.
	p := world{"main.hcl": device + "pool \"p\" {\ndevice = device.d\n}\nplanner {\nalgorithm = \"tvm_greedy_by_size\"\n}\n" + oneGraph,
		"net.json": net(t, "b input 8", "a output 8", "op: b -> a")}.must(t)
	require.Zero(t, *tensor(t, p, "b").Offset)
	require.EqualValues(t, 8, *tensor(t, p, "a").Offset)
	p = world{"main.hcl": device + "pool \"p\" {\ndevice = device.d\n}\nplanner {\nalgorithm = \"tvm_greedy_by_size\"\n}\n" + oneGraph,
		"net.json": net(t, "a input 8", "b output 8", "op: a -> b")}.must(t)
	require.Zero(t, *tensor(t, p, "b").Offset)
}
