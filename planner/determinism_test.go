package planner_test

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
)

// The blocks of a configuration whose order means nothing: pools and rules are not among them, since theirs does.
var unordered = []string{
	"device \"chip\" {\n  for_each       = toset([\"a\", \"b\"])\n  driver         = \"none\"\n  base_alignment = 16\n}\n",
	"locals {\n  files = { z = \"z.json\", a = \"a.json\", m = \"m.json\" }\n}\n",
	"graph \"net\" {\n  for_each = local.files\n  source   = each.value\n  device   = device.chip[\"a\"]\n}\n",
	"graph \"head\" {\n  source = \"a.json\"\n  device = device.chip[\"a\"]\n  input \"x\" {\n    graph  = graph.net[\"z\"]\n    output = \"y\"\n  }\n}\n",
	"planner {\n  concurrent = [graph.net[\"m\"], graph.net[\"a\"]]\n}\n",
	"variable \"large\" {\n  default = 9007199254740993\n}\n",
	"output \"peak\" {\n  value = pool.arena.peak\n}\n",
}

const orderedPools = "pool \"arena\" {\n  device = device.chip[\"a\"]\n  size   = var.large\n}\npool \"spare\" {\n  count  = 2\n  device = device.chip[\"a\"]\n}\n"

// variants are the same configuration in one file, in reverse order, and spread over files of another directory.
func variants(t *testing.T) []syntax.Memory {
	t.Helper()
	graphs := syntax.Memory{
		"z.json": net(t, "x input 40", "h activation 70", "y output 30", "1: x -> h", "2: h -> y"),
		"a.json": net(t, "x input 30", "h activation 20", "y output 10", "1: x -> h", "2: h -> y"),
		"m.json": net(t, "x input 10", "h activation 90", "y output 50", "1: x -> h", "2: h -> y"),
	}
	in := func(dir string, files map[string]string) syntax.Memory {
		out := syntax.Memory{}
		for _, part := range []map[string]string{graphs, files} {
			for name, text := range part {
				out[dir+name] = text
			}
		}
		return out
	}
	backwards := slices.Clone(unordered)
	slices.Reverse(backwards)
	spread := map[string]string{"pools.memplan.hcl": orderedPools}
	for i, block := range unordered {
		spread[fmt.Sprintf("%d.memplan.hcl", (i*5)%len(unordered))] = block
	}
	return []syntax.Memory{
		in("here/", map[string]string{"all.memplan.hcl": strings.Join(unordered, "") + orderedPools}),
		in("here/", map[string]string{"all.memplan.hcl": orderedPools + "# a comment\n" + strings.Join(backwards, "\n")}),
		in("some/where/else/", spread),
	}
}

func TestTheSameSourcesGiveTheSameBytes(t *testing.T) {
	var want []byte
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(0))
	for round := range 30 {
		runtime.GOMAXPROCS([]int{1, 4, 16}[round%3])
		for _, files := range variants(t) {
			dir := "here"
			if _, ok := files["here/z.json"]; !ok {
				dir = "some/where/else"
			}
			cfg, diags := config.Load(files, dir, eval.VariableSources{})
			require.Empty(t, diags)
			result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Version: "test", Open: func(path string) (*source.File, error) {
				return source.FromBytes(path, []byte(files[dir+"/"+path])), nil
			}})
			require.NoError(t, err)
			require.Empty(t, diags)
			got, err := plan.Encode(result.Plan)
			require.NoError(t, err)
			require.NoError(t, result.Close())
			if want == nil {
				want = got
				require.EqualValues(t, 9007199254740993, *pool(t, result.Plan, "arena").Capacity)
			}
			require.Equal(t, string(want), string(got))
		}
	}
}
