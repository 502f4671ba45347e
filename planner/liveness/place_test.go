package liveness

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
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

// stood is a tensor of so many bytes at a place.
type stood struct {
	place
	bytes int64
}

// everyPlace lists small tensors as one run and as rows, from the first bytes on.
func everyPlace() []stood {
	var out []stood
	for at := range int64(7) {
		for n := range int64(8) {
			out = append(out, stood{place{at: at}, n + 1})
		}
		for row := range int64(3) {
			for gap := range int64(3) {
				for rows := range int64(3) {
					out = append(out, stood{place{at, row + 1, row + gap + 2}, (row + 1) * (rows + 2)})
				}
			}
		}
	}
	return out
}

func TestAPlaceWithinAPlaceIsWhereItsBytesAre(t *testing.T) {
	rows := 0
	for _, inner := range everyPlace() {
		for _, outer := range everyPlace() {
			got, ok := inner.within(outer.place, inner.bytes)
			if !ok {
				require.True(t, outer.strided(), "a run moves as it is")
				continue
			}
			whole := bytesAt(outer.place, inner.end(inner.bytes))
			want := make([]int64, inner.bytes)
			for i, at := range bytesAt(inner.place, inner.bytes) {
				want[i] = whole[at]
			}
			if !slices.Equal(want, bytesAt(got, inner.bytes)) || got.end(inner.bytes) != want[len(want)-1]+1 {
				require.Equal(t, want, bytesAt(got, inner.bytes), "%v within %v", inner, outer)
			}
			if got.strided() && inner.strided() && outer.strided() {
				rows++
			}
		}
	}
	require.Positive(t, rows, "no rows of rows")
}

func TestABaseMovesSoThatAMemberComesToLieWhereItBelongs(t *testing.T) {
	runs, rows := 0, 0
	for _, from := range everyPlace() {
		for _, to := range everyPlace() {
			base := from.end(from.bytes)
			if from.strided() {
				base = from.at/from.stride*from.stride + from.bytes/from.row*from.stride
			}
			at, ok := moving(from.place, to.place, from.place == place{}, base)
			if !ok || from.bytes != to.bytes {
				continue
			}
			stands, ok := from.within(at, from.bytes)
			if !ok || at.at < 0 {
				continue
			}
			require.Equal(t, to.place, stands, "%v to %v", from, to)
			if at.strided() {
				rows++
			} else {
				runs++
			}
		}
	}
	require.Positive(t, runs)
	require.Positive(t, rows)
}

func TestTensorsMeetWhereTheyHaveBytesInCommon(t *testing.T) {
	beside := 0
	for _, p := range everyPlace() {
		for _, q := range everyPlace() {
			ours, theirs := bytesAt(p.place, p.bytes), bytesAt(q.place, q.bytes)
			want := slices.ContainsFunc(ours, func(at int64) bool { return slices.Contains(theirs, at) })
			got := meet(p.place, p.bytes, q.place, q.bytes)
			if p.strided() && q.strided() && p.stride != q.stride {
				require.True(t, got || !want, "%v and %v", p, q)
				continue
			}
			if want != got {
				require.Equal(t, want, got, "%v and %v", p, q)
			}
			if !got && p.at < q.end(q.bytes) && q.at < p.end(p.bytes) {
				beside++
			}
		}
	}
	require.Positive(t, beside, "no rows lay between others")
}
