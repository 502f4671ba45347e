package shape_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestReshapes(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "takes the shape as given", op: "Reshape", in: []operand{data(2, 3, 4), ints(4, 6)}, want: []string{"float32 [4, 6]"}},
		{name: "copies extents and finds the open one", op: "Reshape", in: []operand{data(2, 3, 4), ints(0, -1)}, want: []string{"float32 [2, 12]"}},
		{name: "makes a scalar", op: "Reshape", in: []operand{data(1, 1), ints()}, want: []string{"float32 []"}},
		{name: "keeps the meaning of an empty input", op: "Reshape", in: []operand{data(0, 4, 5), ints(0, -1)}, want: []string{"float32 [0, 20]"}},
		{name: "takes 0 as 0 with allowzero", op: "Reshape", in: []operand{data(0, 4), ints(4, 0)}, attrs: graph.Attrs{"allowzero": int64(1)}, want: []string{"float32 [4, 0]"}},
		{name: "says that elements would be lost", op: "Reshape", in: []operand{data(2, 3), ints(2, 2)}, id: "MP0423", says: []string{`"in0" [2, 3]`, "6 elements", "[2 2]"}},
		{name: "says that no extent fits", op: "Reshape", in: []operand{data(2, 3), ints(4, -1)}, id: "MP0423"},
		{name: "does not divide by zero", op: "Reshape", in: []operand{data(0, 4), ints(-1, 0)}, attrs: graph.Attrs{"allowzero": int64(1)}, id: "MP0423"},
		{name: "refuses two open extents", op: "Reshape", in: []operand{data(2, 3), ints(-1, -1)}, id: "MP0424"},
		{name: "refuses negative extents", op: "Reshape", in: []operand{data(2, 3), ints(-2, -3)}, id: "MP0424"},
		{name: "refuses to copy an axis that is not there", op: "Reshape", in: []operand{data(2, 3), ints(2, 3, 0)}, id: "MP0413", says: []string{"axis 2"}},
		{name: "does not wrap around", op: "Reshape", in: []operand{data(2, 3), ints(1<<62, 1<<62, -1)}, id: "MP0423"},
		{name: "needs a vector", op: "Reshape", in: []operand{data(2, 3), number(6)}, id: "MP0414"},
		{name: "needs integers", op: "Reshape", in: []operand{data(6), reals(2, 3)}, id: "MP0417"},

		{name: "cuts at the axis", op: "Flatten", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"axis": int64(2)}, want: []string{"float32 [6, 4]"}},
		{name: "cuts after the last axis", op: "Flatten", in: []operand{data(2, 3)}, attrs: graph.Attrs{"axis": int64(2)}, want: []string{"float32 [6, 1]"}},
		{name: "counts from the end", op: "Flatten", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"axis": int64(-1)}, want: []string{"float32 [6, 4]"}},
		{name: "needs an axis of its input", op: "Flatten", in: []operand{data(2, 3)}, attrs: graph.Attrs{"axis": int64(3)}, id: "MP0413"},

		{name: "drops the axes given", op: "Squeeze", in: []operand{data(1, 3, 1), ints(-1)}, want: []string{"float32 [1, 3]"}},
		{name: "drops all axes of 1", op: "Squeeze", in: []operand{data(1, 3, 1)}, want: []string{"float32 [3]"}},
		{name: "refuses an axis that is longer", op: "Squeeze", in: []operand{data(1, 3), ints(1)}, id: "MP0415", says: []string{"3 elements on axis 1"}},
		{name: "adds axes of the output", op: "Unsqueeze", in: []operand{data(3), ints(-1, 0)}, want: []string{"float32 [1, 3, 1]"}},
		{name: "refuses an axis twice", op: "Unsqueeze", in: []operand{data(3), ints(0, -3)}, id: "MP0413", says: []string{"twice"}},
		{name: "refuses too many axes", op: "Unsqueeze", in: []operand{data(3), ints(make([]int64, 40)...)}, id: "MP0406"},
		{name: "broadcasts both ways", op: "Expand", in: []operand{data(3, 1), ints(2, 1, 6)}, want: []string{"float32 [2, 3, 6]"}},
		{name: "says what does not broadcast", op: "Expand", in: []operand{data(3), ints(2)}, id: "MP0416"},
		{name: "refuses negative extents", op: "Expand", in: []operand{data(3), ints(-1)}, id: "MP0424"},
	})
}

func TestMovements(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "permutes", op: "Transpose", in: []operand{data(2, 3, 4)}, attrs: graph.Attrs{"perm": list(2, 0, 1)}, want: []string{"float32 [4, 2, 3]"}},
		{name: "reverses by default", op: "Transpose", in: []operand{data(2, 3, 4)}, want: []string{"float32 [4, 3, 2]"}},
		{name: "keeps a scalar", op: "Transpose", in: []operand{data()}, want: []string{"float32 []"}},
		{name: "refuses an axis twice", op: "Transpose", in: []operand{data(2, 3)}, attrs: graph.Attrs{"perm": list(0, 0)}, id: "MP0413"},
		{name: "needs all axes", op: "Transpose", in: []operand{data(2, 3)}, attrs: graph.Attrs{"perm": list(0)}, id: "MP0412"},

		{name: "adds up one axis", op: "Concat", in: []operand{data(2, 3), data(2, 0), data(2, 4)}, attrs: graph.Attrs{"axis": int64(-1)}, want: []string{"float32 [2, 7]"}},
		{name: "says which extents differ", op: "Concat", in: []operand{data(2, 3), data(4, 3)}, attrs: graph.Attrs{"axis": int64(1)}, id: "MP0415", says: []string{`"in1" [4, 3]`, "axis 0", `"in0" [2, 3]`}},
		{name: "refuses other ranks", op: "Concat", in: []operand{data(2, 3), data(2)}, attrs: graph.Attrs{"axis": int64(1)}, id: "MP0414"},
		{name: "refuses other types", op: "Concat", in: []operand{data(2, 3), typed(graph.Int8, 2, 3)}, attrs: graph.Attrs{"axis": int64(1)}, id: "MP0417"},
		{name: "needs an axis", op: "Concat", in: []operand{data(2, 3)}, id: "MP0412"},
		{name: "does not wrap around", op: "Concat", in: []operand{data(most, 0), data(most, 0)}, attrs: graph.Attrs{"axis": int64(0)}, id: "MP0425"},

		{name: "cuts as its sizes say", op: "Split", in: []operand{data(2, 6), ints(1, 2, 3)}, attrs: graph.Attrs{"axis": int64(1)}, want: []string{"float32 [2, 1]", "float32 [2, 2]", "float32 [2, 3]"}},
		{name: "cuts into equal parts", op: "Split", in: []operand{data(6)}, want: []string{"float32 [3]", "float32 [3]"}},
		{name: "makes the last part smaller with num_outputs", op: "Split", in: []operand{data(7)}, attrs: graph.Attrs{"num_outputs": int64(3)}, want: []string{"float32 [3]", "float32 [3]", "float32 [1]"}},
		{name: "cuts no elements into none", op: "Split", in: []operand{data(0), ints(0, 0)}, want: []string{"float32 [0]", "float32 [0]"}},
		{name: "refuses unequal parts without num_outputs", op: "Split", in: []operand{data(7)}, outputs: 2, id: "MP0424"},
		{name: "refuses sizes that do not add up", op: "Split", in: []operand{data(7), ints(3, 3)}, outputs: 2, id: "MP0424", says: []string{"7 elements", "[3 3]"}},
		{name: "refuses negative sizes", op: "Split", in: []operand{data(7), ints(-1, 8)}, outputs: 2, id: "MP0424"},
		{name: "needs an output for each size", op: "Split", in: []operand{data(7), ints(3, 4)}, outputs: 3, id: "MP0410"},
		{name: "needs an output for each part", op: "Split", in: []operand{data(7)}, attrs: graph.Attrs{"num_outputs": int64(0)}, id: "MP0410"},

		{name: "multiplies extents", op: "Tile", in: []operand{data(2, 3), ints(2, 0)}, want: []string{"float32 [4, 0]"}},
		{name: "needs a repeat for each axis", op: "Tile", in: []operand{data(2, 3), ints(2)}, id: "MP0415"},
		{name: "does not wrap around", op: "Tile", in: []operand{data(2, 3), ints(1, most)}, id: "MP0425", says: []string{"axis 1"}},

		{name: "adds before and after", op: "Pad", in: []operand{data(2, 3), ints(1, 2, 3, 4)}, want: []string{"float32 [6, 9]"}},
		{name: "pads the axes given", op: "Pad", in: []operand{data(2, 3), ints(2, 4), nil, ints(-1)}, want: []string{"float32 [2, 9]"}},
		{name: "crops by negative padding", op: "Pad", in: []operand{data(2, 3), ints(0, -1, -2, 0)}, want: []string{"float32 [0, 2]"}},
		{name: "refuses to crop more than there is", op: "Pad", in: []operand{data(2, 3), ints(-1, 0, -2, 0)}, id: "MP0424", says: []string{"axis 0", "2 elements", "-1 + -2"}},
		{name: "needs two values for each axis", op: "Pad", in: []operand{data(2, 3), ints(1, 2)}, id: "MP0424"},
		{name: "does not wrap around", op: "Pad", in: []operand{data(2), ints(most, most)}, id: "MP0425"},
		{name: "does not wrap around downwards", op: "Pad", in: []operand{data(0), ints(least, least)}, id: "MP0425"},

		{name: "moves channels to space", op: "DepthToSpace", in: []operand{data(1, 8, 2, 3)}, attrs: graph.Attrs{"blocksize": int64(2)}, want: []string{"float32 [1, 2, 4, 6]"}},
		{name: "reads channels last", op: "DepthToSpace", in: []operand{data(1, 2, 3, 8)}, attrs: graph.Attrs{"blocksize": int64(2), graph.AttrDataLayout: "NHWC"}, want: []string{"float32 [1, 4, 6, 2]"}},
		{name: "refuses channels that are no blocks", op: "DepthToSpace", in: []operand{data(1, 6, 2, 3)}, attrs: graph.Attrs{"blocksize": int64(2)}, id: "MP0415", says: []string{"axis 1", "6 elements"}},
		{name: "does not wrap around", op: "DepthToSpace", in: []operand{data(1, 6, 2, 3)}, attrs: graph.Attrs{"blocksize": int64(most)}, id: "MP0425"},
		{name: "moves space to channels", op: "SpaceToDepth", in: []operand{data(1, 2, 4, 6)}, attrs: graph.Attrs{"blocksize": int64(2)}, want: []string{"float32 [1, 8, 2, 3]"}},
		{name: "refuses space that is no blocks", op: "SpaceToDepth", in: []operand{data(1, 2, 4, 5)}, attrs: graph.Attrs{"blocksize": int64(2)}, id: "MP0415"},
		{name: "needs a blocksize", op: "SpaceToDepth", in: []operand{data(1, 2, 4, 5)}, id: "MP0412"},
	})
}

func TestSlices(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "takes a range", op: "Slice", in: []operand{data(10, 5), ints(2), ints(7)}, want: []string{"float32 [5, 5]"}},
		{name: "counts bounds from the end", op: "Slice", in: []operand{data(10), ints(-3), ints(-1)}, want: []string{"float32 [2]"}},
		{name: "clamps bounds", op: "Slice", in: []operand{data(10), ints(-100), ints(most)}, want: []string{"float32 [10]"}},
		{name: "steps", op: "Slice", in: []operand{data(10), ints(1), ints(10), ints(0), ints(4)}, want: []string{"float32 [3]"}},
		{name: "steps backwards", op: "Slice", in: []operand{data(10), ints(-1), ints(least), ints(0), ints(-1)}, want: []string{"float32 [10]"}},
		{name: "steps backwards from beyond the end", op: "Slice", in: []operand{data(10), ints(most), ints(2), ints(0), ints(-3)}, want: []string{"float32 [3]"}},
		{name: "steps by the most negative integer", op: "Slice", in: []operand{data(10), ints(9), ints(least), ints(0), ints(least)}, want: []string{"float32 [1]"}},
		{name: "is empty when the end comes first", op: "Slice", in: []operand{data(10), ints(7), ints(2)}, want: []string{"float32 [0]"}},
		{name: "keeps no elements", op: "Slice", in: []operand{data(0), ints(0), ints(1), ints(0), ints(-1)}, want: []string{"float32 [0]"}},
		{name: "takes the axes given", op: "Slice", in: []operand{data(10, 5, 4), ints(0, 1), ints(2, 2), ints(2, -2)}, want: []string{"float32 [10, 1, 2]"}},
		{name: "refuses a step of 0", op: "Slice", in: []operand{data(10), ints(0), ints(1), ints(0), ints(0)}, id: "MP0424"},
		{name: "refuses ends of another number", op: "Slice", in: []operand{data(10), ints(0), ints(1, 2)}, id: "MP0424"},
		{name: "refuses more starts than axes", op: "Slice", in: []operand{data(10), ints(0, 0), ints(1, 1)}, id: "MP0413"},
		{name: "refuses an axis that is not there", op: "Slice", in: []operand{data(10), ints(0), ints(1), ints(1)}, id: "MP0413"},
	})
}

func TestGathers(t *testing.T) {
	indices := func(extents ...int64) operand { return typed(graph.Int64, extents...) }
	runOpCases(t, []opCase{
		{name: "replaces an axis", op: "Gather", in: []operand{data(2, 3, 4), indices(5, 6)}, attrs: graph.Attrs{"axis": int64(1)}, want: []string{"float32 [2, 5, 6, 4]"}},
		{name: "drops an axis by a scalar", op: "Gather", in: []operand{data(2, 3), indices()}, want: []string{"float32 [3]"}},
		{name: "refuses a scalar", op: "Gather", in: []operand{data(), indices(2)}, id: "MP0413"},
		{name: "needs integer indices", op: "Gather", in: []operand{data(2), data(2)}, id: "MP0417"},
		{name: "has the shape of its indices", op: "GatherElements", in: []operand{data(2, 3), indices(2, 7)}, attrs: graph.Attrs{"axis": int64(1)}, want: []string{"float32 [2, 7]"}},
		{name: "refuses indices longer than the data", op: "GatherElements", in: []operand{data(2, 3), indices(3, 7)}, attrs: graph.Attrs{"axis": int64(1)}, id: "MP0415", says: []string{"axis 0"}},
		{name: "refuses indices of another rank", op: "GatherElements", in: []operand{data(2, 3), indices(2)}, id: "MP0414"},
		{name: "picks by tuples", op: "GatherND", in: []operand{data(2, 3, 4), indices(5, 2)}, want: []string{"float32 [5, 4]"}},
		{name: "picks in batches", op: "GatherND", in: []operand{data(2, 3, 4), indices(2, 1)}, attrs: graph.Attrs{"batch_dims": int64(1)}, want: []string{"float32 [2, 4]"}},
		{name: "refuses tuples longer than the rank", op: "GatherND", in: []operand{data(2, 3), indices(5, 3)}, id: "MP0415"},
		{name: "refuses other batches", op: "GatherND", in: []operand{data(2, 3, 4), indices(3, 1)}, attrs: graph.Attrs{"batch_dims": int64(1)}, id: "MP0415"},
		{name: "refuses more batch axes than there are", op: "GatherND", in: []operand{data(2, 3, 4), indices(3, 1)}, attrs: graph.Attrs{"batch_dims": int64(2)}, id: "MP0412"},
		{name: "refuses negative batch axes", op: "GatherND", in: []operand{data(2, 3, 4), indices(3, 1)}, attrs: graph.Attrs{"batch_dims": int64(-1)}, id: "MP0412"},
		{name: "keeps the data's type", op: "ScatterElements", in: []operand{data(2, 3), indices(1, 2), data(1, 2)}, want: []string{"float32 [2, 3]"}},
		{name: "needs updates like its indices", op: "ScatterElements", in: []operand{data(2, 3), indices(1, 2), data(2, 2)}, id: "MP0415"},
		{name: "keeps the data's type", op: "ScatterND", in: []operand{data(2, 3, 4), indices(5, 2), data(5, 4)}, want: []string{"float32 [2, 3, 4]"}},
		{name: "needs updates as its indices ask for", op: "ScatterND", in: []operand{data(2, 3, 4), indices(5, 2), data(5, 3)}, id: "MP0415", says: []string{"[5, 4]"}},
		{name: "adds an axis", op: "OneHot", in: []operand{indices(2, 3), number(5), reals(0, 1)}, attrs: graph.Attrs{"axis": int64(1)}, want: []string{"float32 [2, 5, 3]"}},
		{name: "refuses a negative depth", op: "OneHot", in: []operand{indices(2), number(-5), reals(0, 1)}, id: "MP0424"},
		{name: "needs a value for off and on", op: "OneHot", in: []operand{indices(2), number(5), reals(1)}, id: "MP0415"},
		{name: "needs one depth", op: "OneHot", in: []operand{indices(2), ints(5, 6), reals(0, 1)}, id: "MP0424", says: []string{"one number"}},
	})
}
