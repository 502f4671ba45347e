package onnx

import (
	"cmp"
	"container/heap"
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// order returns the indexes of the nodes in a valid execution order: of the nodes whose inputs are there, always the
// one that comes first in the file. A valid order of the file is kept thereby. Nodes in a circle are reported and left
// out. It costs O(values + nodes · log nodes).
func (im *importer) order(nodes []node) []int {
	waits, readers := im.dependencies(nodes)
	ready := &indexHeap{}
	for i, n := range waits {
		if n == 0 {
			*ready = append(*ready, i)
		}
	}
	heap.Init(ready)
	order := make([]int, 0, len(nodes))
	for ready.Len() > 0 {
		next := heap.Pop(ready).(int)
		order = append(order, next)
		for _, reader := range readers[next] {
			if waits[reader]--; waits[reader] == 0 {
				heap.Push(ready, reader)
			}
		}
	}
	if len(order) < len(nodes) {
		im.reportCycle(nodes, waits, readers)
	}
	return order
}

// dependencies returns for each node how many of its inputs wait for another node, and which nodes wait for it, once
// for each input.
func (im *importer) dependencies(nodes []node) (waits []int, readers [][]int) {
	producer := im.producers(nodes)
	waits, readers = make([]int, len(nodes)), make([][]int, len(nodes))
	for i := range nodes {
		for _, in := range nodes[i].ins {
			if in >= 0 && producer[in] >= 0 {
				waits[i]++
				readers[producer[in]] = append(readers[producer[in]], i)
			}
		}
	}
	return waits, readers
}

// producers returns the node that gives each tensor, -1 for inputs and constants. Where a name is defined twice, which
// was reported, the first definition counts.
func (im *importer) producers(nodes []node) []int {
	producer := make([]int, len(im.graph.Tensors))
	for i := range producer {
		producer[i] = -1
	}
	for i := range nodes {
		for _, out := range nodes[i].outs {
			if out < 0 || producer[out] >= 0 {
				continue
			}
			if role := im.graph.Tensors[out].Role; role == graph.Activation || role == graph.Output {
				producer[out] = i
			}
		}
	}
	return producer
}

// reportCycle names the ops of one circle among the nodes that still wait. Each of those waits for another such node,
// so that walking back from any of them must come round.
func (im *importer) reportCycle(nodes []node, waits []int, readers [][]int) {
	waitsFor := make([]int, len(nodes))
	start := -1
	for i := range nodes {
		if waits[i] == 0 {
			continue
		}
		if start < 0 {
			start = i
		}
		for _, reader := range readers[i] {
			waitsFor[reader] = i
		}
	}
	seen := make([]bool, len(nodes))
	for !seen[start] {
		seen[start] = true
		start = waitsFor[start]
	}
	circle := []int{start}
	for at := waitsFor[start]; at != start; at = waitsFor[at] {
		circle = append(circle, at)
	}
	im.report(diag.ONNXCycle, "these operators wait for each other: %s. No order can execute them; export the model again.", circleText(nodes, circle))
}

// maxCircleNames keeps the message readable.
const maxCircleNames = 12

// circleText writes the circle in the direction of the data, from the node that comes first in the file.
func circleText(nodes []node, circle []int) string {
	slices.Reverse(circle)
	first := slices.Index(circle, slices.MinFunc(circle, cmp.Compare[int]))
	circle = slices.Concat(circle[first:], circle[:first])
	names := make([]string, 0, len(circle)+1)
	for _, i := range append(circle, circle[0]) {
		names = append(names, nodes[i].name)
	}
	if len(names) > maxCircleNames {
		names = append(names[:maxCircleNames], "...")
	}
	return strings.Join(names, " -> ")
}

// indexHeap is a heap of node indexes, the smallest first.
type indexHeap []int

func (h indexHeap) Len() int           { return len(h) }
func (h indexHeap) Less(i, j int) bool { return h[i] < h[j] }
func (h indexHeap) Swap(i, j int)      { h[i], h[j] = h[j], h[i] }

// Push implements heap.Interface.
func (h *indexHeap) Push(x any) { *h = append(*h, x.(int)) }

// Pop implements heap.Interface.
func (h *indexHeap) Pop() any {
	old := *h
	last := old[len(old)-1]
	*h = old[:len(old)-1]
	return last
}
