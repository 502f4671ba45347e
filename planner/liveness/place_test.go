package liveness

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// bytesAt lists where the bytes of a tensor stand, in their order.
func bytesAt(p place, bytes int64) []int64 {
	out := make([]int64, bytes)
	for i := range out {
		out[i] = p.at + int64(i)
		if p.strided() {
			out[i] = p.at + int64(i)/p.row*p.stride + int64(i)%p.row
		}
	}
	return out
}

func drawPlace(t *rapid.T) (place, int64) {
	at := rapid.Int64Range(0, 12).Draw(t, "at")
	if rapid.Bool().Draw(t, "run") {
		return place{at: at}, rapid.Int64Range(1, 12).Draw(t, "bytes")
	}
	row := rapid.Int64Range(1, 4).Draw(t, "row")
	return place{at, row, row + rapid.Int64Range(1, 4).Draw(t, "gap")}, row * rapid.Int64Range(2, 4).Draw(t, "rows")
}

func TestAPlaceWithinAPlaceIsWhereItsBytesAre(t *testing.T) {
	rows := 0
	rapid.Check(t, func(t *rapid.T) {
		inner, bytes := drawPlace(t)
		outer, _ := drawPlace(t)
		got, ok := inner.within(outer, bytes)
		if !ok {
			return
		}
		whole := bytesAt(outer, inner.end(bytes))
		var want []int64
		for _, at := range bytesAt(inner, bytes) {
			want = append(want, whole[at])
		}
		require.Equal(t, want, bytesAt(got, bytes))
		require.Equal(t, want[len(want)-1]+1, got.end(bytes))
		if got.strided() && inner.strided() && outer.strided() {
			rows++
		}
	})
	require.Positive(t, rows, "no rows of rows")
}

func TestABaseMovesSoThatAMemberComesToLieWhereItBelongs(t *testing.T) {
	moved := 0
	rapid.Check(t, func(t *rapid.T) {
		from, bytes := drawPlace(t)
		to, _ := drawPlace(t)
		if from.strided() && to.strided() {
			to.row = from.row
			to.stride = max(to.stride, to.row+1)
		}
		base := from.end(bytes) + rapid.Int64Range(0, 8).Draw(t, "more")
		whole := from == place{} && base == bytes
		at, ok := moving(from, to, whole, base)
		if !ok {
			return
		}
		if stands, ok := from.within(at, bytes); ok && stands == to {
			require.Equal(t, bytesAt(to, bytes), bytesAt(stands, bytes))
			moved++
		}
	})
	require.Positive(t, moved)
}

func TestTensorsMeetWhereTheyHaveABytesInCommon(t *testing.T) {
	beside := 0
	rapid.Check(t, func(t *rapid.T) {
		p, n := drawPlace(t)
		q, m := drawPlace(t)
		if p.strided() && q.strided() && rapid.Bool().Draw(t, "one stride") {
			q.stride = max(p.stride, q.row)
			p.stride = q.stride
		}
		want := slices.ContainsFunc(bytesAt(p, n), func(at int64) bool { return slices.Contains(bytesAt(q, m), at) })
		got := meet(p, n, q, m)
		require.Equal(t, got, meet(q, m, p, n))
		if p.strided() && q.strided() && p.stride != q.stride {
			require.True(t, got || !want)
			return
		}
		require.Equal(t, want, got)
		if !got && p.at < q.end(m) && q.at < p.end(n) {
			beside++
		}
	})
	require.Positive(t, beside, "no rows lay between others")
}
