package onnx_test

import (
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/stretchr/testify/assert"
)

func batchNorm(opset int64, outputs []string, attrs ...msg) msg {
	return model(opset, input("x", float32Elem, 2, 1), initializer(floats("p", 1)),
		node("BatchNormalization", "bn", list("x", "p", "p", "p", "p"), outputs, attrs...), untyped("y"))
}

func TestBatchNormalizationIsOfInference(t *testing.T) {
	g := mustImport(t, batchNorm(7, list("y", "mean", "var", "m", "v"), attrInt("spatial", 1), attrFloat("epsilon", 0.5)))
	assert.Equal(t, []string{"bn: BatchNormalization(x, p, p, p, p) = y"}, ops(g))
	assert.Equal(t, graph.Attrs{"epsilon": float32(0.5)}, g.Ops[0].Attrs)
	assert.Equal(t, graph.NoTensor, g.ByName("mean"), "results for training are gone")

	mustImport(t, batchNorm(14, list("y"), attrInt("training_mode", 0)))
	mustRefuse(t, batchNorm(14, list("y"), attrInt("training_mode", 1)), "MP0313", `"bn" (BatchNormalization)`)
	mustRefuse(t, join(batchNorm(9, list("y", "mean")), msg{}.sub(7, untyped("mean"))), "MP0313", `"bn"`)
	mustRefuse(t, batchNorm(7, list("y"), attrInt("spatial", 0)), "MP0317", `"bn"`, "spatial = 0")
}

func dropout(opset int64, inputs, outputs []string, more ...msg) msg {
	mode := tensor("no", boolElem).sub(9, msg("\x00"))
	yes := tensor("yes", boolElem).sub(9, msg("\x01"))
	return model(opset, input("x", float32Elem, 2), input("asked", boolElem), initializer(mode), initializer(yes), initializer(floats("ratio", 0.5)),
		node("Dropout", "drop", inputs, outputs, attrInt("seed", 3)), untyped("y"), join(more...))
}

func TestDropoutIsACopyAtInference(t *testing.T) {
	want := []string{"drop: Identity(x) = y"}
	assert.Equal(t, want, ops(mustImport(t, dropout(12, list("x"), list("y")))))
	assert.Equal(t, want, ops(mustImport(t, dropout(13, list("x", "ratio", "no"), list("y")))))
	assert.Equal(t, want, ops(mustImport(t, dropout(13, list("x", "ratio"), list("y", "unread mask")))))

	g := mustImport(t, dropout(13, list("x", "ratio"), list("y", "mask"), untyped("mask")))
	assert.Equal(t, []string{"drop: Dropout(x) = y, mask"}, ops(g))
	assert.Nil(t, g.Ops[0].Attrs)

	mustRefuse(t, dropout(13, list("x", "ratio", "yes"), list("y")), "MP0313", `"drop" (Dropout)`, "training_mode")
	mustRefuse(t, dropout(13, list("x", "ratio", "asked"), list("y")), "MP0313", `"drop"`)
}

func groupNorm(scale msg, channels any, groups int64) msg {
	return model(18, input("x", float32Elem, 1, channels, 3), scale, initializer(floats("bias", 0, 1)),
		node("GroupNormalization", "gn", list("x", "scale", "bias"), list("y"), attrInt("num_groups", groups)), untyped("y"))
}

func TestGroupNormalizationScalesChannelsSince21(t *testing.T) {
	scale := initializer(floats("scale", 3, 4))
	g := mustImport(t, groupNorm(scale, 6, 2))
	gn := opNamed(t, g, "gn")
	assert.Equal(t, []float32{3, 3, 3, 4, 4, 4}, float32s(t, g, gn, 1))
	assert.Equal(t, []float32{0, 0, 0, 1, 1, 1}, float32s(t, g, gn, 2))
	assert.Equal(t, []string{"gn: GroupNormalization(x, scale, bias) = y"}, ops(mustImport(t, groupNorm(scale, 2, 2))), "a group for each channel needs no change")

	mustRefuse(t, groupNorm(scale, "C", 2), "MP0317", `"gn" (GroupNormalization)`)
	mustRefuse(t, groupNorm(scale, 5, 2), "MP0317", "multiple of num_groups, 2")
	mustRefuse(t, groupNorm(input("scale", float32Elem, 2), 6, 2), "MP0317", "scale must be a constant of shape [2]")
}
