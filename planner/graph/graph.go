package graph

// TensorID is the index of a tensor in [Graph].Tensors.
type TensorID int

// NoTensor stands for an optional input that is absent. It differs from a present tensor without elements.
const NoTensor TensorID = -1

// Role says what a tensor is for.
type Role string

// The roles of tensors.
const (
	Input      Role = "input"
	Output     Role = "output"
	Constant   Role = "constant"
	Activation Role = "activation"
	Scratch    Role = "scratch"
	State      Role = "state"
)

// Roles lists the roles in the order of the documentation.
var Roles = []Role{Input, Output, Constant, Activation, Scratch, State}

// Data is the content of a constant. Reading is deferred: planning needs sizes only, and a large model's weights
// stay where they are.
type Data interface {
	// Size returns the bytes that Read will give.
	Size() int64
	// Read returns the dense elements in row-major order, little-endian. The slice may alias a mapped file: it must
	// not be changed. It fails when the content cannot be decoded.
	Read() ([]byte, error)
}

// Tensor is a value of the graph. The name is unique in its graph and is the model's own; an unnamed result is called
// "<op name>:<output index>".
type Tensor struct {
	Name string
	Role Role
	// DType is the element type that memory holds.
	DType DType
	// Computes is the element type that ops compute with where memory holds a narrower one, InvalidDType where it is the
	// same.
	Computes DType
	// Shape is outermost axis first.
	Shape Shape
	// Symbols names the axes that the model left open, "" for the fixed ones; nil when it left none open.
	Symbols []string
	// Layout is the meaning of the axes, as in "NCHW" or "NHWC"; "" when unknown.
	Layout string
	// Scope is the memory scope that the source asks for, such as "global.texture"; "" when it asks for none.
	Scope string
	// Data is the content of a constant, nil for every other role.
	Data Data
	// UpperBound marks a shape that was computed from the bound of a dynamic dimension.
	UpperBound bool
	// Given is the lifetime and placement wish that came with the source (interval files); nil for real graphs.
	Given *Given
}

// ComputeDType is the element type that ops compute with.
func (t *Tensor) ComputeDType() DType {
	if t.Computes != InvalidDType {
		return t.Computes
	}
	return t.DType
}

// Given is what an interval file says of a buffer.
type Given struct {
	// First and Last are the half-open lifetime [First, Last), in the file's own time.
	First, Last int64
	// Alignment of the offset in bytes, 0 when the file gave none.
	Alignment int64
	// Pool names the pool the file asks for, "" when it gave none.
	Pool string
}

// ScratchBuffer is memory that an op needs only while it runs.
type ScratchBuffer struct {
	Name string
	// Bytes is the size.
	Bytes int64
}

// Op is one operator. Ops of a graph stand in a valid execution order.
type Op struct {
	Name string
	// Op is the operator's ONNX name, such as "Conv"; custom operators keep their own.
	Op string
	// Domain is the operator set, "" for ONNX's own.
	Domain string
	// Inputs may hold NoTensor for absent optional ones.
	Inputs  []TensorID
	Outputs []TensorID
	Attrs   Attrs
	// Fused lists the ops that run as one, in order, the first equal to Op; nil when nothing is fused. The attributes
	// of the later ones carry their name as a prefix, as in "Clip.min".
	Fused   []string
	Scratch []ScratchBuffer
}

// Graph is a network in a valid execution order.
type Graph struct {
	Name string
	// Format is the source's: "onnx", "tflite", "tvm", "json", "intervals".
	Format string
	// Digest is "sha256:" and the hex digest of the source file.
	Digest  string
	Tensors []Tensor
	Ops     []Op
	// Inputs and Outputs are the graph's, in the model's order. A tensor may be both.
	Inputs, Outputs []TensorID
}

// Tensor returns the tensor with the id, nil for NoTensor.
func (g *Graph) Tensor(id TensorID) *Tensor {
	if id < 0 || int(id) >= len(g.Tensors) {
		return nil
	}
	return &g.Tensors[id]
}

// ByName returns the id of the named tensor, NoTensor when there is none. It costs O(tensors): build an index for
// repeated look-ups.
func (g *Graph) ByName(name string) TensorID {
	for i := range g.Tensors {
		if g.Tensors[i].Name == name {
			return TensorID(i)
		}
	}
	return NoTensor
}

// Producers returns for each tensor the index of the op that writes it, -1 for inputs and constants.
func (g *Graph) Producers() []int {
	by := make([]int, len(g.Tensors))
	for i := range by {
		by[i] = -1
	}
	for i := range g.Ops {
		for _, out := range g.Ops[i].Outputs {
			if out >= 0 {
				by[out] = i
			}
		}
	}
	return by
}
