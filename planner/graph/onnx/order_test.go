package onnx_test

import (
	"fmt"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

func opNames(g *graph.Graph) []string {
	out := make([]string, len(g.Ops))
	for i := range g.Ops {
		out[i] = g.Ops[i].Name
	}
	return out
}

func TestOpsBeforeTheirInputsAreMovedAsLittleAsNeeded(t *testing.T) {
	g := mustImport(t, model(13, input("x", float32Elem, 1),
		node("Abs", "first", list("x"), list("a")),
		node("Add", "early", list("b", "c"), list("y")),
		node("Abs", "second", list("a"), list("b")),
		node("Abs", "third", list("x"), list("c")),
		node("Abs", "last", list("x"), list("z")),
		untyped("y"), untyped("z")))
	assert.Equal(t, list("first", "second", "third", "early", "last"), opNames(g))
}

func TestACircleIsReportedByTheNamesOfItsOps(t *testing.T) {
	mustRefuse(t, model(13, input("x", float32Elem, 1),
		node("Abs", "after", list("c"), list("y")),
		node("Add", "one", list("x", "c"), list("a")),
		node("Abs", "two", list("a"), list("b")),
		node("Abs", "three", list("b"), list("c")),
		untyped("y")), "MP0310", "one -> two -> three -> one.")
	mustRefuse(t, model(13, node("Abs", "self", list("y"), list("y")), untyped("y")), "MP0310", "self -> self.")
}

func TestALongCircleIsCutShort(t *testing.T) {
	var nodes []msg
	for i := range 40 {
		nodes = append(nodes, node("Abs", fmt.Sprint("n", i), list(fmt.Sprint("v", i)), list(fmt.Sprint("v", (i+1)%40))))
	}
	mustRefuse(t, model(13, join(nodes...), untyped("v0")), "MP0310", "n0 -> n1 -> ", "n11 -> ...")
}

func TestAnyOrderOfTheNodesBecomesAValidOne(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "nodes")
		nodes := make([]msg, n)
		for i := range nodes {
			from := list("x")
			for j := range i {
				if rapid.Bool().Draw(rt, "reads") {
					from = append(from, fmt.Sprint("v", j))
				}
			}
			nodes[i] = node("Sum", fmt.Sprintf("n%02d", i), from, list(fmt.Sprint("v", i)))
		}
		parts := append([]msg{input("x", float32Elem, 1), untyped(fmt.Sprint("v", n-1))}, nodes...)
		inOrder := mustImport(t, model(13, parts...))
		require.Len(rt, inOrder.Ops, n)
		for i, name := range opNames(inOrder) {
			require.Equal(rt, fmt.Sprintf("n%02d", i), name, "a valid order is kept")
		}
		shuffled := rapid.Permutation(parts).Draw(rt, "shuffled")
		require.Len(rt, mustImport(t, model(13, shuffled...)).Ops, n)
	})
}
