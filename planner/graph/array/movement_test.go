package array

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestMovementKeepsTheElements(t *testing.T) {
	x23 := floats(graph.Shape{2, 3}, 1, 2, 3, 4, 5, 6)
	runExamples(t, []example{
		{name: "keeps the order", op: "Reshape", inputs: []operand{x23, ints(list(1), 6)}, wants: []operand{floats(list(6), 1, 2, 3, 4, 5, 6)}},
		{name: "adds an axis", op: "Unsqueeze", inputs: []operand{bools(list(2), 1, 0), ints(list(1), 0)}, wants: []operand{bools(graph.Shape{1, 2}, 1, 0)}},
		{name: "keeps everything and says so", op: "Dropout", inputs: []operand{x23}, wants: []operand{x23, bools(graph.Shape{2, 3}, 1, 1, 1, 1, 1, 1)}},
		{name: "reverses the axes", op: "Transpose", inputs: []operand{x23}, wants: []operand{floats(graph.Shape{3, 2}, 1, 4, 2, 5, 3, 6)}},
		{
			name: "follows perm", op: "Transpose", attrs: graph.Attrs{"perm": []int64{1, 0, 2}},
			inputs: []operand{floats(graph.Shape{2, 2, 2}, 1, 2, 3, 4, 5, 6, 7, 8)},
			wants:  []operand{floats(graph.Shape{2, 2, 2}, 1, 2, 5, 6, 3, 4, 7, 8)},
		},
		{
			name: "joins on the last axis", op: "Concat", attrs: graph.Attrs{"axis": int64(-1)},
			inputs: []operand{x23, floats(graph.Shape{2, 1}, 7, 8)},
			wants:  []operand{floats(graph.Shape{2, 4}, 1, 2, 3, 7, 4, 5, 6, 8)},
		},
		{
			name: "cuts by lengths", op: "Split", attrs: graph.Attrs{"axis": int64(1)},
			inputs: []operand{x23, ints(list(2), 1, 2)},
			wants:  []operand{floats(graph.Shape{2, 1}, 1, 4), floats(graph.Shape{2, 2}, 2, 3, 5, 6)},
		},
		{
			name: "cuts into equal parts with a smaller last one", op: "Split", attrs: graph.Attrs{"num_outputs": int64(2)},
			inputs: []operand{floats(list(3), 1, 2, 3)},
			wants:  []operand{floats(list(2), 1, 2), floats(list(1), 3)},
		},
		{
			name: "takes channels in depth-column-row order", op: "DepthToSpace", attrs: graph.Attrs{"blocksize": int64(2)},
			inputs: []operand{floats(graph.Shape{1, 4, 1, 2}, 0, 1, 10, 11, 20, 21, 30, 31)},
			wants:  []operand{floats(graph.Shape{1, 1, 2, 4}, 0, 10, 1, 11, 20, 30, 21, 31)},
		},
		{
			name: "takes channels in column-row-depth order", op: "DepthToSpace",
			attrs:  graph.Attrs{"blocksize": int64(2), "mode": "CRD"},
			inputs: []operand{floats(graph.Shape{1, 8, 1, 1}, 0, 1, 2, 3, 4, 5, 6, 7)},
			wants:  []operand{floats(graph.Shape{1, 2, 2, 2}, 0, 1, 2, 3, 4, 5, 6, 7)},
		},
		{
			name: "takes channels from the last axis", op: "DepthToSpace",
			attrs:  graph.Attrs{"blocksize": int64(2), "data_layout": "NHWC"},
			inputs: []operand{floats(graph.Shape{1, 1, 2, 4}, 0, 1, 2, 3, 4, 5, 6, 7)},
			wants:  []operand{floats(graph.Shape{1, 2, 4, 1}, 0, 1, 4, 5, 2, 3, 6, 7)},
		},
		{
			name: "takes channels from the last axis in column-row-depth order", op: "DepthToSpace",
			attrs:  graph.Attrs{"blocksize": int64(2), "data_layout": "NHWC", "mode": "CRD"},
			inputs: []operand{floats(graph.Shape{1, 1, 1, 8}, 0, 1, 2, 3, 4, 5, 6, 7)},
			wants:  []operand{floats(graph.Shape{1, 2, 2, 2}, 0, 4, 1, 5, 2, 6, 3, 7)},
		},
		{
			name: "gathers blocks into channels", op: "SpaceToDepth", attrs: graph.Attrs{"blocksize": int64(2)},
			inputs: []operand{floats(graph.Shape{1, 1, 2, 4}, 0, 10, 1, 11, 20, 30, 21, 31)},
			wants:  []operand{floats(graph.Shape{1, 4, 1, 2}, 0, 1, 10, 11, 20, 21, 30, 31)},
		},
		{
			name: "gathers blocks into the last axis", op: "SpaceToDepth",
			attrs:  graph.Attrs{"blocksize": int64(2), "data_layout": "NHWC"},
			inputs: []operand{floats(graph.Shape{1, 2, 4, 1}, 0, 1, 4, 5, 2, 3, 6, 7)},
			wants:  []operand{floats(graph.Shape{1, 1, 2, 4}, 0, 1, 2, 3, 4, 5, 6, 7)},
		},
		{name: "repeats", op: "Tile", inputs: []operand{floats(graph.Shape{1, 2}, 1, 2), ints(list(2), 2, 2)}, wants: []operand{floats(graph.Shape{2, 4}, 1, 2, 1, 2, 1, 2, 1, 2)}},
		{name: "repeats nothing", op: "Tile", inputs: []operand{floats(list(2), 1, 2), ints(list(1), 0)}, wants: []operand{floats(list(0))}},
		{name: "broadcasts", op: "Expand", inputs: []operand{floats(graph.Shape{2, 1}, 1, 2), ints(list(3), 2, 1, 2)}, wants: []operand{floats(graph.Shape{2, 2, 2}, 1, 1, 2, 2, 1, 1, 2, 2)}},
		{
			name: "reverses the start of each column", op: "ReverseSequence",
			inputs: []operand{floats(graph.Shape{3, 2}, 1, 2, 3, 4, 5, 6), ints(list(2), 2, 3)},
			wants:  []operand{floats(graph.Shape{3, 2}, 3, 6, 1, 4, 5, 2)},
		},
		{
			name: "reverses axes", op: "ReverseV2", domain: "tflite",
			inputs: []operand{x23, ints(list(2), 0, 1)}, wants: []operand{floats(graph.Shape{2, 3}, 6, 5, 4, 3, 2, 1)},
		},
		{
			name: "moves blocks to the batch", op: "SpaceToBatchNd", domain: "tflite",
			inputs: []operand{floats(graph.Shape{1, 3, 1}, 1, 2, 3), ints(list(1), 2), ints(graph.Shape{1, 2}, 1, 0)},
			wants:  []operand{floats(graph.Shape{2, 2, 1}, 0, 2, 1, 3)},
		},
		{
			name: "moves blocks of two axes to the batch", op: "SpaceToBatchNd", domain: "tflite",
			inputs: []operand{floats(graph.Shape{1, 2, 2, 1}, 1, 2, 3, 4), ints(list(2), 2, 2), ints(graph.Shape{2, 2}, 0, 0, 0, 0)},
			wants:  []operand{floats(graph.Shape{4, 1, 1, 1}, 1, 2, 3, 4)},
		},
		{
			name: "moves the batch back", op: "BatchToSpaceNd", domain: "tflite",
			inputs: []operand{floats(graph.Shape{2, 2, 1}, 0, 2, 1, 3), ints(list(1), 2), ints(graph.Shape{1, 2}, 1, 0)},
			wants:  []operand{floats(graph.Shape{1, 3, 1}, 1, 2, 3)},
		},
	})
}

func TestSliceReadsBoxesWithSteps(t *testing.T) {
	x := floats(graph.Shape{2, 4}, 1, 2, 3, 4, 5, 6, 7, 8)
	const far = 1 << 62
	runExamples(t, []example{
		{name: "from the start", op: "Slice", inputs: []operand{x, ints(list(1), 1), ints(list(1), 2)}, wants: []operand{floats(graph.Shape{1, 4}, 5, 6, 7, 8)}},
		{name: "with steps", op: "Slice", inputs: []operand{x, ints(list(2), 0, 1), ints(list(2), 2, far), absent, ints(list(2), 1, 2)}, wants: []operand{floats(graph.Shape{2, 2}, 2, 4, 6, 8)}},
		{name: "backwards", op: "Slice", inputs: []operand{x, ints(list(1), -1), ints(list(1), -far), ints(list(1), -1), ints(list(1), -1)}, wants: []operand{floats(graph.Shape{2, 4}, 4, 3, 2, 1, 8, 7, 6, 5)}},
		{name: "backwards by three", op: "Slice", inputs: []operand{x, ints(list(1), 3), ints(list(1), -5), ints(list(1), 1), ints(list(1), -3)}, wants: []operand{floats(graph.Shape{2, 2}, 4, 1, 8, 5)}},
		{name: "by a step beyond the axis", op: "Slice", inputs: []operand{x, ints(list(1), 0), ints(list(1), 4), ints(list(1), 1), ints(list(1), far)}, wants: []operand{floats(graph.Shape{2, 1}, 1, 5)}},
		{name: "of nothing", op: "Slice", inputs: []operand{x, ints(list(1), 3), ints(list(1), 1), ints(list(1), 1)}, wants: []operand{floats(graph.Shape{2, 0})}},
	})
}

func TestGatherPicksByIndex(t *testing.T) {
	x := floats(graph.Shape{3, 2}, 1, 2, 3, 4, 5, 6)
	runExamples(t, []example{
		{name: "rows, from the end too", op: "Gather", inputs: []operand{x, ints(list(2), 2, -3)}, wants: []operand{floats(graph.Shape{2, 2}, 5, 6, 1, 2)}},
		{name: "columns", op: "Gather", attrs: graph.Attrs{"axis": int64(1)}, inputs: []operand{x, ints(scalar, 1)}, wants: []operand{floats(list(3), 2, 4, 6)}},
		{
			name: "in each batch", op: "Gather", attrs: graph.Attrs{"axis": int64(1), "batch_dims": int64(1)},
			inputs: []operand{x, ints(graph.Shape{3, 1}, 0, 1, 0)}, wants: []operand{floats(graph.Shape{3, 1}, 1, 4, 5)},
		},
		{name: "nothing", op: "Gather", inputs: []operand{x, ints(list(0))}, wants: []operand{floats(graph.Shape{0, 2})}},
		{
			name: "single elements", op: "GatherElements", attrs: graph.Attrs{"axis": int64(1)},
			inputs: []operand{x, ints(graph.Shape{2, 2}, 1, 1, -2, 0)}, wants: []operand{floats(graph.Shape{2, 2}, 2, 2, 3, 3)},
		},
		{name: "by tuples", op: "GatherND", inputs: []operand{x, ints(graph.Shape{2, 2}, 0, 1, 2, -1)}, wants: []operand{floats(list(2), 2, 6)}},
		{name: "rows by tuples", op: "GatherND", inputs: []operand{x, ints(graph.Shape{1, 1}, 1)}, wants: []operand{floats(graph.Shape{1, 2}, 3, 4)}},
		{name: "by tuples in each batch", op: "GatherND", attrs: graph.Attrs{"batch_dims": int64(1)}, inputs: []operand{x, ints(graph.Shape{3, 1}, 1, 0, 1)}, wants: []operand{floats(list(3), 2, 3, 6)}},
		{name: "by tuples as TFLite does", op: "GatherNd", domain: "tflite", inputs: []operand{x, ints(graph.Shape{1, 1}, 1)}, wants: []operand{floats(graph.Shape{1, 2}, 3, 4)}},
	})
}

func TestScatterChangesByIndex(t *testing.T) {
	x := floats(graph.Shape{2, 2}, 1, 2, 3, 4)
	twice := ints(graph.Shape{2, 1}, 1, 1)
	u := floats(graph.Shape{2, 2}, 10, 20, 30, 0.5)
	reduction := func(name string) graph.Attrs { return graph.Attrs{"reduction": name} }
	runExamples(t, []example{
		{name: "the last update wins", op: "ScatterND", inputs: []operand{x, twice, u}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 30, 0.5)}},
		{name: "adds", op: "ScatterND", attrs: reduction("add"), inputs: []operand{x, twice, u}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 43, 24.5)}},
		{name: "multiplies", op: "ScatterND", attrs: reduction("mul"), inputs: []operand{x, twice, u}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 900, 40)}},
		{name: "takes the greatest", op: "ScatterND", attrs: reduction("max"), inputs: []operand{x, twice, u}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 30, 20)}},
		{name: "takes the least", op: "ScatterND", attrs: reduction("min"), inputs: []operand{x, twice, u}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 3, 0.5)}},
		{name: "changes nothing", op: "ScatterND", inputs: []operand{x, ints(graph.Shape{0, 1}), floats(graph.Shape{0, 2})}, wants: []operand{x}},
		{
			name: "sets single elements", op: "ScatterElements", attrs: graph.Attrs{"axis": int64(1)},
			inputs: []operand{x, ints(graph.Shape{1, 2}, 1, -2), floats(graph.Shape{1, 2}, 7, 8)}, wants: []operand{floats(graph.Shape{2, 2}, 8, 7, 3, 4)},
		},
		{
			name: "adds halves", op: "ScatterElements", attrs: reduction("add"),
			inputs: []operand{{graph.Float16, list(2), []float64{1, 2}}, ints(list(2), 0, 0), {graph.Float16, list(2), []float64{3, 4}}},
			wants:  []operand{{graph.Float16, list(2), []float64{8, 2}}},
		},
		{
			name: "starts from zeros as TFLite does", op: "ScatterNd", domain: "tflite",
			inputs: []operand{twice, u, ints(list(2), 2, 2)}, wants: []operand{floats(graph.Shape{2, 2}, 0, 0, 40, 20.5)},
		},
	})
}

func TestPadAddsAndRemoves(t *testing.T) {
	x := floats(list(3), 1, 2, 3)
	mode := func(name string) graph.Attrs { return graph.Attrs{"mode": name} }
	runExamples(t, []example{
		{name: "zeros", op: "Pad", inputs: []operand{x, ints(list(2), 1, 2)}, wants: []operand{floats(list(6), 0, 1, 2, 3, 0, 0)}},
		{name: "a value", op: "Pad", inputs: []operand{x, ints(list(2), 1, 0), floats(scalar, 9)}, wants: []operand{floats(list(4), 9, 1, 2, 3)}},
		{name: "and removes", op: "Pad", inputs: []operand{x, ints(list(2), -1, 1)}, wants: []operand{floats(list(3), 2, 3, 0)}},
		{name: "beyond what it removes", op: "Pad", inputs: []operand{x, ints(list(2), 5, -4)}, wants: []operand{floats(list(4), 0, 0, 0, 0)}},
		{
			name: "the axes it is told", op: "Pad",
			inputs: []operand{floats(graph.Shape{1, 2}, 1, 2), ints(list(2), 1, 0), absent, ints(list(1), -1)}, wants: []operand{floats(graph.Shape{1, 3}, 0, 1, 2)},
		},
		{name: "the edge", op: "Pad", attrs: mode("edge"), inputs: []operand{x, ints(list(2), 2, 1)}, wants: []operand{floats(list(6), 1, 1, 1, 2, 3, 3)}},
		{name: "the reflection", op: "Pad", attrs: mode("reflect"), inputs: []operand{x, ints(list(2), 3, 3)}, wants: []operand{floats(list(9), 2, 3, 2, 1, 2, 3, 2, 1, 2)}},
		{name: "the reflection of one element", op: "Pad", attrs: mode("reflect"), inputs: []operand{floats(list(1), 4), ints(list(2), 1, 1)}, wants: []operand{floats(list(3), 4, 4, 4)}},
		{name: "the reflection with the edge", op: "Pad", attrs: mode("symmetric"), inputs: []operand{x, ints(list(2), 2, 1)}, wants: []operand{floats(list(6), 2, 1, 1, 2, 3, 3)}},
		{name: "the other end", op: "Pad", attrs: mode("wrap"), inputs: []operand{x, ints(list(2), 2, 4)}, wants: []operand{floats(list(9), 2, 3, 1, 2, 3, 1, 2, 3, 1)}},
		{
			name: "two axes", op: "Pad", attrs: mode("reflect"),
			inputs: []operand{floats(graph.Shape{2, 2}, 1, 2, 3, 4), ints(list(4), 0, 1, 1, 0)}, wants: []operand{floats(graph.Shape{3, 3}, 2, 1, 2, 4, 3, 4, 2, 1, 2)},
		},
		{name: "a scalar by nothing", op: "Pad", attrs: mode("edge"), inputs: []operand{floats(scalar, 5), ints(list(0))}, wants: []operand{floats(scalar, 5)}},
	})
}

func TestChoicesFollowTheirConditions(t *testing.T) {
	x := floats(graph.Shape{3, 3}, 1, 2, 3, 4, 5, 6, 7, 8, 9)
	runExamples(t, []example{
		{
			name: "broadcasts all three", op: "Where",
			inputs: []operand{bools(graph.Shape{2, 1}, 1, 0), floats(list(2), 1, 2), floats(scalar, 9)}, wants: []operand{floats(graph.Shape{2, 2}, 1, 2, 9, 9)},
		},
		{name: "keeps the upper triangle", op: "Trilu", inputs: []operand{x}, wants: []operand{floats(graph.Shape{3, 3}, 1, 2, 3, 0, 5, 6, 0, 0, 9)}},
		{name: "starts above the diagonal", op: "Trilu", inputs: []operand{x, ints(scalar, 2)}, wants: []operand{floats(graph.Shape{3, 3}, 0, 0, 3, 0, 0, 0, 0, 0, 0)}},
		{
			name: "keeps the lower triangle", op: "Trilu", attrs: graph.Attrs{"upper": int64(0)},
			inputs: []operand{x, ints(scalar, -1)}, wants: []operand{floats(graph.Shape{3, 3}, 0, 0, 0, 4, 0, 0, 7, 8, 0)},
		},
		{name: "keeps nothing far away", op: "Trilu", inputs: []operand{x, ints(scalar, 1<<62)}, wants: []operand{floats(graph.Shape{3, 3}, 0, 0, 0, 0, 0, 0, 0, 0, 0)}},
		{name: "keeps elements", op: "Compress", inputs: []operand{x, bools(list(5), 0, 1, 0, 0, 1)}, wants: []operand{floats(list(2), 2, 5)}},
		{
			name: "keeps columns", op: "Compress", attrs: graph.Attrs{"axis": int64(1)},
			inputs: []operand{x, bools(list(2), 0, 1)}, wants: []operand{floats(graph.Shape{3, 1}, 2, 5, 8)},
		},
		{name: "lists indices", op: "NonZero", inputs: []operand{floats(graph.Shape{2, 2}, 1, 0, nan, 3)}, wants: []operand{ints(graph.Shape{2, 3}, 0, 1, 1, 0, 0, 1)}},
		{name: "lists rows of indices", op: "Where", domain: "tflite", inputs: []operand{bools(graph.Shape{2, 2}, 1, 0, 0, 1)}, wants: []operand{ints(graph.Shape{2, 2}, 0, 0, 1, 1)}},
		{
			name: "marks indices on the last axis", op: "OneHot",
			inputs: []operand{ints(list(3), 0, -1, 5), ints(scalar, 2), floats(list(2), 0, 1)}, wants: []operand{floats(graph.Shape{3, 2}, 1, 0, 0, 1, 0, 0)},
		},
		{
			name: "marks indices on the first axis", op: "OneHot", attrs: graph.Attrs{"axis": int64(0)},
			inputs: []operand{ints(list(2), 1, 0), ints(scalar, 2), ints(list(2), 3, 7)}, wants: []operand{ints(graph.Shape{2, 2}, 3, 7, 7, 3)},
		},
	})
}

func TestArraysAreMadeFromLittle(t *testing.T) {
	two := &graph.AttrTensor{DType: graph.Int64, Shape: list(1), Data: graph.Bytes{2, 0, 0, 0, 0, 0, 0, 0}}
	x := floats(graph.Shape{2, 3}, 0, 0, 0, 0, 0, 0)
	runExamples(t, []example{
		{name: "is zero", op: "ConstantOfShape", inputs: []operand{ints(list(2), 1, 2)}, wants: []operand{floats(graph.Shape{1, 2}, 0, 0)}},
		{name: "repeats its value", op: "ConstantOfShape", attrs: graph.Attrs{"value": two}, inputs: []operand{ints(list(1), 3)}, wants: []operand{ints(list(3), 2, 2, 2)}},
		{name: "makes a scalar", op: "ConstantOfShape", inputs: []operand{ints(list(0))}, wants: []operand{floats(scalar, 0)}},
		{name: "counts down", op: "Range", inputs: []operand{ints(scalar, 7), ints(scalar, 1), ints(scalar, -3)}, wants: []operand{ints(list(2), 7, 4)}},
		{name: "counts floats", op: "Range", inputs: []operand{floats(scalar, 1), floats(scalar, 2), floats(scalar, 0.25)}, wants: []operand{floats(list(4), 1, 1.25, 1.5, 1.75)}},
		{name: "counts nothing", op: "Range", inputs: []operand{ints(scalar, 1), ints(scalar, 1), ints(scalar, 1)}, wants: []operand{ints(list(0))}},
		{name: "counts for TFLite", op: "Range", domain: "tflite", inputs: []operand{ints(scalar, 0), ints(scalar, 2), ints(scalar, 1)}, wants: []operand{ints(list(2), 0, 1)}},
		{name: "has a diagonal above", op: "EyeLike", attrs: graph.Attrs{"k": int64(1)}, inputs: []operand{x}, wants: []operand{floats(graph.Shape{2, 3}, 0, 1, 0, 0, 0, 1)}},
		{name: "has a diagonal below", op: "EyeLike", attrs: graph.Attrs{"k": int64(-1)}, inputs: []operand{x}, wants: []operand{{graph.Int8, graph.Shape{2, 3}, []float64{0, 0, 0, 1, 0, 0}}}},
		{name: "lists the axes", op: "Shape", inputs: []operand{x}, wants: []operand{ints(list(2), 2, 3)}},
		{name: "lists some axes", op: "Shape", attrs: graph.Attrs{"start": int64(-1)}, inputs: []operand{x}, wants: []operand{ints(list(1), 3)}},
		{name: "lists no axes", op: "Shape", attrs: graph.Attrs{"start": int64(2), "end": int64(1)}, inputs: []operand{x}, wants: []operand{ints(list(0))}},
		{name: "counts elements", op: "Size", inputs: []operand{x}, wants: []operand{ints(scalar, 6)}},
		{name: "counts axes", op: "Rank", domain: "tflite", inputs: []operand{x}, wants: []operand{{graph.Int32, scalar, []float64{2}}}},
		{name: "is zero of the same type", op: "ZerosLike", domain: "tflite", inputs: []operand{floats(list(2), 3, 4)}, wants: []operand{floats(list(2), 0, 0)}},
	})
}
