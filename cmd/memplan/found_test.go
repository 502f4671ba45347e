package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsFoundIsSaidOnceThereIsSomething(t *testing.T) {
	var f found
	require.Empty(t, f.text())
	f.note(3<<20, 1<<20)
	f.note(2<<20, 1<<20)
	require.Equal(t, ": best 2 MiB, bound 1 MiB, 2 placements", f.text())
}
