package scope

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/planner/graph"
)

// Variant is one form of the kernels of some ops: which scopes it takes each operand in. An op can run when some variant
// that lists it takes the scope of each of its operands. Every op has one more variant that takes everything flat.
type Variant struct {
	// Op lists the types of ops, by the names that rules use; "*" is all of them. Ops of a domain that is neither ONNX's
	// nor TVM's have it in front, as in "com.microsoft.FusedConv".
	Op []string
	// Scopes lists scopes by operand; an operand that is absent is flat.
	Scopes map[string][]string
	// Packed limits the variant to ops that TVM has texture kernels for: those of which the operands are stored in texels
	// already and the layouts are the ones its kernels read.
	Packed bool
	// Range is where the variant was written, nil for one that is built in.
	Range *hcl.Range
}

// words is a set of the words of a text.
func words(text string) map[string]bool {
	out := map[string]bool{}
	for _, word := range strings.Fields(text) {
		out[word] = true
	}
	return out
}

// imageOps are the ops that the OpenCL device has image kernels for.
const imageOps = `Conv ConvTranspose BatchNormalization MaxPool AveragePool GlobalAveragePool GlobalMaxPool Resize Pad Concat
	Add Sub Mul Div Max Min Pow Relu Clip Sigmoid HardSigmoid HardSwish LeakyRelu PRelu Tanh Elu Swish Gelu Mish Exp Log Sqrt Neg Abs Identity`

// DefaultVariants is what the kernels of the OpenCL device do, in order of preference:
//
//   - for each texture scope, data and output are in it, weights in it, in global.texture-weight or flat, all else flat;
//   - a convolution also writes images from flat data, as the first of a network must: an image of colours has no texels;
//   - where operands are stored in texels already, every operand may be in any scope, as TVM compiles kernels for the
//     scopes it finds;
//   - a Copy takes anything anywhere.
func DefaultVariants() []Variant {
	var out []Variant
	for l := flat + 1; l < labels; l++ {
		out = append(out, Variant{Op: strings.Fields(imageOps), Scopes: map[string][]string{
			"output": {l.String()}, "data": {l.String()}, "weight": weightScopes(l),
		}})
	}
	for l := flat + 1; l < labels; l++ {
		out = append(out, Variant{Op: []string{"Conv", "ConvTranspose"}, Scopes: map[string][]string{"output": {l.String()}, "weight": weightScopes(l)}})
	}
	everything := map[string][]string{}
	for _, operand := range Operands() {
		everything[operand] = Names()
	}
	return append(out,
		Variant{Op: []string{"*"}, Scopes: everything, Packed: true},
		Variant{Op: []string{graph.CopyOp}, Scopes: map[string][]string{"output": Names(), "data": Names()}})
}

func weightScopes(l label) []string {
	scopes := []string{Global, TextureWeight}
	if !slices.Contains(scopes, l.String()) {
		scopes = append(scopes, l.String())
	}
	return scopes
}

// kernel is a variant made ready: the set of scopes of each operand.
type kernel struct {
	packed  bool
	accepts map[string]set
}

// kernels finds the variants of ops by type.
type kernels struct {
	list []kernel
	// by lists the variants by type of op, in order; "*" has those for all.
	by map[string][]int
}

// kernelsOf makes variants ready. Scopes that do not exist are left out: they were reported.
func kernelsOf(variants []Variant) *kernels {
	out := &kernels{by: map[string][]int{}}
	for i := range variants {
		v := &variants[i]
		k := kernel{packed: v.Packed, accepts: map[string]set{}}
		for operand, scopes := range v.Scopes {
			for _, name := range scopes {
				if canonical, ok := Canonical(name); ok {
					l, _ := labelOf(canonical)
					k.accepts[operand] |= one(l)
				}
			}
		}
		out.list = append(out.list, k)
		for _, op := range v.Op {
			if list := out.by[op]; len(list) == 0 || list[len(list)-1] != i {
				out.by[op] = append(list, i)
			}
		}
	}
	return out
}

// of lists the variants of an op in order. A block of several ops as one has none: kernels compute it on flat memory.
func (k *kernels) of(op *graph.Op) []int {
	if op.IsBlock() {
		return nil
	}
	name := op.Op
	if !isKnownDomain(op.Domain) {
		name = op.Domain + "." + op.Op
	}
	out := append(slices.Clone(k.by[name]), k.by["*"]...)
	slices.Sort(out)
	return slices.Compact(out)
}

func isKnownDomain(domain string) bool {
	return domain == "" || domain == "ai.onnx" || domain == "tvm" || domain == graph.CopyDomain
}

// takes returns the scopes of an operand.
func (k *kernel) takes(operand string) set {
	if s := k.accepts[operand]; s != 0 {
		return s
	}
	return onlyFlat
}
