package shape

import (
	"errors"
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// status says how far inference has come with a tensor.
type status uint8

const (
	// pending: the op that writes the tensor has not been visited.
	pending status = iota
	// ready: shape and element type are final.
	ready
	// broken: a fault has been reported, readers of the tensor stay silent.
	broken
)

// state is one run of inference; every slice is indexed by tensor id.
type state struct {
	g      *graph.Graph
	status []status
	// stated is what the file says of each tensor, open dimensions bound.
	stated []array.Type
	// bounded says that the stated shape holds a bound dimension with Max set.
	bounded []bool
	// tainted says that the known value of a tensor was computed from a shape marked UpperBound.
	tainted []bool
	// stale says that the inferred type differs from the stated one.
	stale []bool
	known map[graph.TensorID]*array.Array
	// constants are the small ones read so far.
	constants map[graph.TensorID]*array.Array
	binder    *binder
	diags     diag.Diagnostics
}

func newState(g *graph.Graph) *state {
	return &state{
		g:         g,
		status:    make([]status, len(g.Tensors)),
		stated:    make([]array.Type, len(g.Tensors)),
		bounded:   make([]bool, len(g.Tensors)),
		tainted:   make([]bool, len(g.Tensors)),
		stale:     make([]bool, len(g.Tensors)),
		known:     map[graph.TensorID]*array.Array{},
		constants: map[graph.TensorID]*array.Array{},
	}
}

func (s *state) report(d diag.Diagnostic) { s.diags = append(s.diags, d) }

// takeStated keeps what the file says of every tensor. Stated shapes that cannot be are reported and forgotten.
func (s *state) takeStated() {
	for i := range s.g.Tensors {
		t := &s.g.Tensors[i]
		s.stated[i].DType = t.DType
		if d, bad := extentFault(t); bad {
			s.report(d)
			s.status[i] = broken
			continue
		}
		s.stated[i].Shape = t.Shape.Clone()
	}
}

func extentFault(t *graph.Tensor) (diag.Diagnostic, bool) {
	if len(t.Shape) > MaxRank {
		return diag.New(diag.TooManyAxes, "%q has %d axes, the most that memplan plans for is %d. Correct its shape in the file.",
			t.Name, len(t.Shape), MaxRank), true
	}
	for axis, n := range t.Shape {
		if n < graph.Unknown || n < 0 && t.Role == graph.Constant {
			return diag.New(diag.NegativeExtent, "Axis %d of %q has %d elements; an extent is 0 or more. Correct the shape in the file.",
				axis, t.Name, n), true
		}
	}
	return diag.Diagnostic{}, false
}

// takeSources settles what has content before any op runs: inputs, constants and state, which ops may write as well.
func (s *state) takeSources() {
	for i, producer := range s.g.Producers() {
		id := graph.TensorID(i)
		t := s.g.Tensor(id)
		if producer >= 0 && t.Role != graph.State || s.status[i] == broken {
			continue
		}
		switch {
		case t.Shape == nil:
			s.fail(id, diag.New(diag.UnknownRank, "The file gives no shape for %q, which has content before any operator runs. Export the model with a shape for it.", t.Name))
		case !t.Shape.Known():
			s.status[i] = broken // bind has reported the open dimension
		default:
			s.settle(id, s.stated[i], t.UpperBound, nil)
		}
		s.checkConstant(id)
	}
}

// checkConstant reports a constant whose content has another size than its type.
func (s *state) checkConstant(id graph.TensorID) {
	t := s.g.Tensor(id)
	if s.status[id] != ready || t.Role != graph.Constant || t.Data == nil {
		return
	}
	if want, _ := t.Shape.Bytes(t.DType); t.Data.Size() != want {
		s.fail(id, diag.New(diag.ConstantSizeMismatch, "Constant %q is %s, which takes %d bytes, but the file stores %d. Export the model again.",
			t.Name, array.Type{DType: t.DType, Shape: t.Shape}, want, t.Data.Size()))
	}
}

func (s *state) fail(id graph.TensorID, d diag.Diagnostic) {
	s.report(d)
	s.status[id] = broken
}

// settle makes the type of a tensor final, unless it cannot be: then it reports that. The writer is nil for a source.
func (s *state) settle(id graph.TensorID, typ array.Type, upperBound bool, writer *node) {
	t := s.g.Tensor(id)
	by := ""
	if writer != nil {
		by = fmt.Sprintf(", which %s writes,", writer)
	}
	if typ.DType.Size() == 0 {
		s.fail(id, diag.New(diag.UnknownElementType, "Nothing tells the element type of %q%s. Export the model with the types of its tensors.", t.Name, strings.TrimSuffix(by, ",")))
		return
	}
	candidate := graph.Tensor{Name: t.Name, Role: t.Role, Shape: typ.Shape}
	if d, bad := extentFault(&candidate); bad {
		s.fail(id, d)
		return
	}
	t.DType, t.Shape, t.UpperBound = typ.DType, typ.Shape, upperBound
	if _, ok := typ.Shape.Bytes(typ.DType); !ok {
		s.fail(id, diag.New(diag.SizeOverflow, "The bytes of %q%s of type %s exceed 2^63-1. Look for a wrong extent in its shape.", t.Name, by, typ))
		return
	}
	s.status[id] = ready
}

// reportError reports an error of a rule: all of them are diagnostics.
func (s *state) reportError(err error) {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		s.report(*d)
	}
}
