package onnx_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"google.golang.org/protobuf/encoding/protowire"
)

// varints are values as a packed field holds them.
func varints(values ...int64) msg {
	var m msg
	for _, v := range values {
		m = protowire.AppendVarint(m, uint64(v))
	}
	return m
}

func fixed32s(values ...float32) (m msg) {
	for _, v := range values {
		m = binary.LittleEndian.AppendUint32(m, math.Float32bits(v))
	}
	return m
}

func fixed64s(values ...float64) (m msg) {
	for _, v := range values {
		m = binary.LittleEndian.AppendUint64(m, math.Float64bits(v))
	}
	return m
}

func TestValuesAreReadFromEveryField(t *testing.T) {
	cases := map[string]struct {
		elem   int64
		fields msg
		want   string
	}{
		"raw bytes":                       {float16Elem, msg{}.str(9, "\x01\x02\x03\x04"), "\x01\x02\x03\x04"},
		"packed floats":                   {float32Elem, msg{}.sub(4, fixed32s(1, -2)), "\x00\x00\x80?\x00\x00\x00\xc0"},
		"floats one by one":               {float32Elem, msg{}.fixed32(4, 1).fixed32(4, -2), "\x00\x00\x80?\x00\x00\x00\xc0"},
		"floats in two packs":             {float32Elem, msg{}.sub(4, fixed32s(1)).sub(4, fixed32s(-2)), "\x00\x00\x80?\x00\x00\x00\xc0"},
		"packed doubles":                  {11, msg{}.sub(10, fixed64s(1, 2)), "\x00\x00\x00\x00\x00\x00\xf0?\x00\x00\x00\x00\x00\x00\x00@"},
		"packed int32":                    {6, msg{}.sub(5, varints(1, -1)), "\x01\x00\x00\x00\xff\xff\xff\xff"},
		"int32 one by one":                {6, msg{}.num(5, 1).num(5, -1), "\x01\x00\x00\x00\xff\xff\xff\xff"},
		"int8 within int32":               {3, msg{}.sub(5, varints(127, -128)), "\x7f\x80"},
		"uint8 within int32":              {2, msg{}.sub(5, varints(255, 1)), "\xff\x01"},
		"int16 within int32":              {5, msg{}.sub(5, varints(-2, 258)), "\xfe\xff\x02\x01"},
		"uint16 within int32":             {4, msg{}.sub(5, varints(65535, 258)), "\xff\xff\x02\x01"},
		"bool within int32":               {boolElem, msg{}.sub(5, varints(1, 0)), "\x01\x00"},
		"the bits of float16 in int32":    {float16Elem, msg{}.sub(5, varints(0x3c00, 0xc000)), "\x00\x3c\x00\xc0"},
		"the bits of bfloat16 in int32":   {16, msg{}.sub(5, varints(0x3f80, 0xc000)), "\x80\x3f\x00\xc0"},
		"packed int64":                    {int64Elem, msg{}.sub(7, varints(-1, 2)), "\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x00\x00\x00"},
		"uint32 within uint64":            {12, msg{}.sub(11, varints(1<<31, 2)), "\x00\x00\x00\x80\x02\x00\x00\x00"},
		"uint64":                          {13, msg{}.num(11, -1).num(11, 2), "\xff\xff\xff\xff\xff\xff\xff\xff\x02\x00\x00\x00\x00\x00\x00\x00"},
		"complex numbers as two floats":   {14, msg{}.sub(4, fixed32s(0, 0, 0, 0)), string(make([]byte, 16))},
		"complex doubles as two doubles":  {15, msg{}.sub(10, fixed64s(0, 0, 0, 0)), string(make([]byte, 32))},
		"typed values beside empty bytes": {6, msg{}.sub(9, nil).sub(5, varints(1, 2)), "\x01\x00\x00\x00\x02\x00\x00\x00"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := mustImport(t, model(13, initializer(append(tensor("w", c.elem, 2), c.fields...)), untyped("w")))
			assert.Equal(t, c.want, string(read(t, tensorNamed(t, g, "w"))))
		})
	}
}

func TestPackedFloatsAreNotCopied(t *testing.T) {
	m := model(13, initializer(tensor("w", float32Elem, 2).sub(4, fixed32s(1, 2))), untyped("w"))
	g, diags := onnx.Import(source.FromBytes("net.onnx", m))
	require.Empty(t, diags)
	assert.True(t, aliases(m, read(t, tensorNamed(t, g, "w"))))
}

func TestAWeightWithoutElementsNeedsNoValues(t *testing.T) {
	g := mustImport(t, model(13, initializer(tensor("w", float32Elem, 0, 4)), untyped("w")))
	assert.Equal(t, graph.Shape{0, 4}, tensorNamed(t, g, "w").Shape)
	assert.Empty(t, read(t, tensorNamed(t, g, "w")))
}

func TestValuesMustMatchTheShape(t *testing.T) {
	cases := map[string]struct {
		fields msg
		names  []string
	}{
		"too few bytes":       {msg{}.str(9, "1234567"), list("needs 8 bytes", "holds 7")},
		"too many bytes":      {msg{}.str(9, "123456789"), list("needs 8 bytes", "holds 9")},
		"no values":           {nil, list("needs 8 bytes", "holds 0")},
		"too few floats":      {msg{}.fixed32(4, 1), list("needs 8 bytes", "holds 4")},
		"values of a type":    {msg{}.sub(7, varints(1, 2)), list("holds 0")},
		"a pack that is odd":  {msg{}.str(4, "12345"), list("cannot be read")},
		"a segment of values": {msg{}.sub(3, msg{}.num(1, 0)), list("segment")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			mustRefuse(t, model(13, initializer(append(tensor("w", float32Elem, 2), c.fields...)), untyped("w")), "MP0311", append(c.names, `initializer "w"`)...)
		})
	}
}

func TestShapesAreChecked(t *testing.T) {
	mustRefuse(t, model(13, initializer(tensor("w", float32Elem, 2, -1)), untyped("w")), "MP0318", `"w"`, "size -1 on axis 1")
	mustRefuse(t, model(13, initializer(tensor("w", float32Elem, 1<<31, 1<<31, 8)), untyped("w")), "MP0318", `"w"`, "overflows")
}

func TestConstantNodesOfEveryFormBecomeConstants(t *testing.T) {
	cases := map[string]struct {
		attr  msg
		dtype graph.DType
		shape graph.Shape
		want  string
	}{
		"a tensor":         {attrTensor("value", floats("", 1)), graph.Float32, graph.Shape{1}, "\x00\x00\x80?"},
		"an integer":       {attrInt("value_int", 3), graph.Int64, graph.Shape{}, "\x03\x00\x00\x00\x00\x00\x00\x00"},
		"integers":         {attrInts("value_ints", 3), graph.Int64, graph.Shape{1}, "\x03\x00\x00\x00\x00\x00\x00\x00"},
		"no integers":      {attrInts("value_ints"), graph.Int64, graph.Shape{0}, ""},
		"a float":          {attrFloat("value_float", 1), graph.Float32, graph.Shape{}, "\x00\x00\x80?"},
		"floats":           {attrFloats("value_floats", 1, 1), graph.Float32, graph.Shape{2}, "\x00\x00\x80?\x00\x00\x80?"},
		"a sparse tensor":  {msg{}.sub(5, msg{}.str(1, "sparse_value").sub(22, msg{}.sub(1, floats("", 1)).sub(2, ints("", 1)).num(3, 3)).num(20, 11)), graph.Float32, graph.Shape{3}, "\x00\x00\x00\x00\x00\x00\x80?\x00\x00\x00\x00"},
		"a tensor, scalar": {attrTensor("value", tensor("", float32Elem).sub(9, fixed32s(1))), graph.Float32, graph.Shape{}, "\x00\x00\x80?"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g := mustImport(t, model(13, node("Constant", "", nil, list("c"), c.attr), untyped("c")))
			assert.Empty(t, g.Ops)
			constant := tensorNamed(t, g, "c")
			assert.Equal(t, graph.Constant, constant.Role)
			assert.Equal(t, c.dtype, constant.DType)
			assert.Equal(t, c.shape, constant.Shape)
			assert.Equal(t, c.want, string(read(t, constant)))
		})
	}
}
