package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatIsReadAndFoundIsSaidOnceThereIsSomething(t *testing.T) {
	var f found
	require.Empty(t, f.text())
	f.read("a.onnx", 0, 1)
	require.Equal(t, ": reading a.onnx", f.text())
	f.read("b.onnx", 2, 4)
	require.Equal(t, ": reading b.onnx, 3 of 4  ██████████░░░░░░░░░░", f.text())
	f.spent(500)
	require.Empty(t, f.text())
	f.note(3<<20, 1<<20)
	f.note(2<<20, 1<<20)
	f.spent(1000)
	f.spent(200)
	require.Equal(t, ": best 2 MiB, bound 1 MiB  ██████████░░░░░░░░░░  1200 nodes", f.text())
}
