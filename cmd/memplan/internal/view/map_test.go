package view

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestCutIsExactForLargeNumbers(t *testing.T) {
	require.Equal(t, int64(0), cut(math.MaxInt64, 0, 16))
	require.Equal(t, int64(math.MaxInt64), cut(math.MaxInt64, 16, 16))
	require.Equal(t, int64(5), cut(10, 1, 2))
}

func TestAMapFitsItsWidth(t *testing.T) {
	p := network()
	p.Graphs[0].Tensors[0].Last = 100_000
	for _, columns := range []int{40, 80, 200} {
		for line := range strings.Lines(memoryMap(false, p, &p.Graphs[0], &p.Pools[0], columns)) {
			if strings.ContainsAny(line, "│┌└") {
				require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), columns)
			}
		}
	}
}

func TestAMapOfManyTensorsHasNoLegend(t *testing.T) {
	p := network()
	g := &p.Graphs[0]
	for i := range int64(100) {
		tensor := g.Tensors[0]
		tensor.Name = fmt.Sprint("t", i)
		g.Tensors = append(g.Tensors, tensor)
	}
	require.Contains(t, memoryMap(false, p, g, &p.Pools[0], 80), "103 tensors, lettered from the lowest address up; letters repeat")
}

func TestAMapSaysWhichTensorsAreTooSmallToDraw(t *testing.T) {
	p := network()
	g := &p.Graphs[0]
	p.Pools[0].Peak = 1 << 20
	small, large := g.Tensors[0], g.Tensors[1]
	small.Name, small.Size = "small", 1
	large.Name, large.Size, large.Offset = "large", 1<<20-64, ptr(int64(64))
	g.Tensors = []plan.Tensor{small, large}
	require.Contains(t, memoryMap(false, p, g, &p.Pools[0], 80), "a = small (too small to draw), b = large\n")
}

func TestAnEmptyPoolHasNoMap(t *testing.T) {
	p := network()
	require.Empty(t, memoryMap(false, p, &p.Graphs[0], &p.Pools[2], 80))
	require.Empty(t, memoryMap(false, &plan.Plan{}, &plan.Graph{}, &plan.Pool{}, 80))
}

func TestGauge(t *testing.T) {
	for _, c := range []struct {
		part, whole int64
		want        string
	}{
		{0, 100, "░░░░"}, {1, 1000, "█░░░"}, {50, 100, "██░░"}, {100, 100, "████"}, {0, 0, "████"}, {math.MaxInt64, math.MaxInt64, "████"},
	} {
		require.Equal(t, c.want, gauge(c.part, c.whole, 4), "%d of %d", c.part, c.whole)
	}
}
