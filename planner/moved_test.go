package planner_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

func TestARenameMovesNothing(t *testing.T) {
	files := world{
		"net.json":   net(t, "x input 8", "h activation 8", "y output 8", "1: x -> h", "2: h -> y"),
		"other.json": net(t, "x input 8", "hidden activation 8", "y output 8", "1: x -> hidden", "2: hidden -> y"),
		"main.hcl": `device "d" { driver = "none" }
pool "arena" { device = device.d }
pool "single" { device = device.d }
graph "g" {
  source = "net.json"
  device = device.d
  place "y" { pool = pool.single }
}`,
	}
	lock := files.must(t)
	files["main.hcl"] = `device "chip" { driver = "none" }
pool "bank" {
  for_each = { main = 1 }
  device   = device.chip
}
pool "single" {
  count  = 1
  device = device.chip
}
graph "net" {
  source = "other.json"
  device = device.chip
  place "y" { pool = pool.single[0] }
}
moved {
  from = device.d
  to   = device.chip
}
moved {
  from = pool.arena
  to   = pool.bank["main"]
}
moved {
  from = graph.g
  to   = graph.net
}
moved {
  from = graph.net.tensor["h"]
  to   = graph.net.tensor["hidden"]
}`
	cfg, diags := config.Load(syntax.Memory(files), "main.hcl", eval.VariableSources{})
	require.Empty(t, diags)
	before, err := plan.Encode(lock)
	require.NoError(t, err)
	was, moved := planner.Moved(cfg, lock)
	require.Equal(t, []planner.Rename{
		{From: "device.d", To: "device.chip"},
		{From: "pool.arena", To: `pool.bank["main"]`},
		{From: "pool.single", To: "pool.single[0]"},
		{From: "graph.g", To: "graph.net"},
		{From: `graph.net.tensor["h"]`, To: `graph.net.tensor["hidden"]`},
	}, moved)
	after, err := plan.Encode(lock)
	require.NoError(t, err)
	require.Equal(t, string(before), string(after), "the lock itself is as it was")

	change := plan.Diff(was, files.must(t))
	assert.Equal(t, 3, change.Count(plan.Same))
	assert.True(t, change.Empty())
	assert.False(t, plan.Diff(lock, files.must(t)).Empty(), "without the moves everything is new")

	again, moved := planner.Moved(cfg, was)
	assert.Empty(t, moved)
	assert.Same(t, was, again)
	none, moved := planner.Moved(cfg, nil)
	assert.Empty(t, moved)
	assert.Nil(t, none)
}
