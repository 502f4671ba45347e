package layout_test

import (
	"context"
	"runtime"
	"testing"
	"unsafe"

	"github.com/memplan/memplan/planner/layout"
)

// generated makes n buffers that start at random steps below horizon: nine in ten short, a few long, sizes over four
// orders of magnitude. The generator is splitmix64 from a fixed state.
func generated(n int, horizon uint64) *layout.Problem {
	state := uint64(42)
	draw := func() uint64 {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return z ^ z>>31
	}
	length := func() uint64 {
		switch k := draw() % 100; {
		case k < 90:
			return 1 + draw()%16
		case k < 99:
			return 1 + draw()%1024
		}
		return 1 + draw()%65536
	}
	buffers := make([][3]int64, n)
	for i := range buffers {
		first := draw() % horizon
		last := first + length()
		e := draw() % 14
		buffers[i] = [3]int64{int64(64 * (1 + draw()%(1<<e))), int64(first), int64(last)}
	}
	return onePool(layout.Unlimited, 1, buffers...)
}

func BenchmarkAlgorithms(b *testing.B) {
	for _, c := range []struct {
		name       string
		algorithm  string
		n, horizon int
	}{
		{"greedy 1k", "greedy", 1000, 10_000},
		{"greedy 100k, 45 live at once", "greedy", 100_000, 1_000_000},
		{"greedy 100k, 400 live at once", "greedy", 100_000, 100_000},
		{"greedy 1M, 450 live at once", "greedy", 1_000_000, 1_000_000},
		{"tflite_greedy 100k, 45 live at once", "tflite_greedy", 100_000, 1_000_000},
		{"none 100k", "none", 100_000, 1_000_000},
	} {
		b.Run(c.name, func(b *testing.B) {
			p := generated(c.n, uint64(c.horizon))
			var r *layout.Result
			for b.Loop() {
				var err error
				if r, err = layout.Solve(context.Background(), p, c.algorithm, layout.Effort{}); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(r.Pools[0].Peak)/float64(r.Pools[0].Bound), "peak/bound")
		})
	}
}

// BenchmarkMemory reports all bytes allocated while 100,000 buffers are placed, over the bytes of the problem itself.
func BenchmarkMemory(b *testing.B) {
	p := generated(100_000, 1_000_000)
	own := float64(len(p.Buffers)) * float64(unsafe.Sizeof(layout.Buffer{})+unsafe.Sizeof(0))
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		if _, err := layout.Solve(context.Background(), p, "greedy", layout.Effort{}); err != nil {
			b.Fatal(err)
		}
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.TotalAlloc-before.TotalAlloc)/own, "allocated/problem")
	}
}
