package tflite

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/source"
)

// Stored is a model as an interpreter sees it: tensors by number and operators in the order of the file, whatever a graph
// imported from it leaves out.
type Stored struct {
	// Tensors are those of the main subgraph, by number; Others counts those of the further subgraphs.
	Tensors []StoredTensor
	Others  int
	// Operators are in the order in which an interpreter runs them.
	Operators []StoredOperator
	// Inputs and Outputs are numbers of tensors.
	Inputs, Outputs []int32
}

// StoredTensor is a tensor of the file. Name is that of the imported graph; Bytes is -1 when the file does not say it.
type StoredTensor struct {
	Name     string
	Bytes    int64
	Constant bool
	Variable bool
}

// StoredOperator is an operator of the file. Name is that of the imported graph, Kind the operator's in the schema; an
// absent input has the number -1.
type StoredOperator struct {
	Name, Kind      string
	Inputs, Outputs []int32
}

// Read reads the tables of a model that [Import] takes. The cost is O(file's tables).
func Read(f *source.File) (*Stored, diag.Diagnostics) {
	r := newReader(f.Bytes())
	root, problem := open(f, r)
	if problem != nil {
		return nil, diag.Diagnostics{*problem}
	}
	im := &importer{file: f, r: r, m: decode(r, root), g: &graph.Graph{}}
	out := &Stored{Inputs: im.m.inputs, Outputs: im.m.outputs}
	for i, subgraph := range root.children(modelSubgraphs) {
		if i > 0 {
			out.Others += len(subgraph.vector(subgraphTensors, 4)) / 4
		}
	}
	if r.fault == "" && im.checkNumbers() {
		im.nameAll()
	}
	if r.fault != "" {
		im.diags = append(im.diags, damaged(f, r))
	}
	if im.diags.HasErrors() {
		return nil, im.diags
	}
	for i := range im.m.tensors {
		out.Tensors = append(out.Tensors, im.stored(&im.m.tensors[i]))
	}
	for _, c := range im.m.calls {
		out.Operators = append(out.Operators, StoredOperator{Name: c.name, Kind: c.kind.String(), Inputs: c.inputs, Outputs: c.outputs})
	}
	return out, nil
}

func (im *importer) stored(info *tensorInfo) StoredTensor {
	t := StoredTensor{Name: info.name, Bytes: -1, Variable: info.variable, Constant: len(im.bufferBytes(info.buffer)) > 0}
	_, dtype := elementType(info.code)
	if n, ok := shapeOf(info).Bytes(dtype); ok && dtype != graph.InvalidDType {
		t.Bytes = n
	}
	return t
}
