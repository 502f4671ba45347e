package onnx_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

func TestConvolutionsAndPoolingsFixTheLayout(t *testing.T) {
	weight := func(name string, dims ...int64) msg {
		size := int64(4)
		for _, d := range dims {
			size *= d
		}
		return initializer(tensor(name, float32Elem, dims...).sub(9, make(msg, size)))
	}
	g := mustImport(t, model(13, input("x", float32Elem, 1, 2, 8, 8), input("s", float32Elem, 1, 2, 8),
		weight("w", 3, 2, 3, 3), weight("t", 3, 2, 3, 3), weight("one", 3, 2, 3),
		node("Conv", "", list("x", "w"), list("a")), node("Relu", "", list("a"), list("b")),
		node("ConvTranspose", "", list("b", "t"), list("c")),
		node("MaxPool", "", list("c"), list("d"), attrInts("kernel_shape", 2, 2)),
		node("Conv", "", list("s", "one"), list("e")),
		untyped("d"), untyped("e")))
	for name, want := range map[string]string{"x": "NCHW", "w": "OIHW", "a": "NCHW", "b": "NCHW", "t": "IOHW", "c": "NCHW", "d": "NCHW", "s": "", "one": "", "e": ""} {
		assert.Equal(t, want, tensorNamed(t, g, name).Layout, name)
	}
}
