package texture_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/layout/texture"
)

// storagesOf are the storages of a result as those that images had before.
func storagesOf(r *texture.Result) []texture.Before {
	out := make([]texture.Before, len(r.Of))
	for i, of := range r.Of {
		out[i] = texture.Before{Storage: of, Width: r.Storages[of].Width, Height: r.Storages[of].Height}
	}
	return out
}

func TestKeptImagesTakeNoMoreAndStayWhenKeptAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := network(rapid.IntRange(1, 20).Draw(t, "images"), rapid.Uint64Range(0, 1000).Draw(t, "seed"))
		fresh := solve(t, p, "auto")
		before := make([]texture.Before, len(p.Images))
		for i := range before {
			before[i] = texture.Before{Storage: rapid.IntRange(-1, 12).Draw(t, "before"), Width: p.Images[i].Width, Height: rapid.Int64Range(1, 2000).Draw(t, "height")}
		}
		kept := texture.Keep(p, fresh, before, "auto")
		require.NoError(t, verify(p, kept))
		for k := range p.Pools {
			require.LessOrEqual(t, kept.Pools[k].Bytes, fresh.Pools[k].Bytes)
		}
		for i := range p.Images {
			require.Equal(t, fresh.Storages[fresh.Of[i]].Pool, kept.Storages[kept.Of[i]].Pool, "an image stays in the pool that was chosen for it")
		}
		require.Equal(t, kept, texture.Keep(p, fresh, storagesOf(kept), "auto"))
	})
}

// TestAGrownImageMovesFewOthers makes each image of a network higher in turn.
func TestAGrownImageMovesFewOthers(t *testing.T) {
	p := network(24, 7)
	old := solve(t, p, "auto")
	movedFresh, movedKept := 0, 0
	for grown := range p.Images {
		edited := *p
		edited.Images = append([]texture.Image(nil), p.Images...)
		edited.Images[grown].Height++
		fresh := solve(t, &edited, "auto")
		kept := texture.Keep(&edited, fresh, storagesOf(old), "auto")
		require.NoError(t, verify(&edited, kept))
		movedFresh, movedKept = movedFresh+moved(old, fresh), movedKept+moved(old, kept)
	}
	t.Logf("%d moves when all are stored anew, %d when they are kept", movedFresh, movedKept)
	require.Less(t, 3*movedKept, 2*movedFresh)
}

// moved counts the images whose storage has other sides.
func moved(a, b *texture.Result) int {
	n := 0
	for i := range a.Of {
		x, y := a.Storages[a.Of[i]], b.Storages[b.Of[i]]
		if x.Width != y.Width || x.Height != y.Height {
			n++
		}
	}
	return n
}

func TestImagesOfOtherSystemsAreNotKept(t *testing.T) {
	p := network(5, 1)
	r := solve(t, p, "tvm_texture")
	require.Same(t, r, texture.Keep(p, r, storagesOf(r), "tvm_texture"))
}
