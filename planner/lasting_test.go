package planner_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/plan"
)

// reads is a graph block whose input "x" is the output of another graph.
func reads(name, from, output string) string {
	return fmt.Sprintf("%s input \"x\" {\ngraph = graph.%s\noutput = %q\n}", name, from, output)
}

const inPlace = "planner { views = [\"reshape\", \"concat\", \"inplace\"] }"

// sharedOutputs has two outputs in the same bytes, which two graphs read.
func sharedOutputs(t *testing.T, more string) world {
	return world{
		"main.hcl": device + onePool + graphs("a", reads("b", "a", "y"), reads("e", "a", "w")) + more,
		"a.json":   net(t, "x input 20", "y output 20", "w output 20", "Neg.1: x -> y", "Identity.2: y -> w"),
		"b.json":   net(t, "x input 20", "y output 20", "Exp.1: x -> y"),
		"e.json":   net(t, "x input 20", "y output 4", "1: x -> y"),
	}
}

// handedOn has a graph that returns its input, which the next one would overwrite, and a last one that reads it again.
func handedOn(t *testing.T) world {
	return world{
		"main.hcl": device + onePool + graphs("a", reads("b", "a", "y"), reads("c", "b", "y"), reads("e", "a", "y")) + inPlace,
		"a.json":   net(t, "x input 20", "y output 20", "Neg.1: x -> y"),
		"b.json":   net(t, "x input 20", "y output 20", "Identity.1: x -> y"),
		"c.json":   net(t, "x input 20", "y output 20", "Exp.1: x -> y"),
		"e.json":   net(t, "x input 20", "y output 4", "1: x -> y"),
	}
}

// with is the world with another source of a graph.
func (w world) with(graph, source string) world {
	w[graph+".json"] = source
	return w
}

func TestWhatALaterGraphReadsIsNotOverwritten(t *testing.T) {
	exp := net(t, "x input 20", "y output 20", "Exp.1: x -> y")
	for name, c := range map[string]struct {
		w world
		// graph reads an output first, and would overwrite it.
		graph string
	}{
		"another output in the same bytes":      {sharedOutputs(t, inPlace), "b"},
		"graphs that may run at the same time":  {sharedOutputs(t, "planner {\nviews = [\"reshape\", \"inplace\"]\nconcurrent = [graph.b, graph.e]\n}").with("e", exp), "e"},
		"an input that was handed on unchanged": {handedOn(t), "c"},
	} {
		t.Run(name, func(t *testing.T) {
			p := c.w.must(t)
			require.Nil(t, tensorOf(t, p, c.graph, "y").ViewOf)
		})
	}
}

func TestTheLastReaderOverwrites(t *testing.T) {
	exp := net(t, "x input 20", "y output 20", "Exp.1: x -> y")
	w := sharedOutputs(t, inPlace).with("e", exp)
	p := w.must(t)
	require.Nil(t, tensorOf(t, p, "b", "y").ViewOf)
	require.Equal(t, "x", *tensorOf(t, p, "e", "y").ViewOf, "b is over, nobody else reads the bytes")

	w["main.hcl"] = device + onePool + graphs("a", reads("b", "a", "y")) + inPlace
	p = w.must(t)
	require.Equal(t, "x", *tensorOf(t, p, "b", "y").ViewOf, "a single reader")

	p = handedOn(t).with("e", exp).must(t)
	require.Equal(t, "x", *tensorOf(t, p, "e", "y").ViewOf, "the graphs between are over")
}

// overwriteIn lets the result of the graph's only op take the bytes of its operand.
func overwriteIn(t *testing.T, graph string) func(*plan.Plan) {
	return func(p *plan.Plan) {
		x, y, base := tensorOf(t, p, graph, "x"), tensorOf(t, p, graph, "y"), "x"
		y.Storage, y.Offset, y.ViewOf, x.Last = x.Storage, x.Offset, &base, y.Last
	}
}

func TestTheCheckerFindsWhatALaterGraphMisses(t *testing.T) {
	exp := net(t, "x input 20", "y output 20", "Exp.1: x -> y")
	concurrent := sharedOutputs(t, "planner { concurrent = [graph.b, graph.e] }").with("e", exp)
	for name, c := range map[string]struct {
		w     world
		spoil func(*plan.Plan)
		found int
	}{
		"two outputs in the same bytes":                  {sharedOutputs(t, inPlace), overwriteIn(t, "b"), 1},
		"an input handed on unchanged":                   {handedOn(t), overwriteIn(t, "c"), 1},
		"an output that a concurrent graph reads":        {concurrent, overwriteIn(t, "b"), 1},
		"the other of two that run at the same time":     {concurrent, overwriteIn(t, "e"), 1},
		"an output overwritten when all have read it":    {handedOn(t).with("e", exp), overwriteIn(t, "e"), 0},
		"one of two outputs by the last that reads them": {sharedOutputs(t, inPlace).with("e", exp), overwriteIn(t, "e"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			result, diags := c.w.plan(t)
			require.Empty(t, diags)
			require.Empty(t, check.Verify(result.Plan, result.Graphs))
			c.spoil(result.Plan)
			assert.Equal(t, c.found, overlapsIn(result))
		})
	}
}

// overlapsIn counts the findings of bytes that are written while they are read.
func overlapsIn(result *planner.Result) int {
	n := 0
	for _, d := range check.Verify(result.Plan, result.Graphs) {
		if d.ID == diag.PlanOverlap {
			n++
		}
	}
	return n
}
