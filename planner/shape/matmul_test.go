package shape_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
)

func TestMatrixProducts(t *testing.T) {
	runOpCases(t, []opCase{
		{name: "multiplies matrices", op: "MatMul", in: []operand{data(2, 3), data(3, 4)}, want: []string{"float32 [2, 4]"}},
		{name: "broadcasts batches", op: "MatMul", in: []operand{data(5, 1, 2, 3), data(7, 3, 4)}, want: []string{"float32 [5, 7, 2, 4]"}},
		{name: "takes a vector on the left as a row", op: "MatMul", in: []operand{data(3), data(5, 3, 4)}, want: []string{"float32 [5, 4]"}},
		{name: "takes a vector on the right as a column", op: "MatMul", in: []operand{data(5, 2, 3), data(3)}, want: []string{"float32 [5, 2]"}},
		{name: "makes a scalar of two vectors", op: "MatMul", in: []operand{data(3), data(3)}, want: []string{"float32 []"}},
		{name: "sums over nothing", op: "MatMul", in: []operand{data(2, 0), data(0, 4)}, want: []string{"float32 [2, 4]"}},
		{name: "says which extents differ", op: "MatMul", in: []operand{data(2, 3), data(4, 5)}, id: "MP0415", says: []string{"3 elements on axis 1", "4 on axis 0"}},
		{name: "says which batches differ", op: "MatMul", in: []operand{data(2, 2, 3), data(4, 3, 5)}, id: "MP0416", says: []string{"batch axis 0"}},
		{name: "refuses a scalar", op: "MatMul", in: []operand{data(), data(3)}, id: "MP0414"},
		{name: "accumulates in int32", op: "MatMulInteger", in: []operand{typed(graph.Uint8, 2, 3), typed(graph.Int8, 3, 4)}, want: []string{"int32 [2, 4]"}},
		{name: "takes the type of the output's zero point", op: "QLinearMatMul",
			in:   []operand{typed(graph.Uint8, 2, 2, 4), data(1), typed(graph.Uint8, 1), typed(graph.Uint8, 2, 4, 3), data(1), typed(graph.Uint8, 1), data(1), typed(graph.Uint8, 1)},
			want: []string{"uint8 [2, 2, 3]"}},

		{name: "transposes both", op: "Gemm", in: []operand{data(3, 2), data(4, 3), data(4)}, attrs: graph.Attrs{"transA": int64(1), "transB": int64(1)}, want: []string{"float32 [2, 4]"}},
		{name: "says which extents differ", op: "Gemm", in: []operand{data(2, 3), data(3, 4)}, attrs: graph.Attrs{"transB": int64(1)}, id: "MP0415", says: []string{"3 elements on axis 1", "4 on axis 1"}},
		{name: "says that the addend does not fit", op: "Gemm", in: []operand{data(2, 3), data(3, 4), data(5)}, id: "MP0416", says: []string{"[2, 4]"}},
		{name: "needs matrices", op: "Gemm", in: []operand{data(2, 3, 1), data(3, 4)}, id: "MP0414"},
		{name: "drops the matrix", op: "Det", in: []operand{data(2, 3, 3)}, want: []string{"float32 [2]"}},
		{name: "needs a square matrix", op: "Det", in: []operand{data(2, 3)}, id: "MP0415"},
	})
}

func TestEinsum(t *testing.T) {
	einsum := func(equation string) graph.Attrs { return graph.Attrs{"equation": equation} }
	runOpCases(t, []opCase{
		{name: "multiplies matrices", op: "Einsum", attrs: einsum("ij,jk->ik"), in: []operand{data(2, 3), data(3, 4)}, want: []string{"float32 [2, 4]"}},
		{name: "orders an implicit output by name", op: "Einsum", attrs: einsum("kj, ji"), in: []operand{data(2, 3), data(3, 4)}, want: []string{"float32 [4, 2]"}},
		{name: "broadcasts under ellipses", op: "Einsum", attrs: einsum("...ij,...jk->...ik"), in: []operand{data(5, 1, 2, 3), data(7, 3, 4)}, want: []string{"float32 [5, 7, 2, 4]"}},
		{name: "keeps the ellipsis of an implicit output", op: "Einsum", attrs: einsum("...ii"), in: []operand{data(5, 3, 3)}, want: []string{"float32 [5]"}},
		{name: "sums to a scalar", op: "Einsum", attrs: einsum("i,i->"), in: []operand{data(3), data(3)}, want: []string{"float32 []"}},
		{name: "says which extents differ", op: "Einsum", attrs: einsum("ij,jk->ik"), in: []operand{data(2, 3), data(4, 5)}, id: "MP0415", says: []string{`"j"`, "4", "3"}},
		{name: "says that ellipses do not broadcast", op: "Einsum", attrs: einsum("...i,...i"), in: []operand{data(2, 3), data(4, 3)}, id: "MP0416"},
		{name: "needs a term for each input", op: "Einsum", attrs: einsum("ij->ij"), in: []operand{data(2, 3), data(4, 5)}, id: "MP0412", says: []string{"1 terms for 2 inputs"}},
		{name: "needs a name for each axis", op: "Einsum", attrs: einsum("i,i"), in: []operand{data(2, 3), data(3)}, id: "MP0414"},
		{name: "refuses more names than axes", op: "Einsum", attrs: einsum("ij...k->i"), in: []operand{data(2, 3)}, id: "MP0414"},
		{name: "refuses other characters", op: "Einsum", attrs: einsum("i.j->i"), in: []operand{data(2, 3)}, id: "MP0412"},
		{name: "refuses an output axis without input", op: "Einsum", attrs: einsum("ij->ik"), in: []operand{data(2, 3)}, id: "MP0412", says: []string{`"k"`}},
		{name: "refuses an output axis twice", op: "Einsum", attrs: einsum("ij->ii"), in: []operand{data(2, 3)}, id: "MP0412"},
		{name: "needs an equation", op: "Einsum", in: []operand{data(2, 3)}, id: "MP0414"},
	})
}

func TestRecurrentOps(t *testing.T) {
	lstm := []operand{data(7, 2, 3), weights(1, 20, 3), weights(1, 20, 5)}
	runOpCases(t, []opCase{
		{name: "writes all states and the last", op: "LSTM", in: lstm, attrs: graph.Attrs{"hidden_size": int64(5)}, want: []string{"float32 [7, 1, 2, 5]", "float32 [1, 2, 5]", "float32 [1, 2, 5]"}},
		{name: "takes the batch first", op: "LSTM", in: []operand{data(2, 7, 3), lstm[1], lstm[2]}, attrs: graph.Attrs{"hidden_size": int64(5), "layout": int64(1)}, want: []string{"float32 [2, 7, 1, 5]", "float32 [2, 1, 5]", "float32 [2, 1, 5]"}},
		{name: "has two directions", op: "GRU", in: []operand{data(7, 2, 3), weights(2, 15, 3), weights(2, 15, 5)}, attrs: graph.Attrs{"direction": "bidirectional"}, want: []string{"float32 [7, 2, 2, 5]", "float32 [2, 2, 5]"}},
		{name: "has one gate", op: "RNN", in: []operand{data(7, 2, 3), weights(1, 5, 3), weights(1, 5, 5)}, want: []string{"float32 [7, 1, 2, 5]", "float32 [1, 2, 5]"}},
		{name: "checks the rows of the weights", op: "GRU", in: lstm, id: "MP0415", says: []string{"20 elements on axis 1", "15"}},
		{name: "checks the input size", op: "LSTM", in: []operand{data(7, 2, 4), lstm[1], lstm[2]}, id: "MP0415"},
		{name: "refuses an unknown direction", op: "LSTM", in: lstm, attrs: graph.Attrs{"direction": "up"}, id: "MP0412"},
		{name: "does not wrap around with a huge hidden size", op: "LSTM", in: lstm, attrs: graph.Attrs{"hidden_size": int64(most)}, id: "MP0425"},
	})
}
