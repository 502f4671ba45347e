package opencl_test

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/opencl"
	"github.com/stretchr/testify/require"
)

func TestANumberOutOfATypesRangeBecomesTheNearest(t *testing.T) {
	inf, nan := math.Inf(1), math.NaN()
	for _, c := range []struct {
		dtype graph.DType
		value float64
		want  uint64
	}{
		{graph.Int8, -1e9, 0x80}, {graph.Int8, 300, 0x7f}, {graph.Int8, -1.9, 0xff}, {graph.Int8, nan, 0},
		{graph.Int32, -inf, 0x80000000}, {graph.Int32, inf, 0x7fffffff}, {graph.Int32, 1 << 31, 0x7fffffff},
		{graph.Int64, inf, math.MaxInt64}, {graph.Int64, 1 << 63, math.MaxInt64}, {graph.Int64, -1 << 63, 1 << 63},
		{graph.Int64, -inf, 1 << 63}, {graph.Int64, nan, 0}, {graph.Int64, -7.5, ^uint64(6)},
		{graph.Uint8, -3, 0}, {graph.Uint8, 256, 255}, {graph.Uint8, 255, 255}, {graph.Uint32, inf, math.MaxUint32},
		{graph.Uint64, inf, math.MaxUint64}, {graph.Uint64, 1 << 63, 1 << 63}, {graph.Uint64, -inf, 0}, {graph.Uint64, nan, 0},
		{graph.Bool, 1, 1}, {graph.Bool, nan, 0},
	} {
		data, err := opencl.Encode(c.dtype, c.value)
		require.NoError(t, err)
		require.EqualValues(t, c.dtype.Size(), len(data))
		require.Equal(t, c.want, binary.LittleEndian.Uint64(append(data, make([]byte, 8)...)), "%v as %v", c.value, c.dtype)
	}
}
