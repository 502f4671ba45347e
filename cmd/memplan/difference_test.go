package main

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

func floats(values ...float32) *array.Array {
	a := &array.Array{DType: graph.Float32, Shape: graph.Shape{2, int64(len(values) / 2)}}
	for _, v := range values {
		a.Data = binary.LittleEndian.AppendUint32(a.Data, math.Float32bits(v))
	}
	return a
}

func TestDifferenceFindsTheLargest(t *testing.T) {
	d := difference(floats(1, 2, 3, 4), floats(1, 2, 3.5, 4.25), 0.3, 0)
	require.Equal(t, 0.5, d.largest)
	require.Equal(t, int64(1), d.outside)
	require.Equal(t, int64(4), d.elements)
	require.Equal(t, graph.Shape{1, 0}, d.at)
	require.Equal(t, 3.0, d.got)
	require.Equal(t, 3.5, d.want)
}

func TestTheToleranceGrowsWithTheExpectedValue(t *testing.T) {
	require.Zero(t, difference(floats(101, 0), floats(100, 0), 0, 0.01).outside)
	require.Equal(t, int64(1), difference(floats(1, 0), floats(0, 0), 0, 0.5).outside)
}

func TestNaNAndInfinityEqualOnlyThemselves(t *testing.T) {
	nan, inf := float32(math.NaN()), float32(math.Inf(1))
	require.Zero(t, difference(floats(nan, inf), floats(nan, inf), 0, 0).outside)
	for _, rtol := range []float64{0, 1} {
		d := difference(floats(nan, inf), floats(1, -inf), 1e9, rtol)
		require.Equal(t, int64(2), d.outside)
		require.True(t, math.IsInf(d.largest, 1))
	}
}

func TestElementsOfEveryType(t *testing.T) {
	little := binary.LittleEndian
	for _, c := range []struct {
		t    graph.DType
		data []byte
		want float64
	}{
		{graph.Float64, little.AppendUint64(nil, math.Float64bits(1.5)), 1.5},
		{graph.Float16, []byte{0x00, 0x3e}, 1.5},
		{graph.BFloat16, []byte{0xc0, 0x3f}, 1.5},
		{graph.Int8, []byte{0xff}, -1},
		{graph.Uint8, []byte{0xff}, 255},
		{graph.Bool, []byte{1}, 1},
		{graph.Int16, []byte{0xfe, 0xff}, -2},
		{graph.Uint16, []byte{0xfe, 0xff}, 65534},
		{graph.Int32, []byte{0xfe, 0xff, 0xff, 0xff}, -2},
		{graph.Uint32, []byte{0, 0, 0, 0x80}, 1 << 31},
		{graph.Int64, little.AppendUint64(nil, math.MaxUint64), -1},
		{graph.Uint64, little.AppendUint64(nil, 1<<63), 1 << 63},
	} {
		require.Equal(t, c.want, element(c.t, c.data), c.t.String())
	}
}
