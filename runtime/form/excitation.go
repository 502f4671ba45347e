package form

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// Excitation is a squeeze-and-excitation block: x times a factor for each channel, which layers compute one after the other of
// the channels' means.
type Excitation struct{ Layers []Layer }

// Layer is a matrix product of a vector, and what follows it.
type Layer struct {
	// Weights and Bias are positions of operands; the bias may be absent.
	Weights, Bias int
	// Activation is nil for none.
	Activation *graph.Op
}

// ExcitationOf reads a block from what is fused to the mean over all pixels: convolutions with an activation each, and a
// product with the first operand at last. It is nil for an op that is no block.
//
// operands is how many operands the step has.
func ExcitationOf(op *graph.Op, operands int) (*Excitation, error) {
	if op.Op != "GlobalAveragePool" || !slices.Contains(op.Fused, "Conv") {
		return nil, nil
	}
	e := &Excitation{}
	for i, name := range op.Fused[1:] {
		last := len(e.Layers) - 1
		switch {
		case name == "Conv":
			e.Layers = append(e.Layers, Layer{Weights: 1 + 2*len(e.Layers), Bias: 2 + 2*len(e.Layers)})
		case name == "Mul" && i+2 == len(op.Fused) && operands == 2+2*len(e.Layers):
			return e, nil
		case last < 0 || e.Layers[last].Activation != nil:
			return nil, Refuse("%v is no squeeze-and-excitation block", op.Fused)
		default:
			e.Layers[last].Activation = &graph.Op{Name: op.Name, Op: name, Domain: op.Domain, Attrs: OwnAttrs(op.Attrs, name+".")}
		}
	}
	return nil, Refuse("%v on %d operands is no squeeze-and-excitation block", op.Fused, operands)
}

// OwnAttrs returns the attributes whose names start with the prefix, without it: those of a fused op.
func OwnAttrs(attrs graph.Attrs, prefix string) graph.Attrs {
	own := graph.Attrs{}
	for _, name := range attrs.Names() {
		if rest, ok := strings.CutPrefix(name, prefix); ok {
			own[rest] = attrs[name]
		}
	}
	return own
}
