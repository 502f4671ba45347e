package opencl

import (
	"maps"

	"github.com/memplan/memplan/planner/graph"
)

// builder makes the launches of a step. A refusal made by form.Refuse says that the step is not run on this device.
type builder func(*site) ([]launch, error)

// families are the tables of operators, one a file. Each family of kernels adds its line here.
var families = []map[string]builder{
	copyBuilders,
	unaryBuilders,
	convBuilders,
	matmulBuilders,
	poolBuilders,
	binaryBuilders,
	castBuilders,
	moveBuilders,
	padBuilders,
	gatherBuilders,
	scatterBuilders,
	conditionBuilders,
	generateBuilders,
	reduceBuilders,
	orderBuilders,
	softmaxBuilders,
	normalizeBuilders,
	resizeBuilders,
	repackBuilders,
	recurrentBuilders,
}

// builders has the builders of all families by operator. It is never changed.
var builders = collect(families)

func collect(families []map[string]builder) map[string]builder {
	all := map[string]builder{}
	for _, family := range families {
		maps.Copy(all, family)
	}
	return all
}

// lookup returns the builder of an op.
func lookup(op *graph.Op) (builder, bool) {
	if op.Domain == graph.CopyDomain && op.Op == graph.CopyOp {
		return buildCopy, true
	}
	if op.Domain != "" && op.Domain != "tflite" {
		return nil, false
	}
	build, ok := builders[op.Op]
	return build, ok
}
