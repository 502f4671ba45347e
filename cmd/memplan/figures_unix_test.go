//go:build unix

package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

var figures = flag.Bool("figures", false, "time the layout solver and rewrite its tables in docs/performance.md")

// solving is what one command did: the result it printed, the shortest wall time of several runs and the most memory.
type solving struct {
	Status string
	Peak   int64
	Bound  int64
	wall   time.Duration
	mib    float64
}

// ratio is the peak over the bound.
func (s solving) ratio() float64 { return float64(s.Peak) / float64(s.Bound) }

// stopwatch times the built command.
type stopwatch struct {
	t       *testing.T
	command string
}

// solve runs "memplan solve -json" that often.
func (w stopwatch) solve(runs int, args ...string) solving {
	w.t.Helper()
	best := solving{wall: math.MaxInt64}
	for range runs {
		cmd := exec.Command(w.command, append([]string{"solve", "-json"}, args...)...)
		began := time.Now()
		out, err := cmd.Output()
		wall := time.Since(began)
		var exit *exec.ExitError
		if !errors.As(err, &exit) {
			require.NoError(w.t, err)
		}
		require.NoError(w.t, json.Unmarshal(out, &best), "%s", out)
		best.wall = min(best.wall, wall)
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		require.True(w.t, ok)
		best.mib = max(best.mib, float64(usage.Maxrss)/1024)
	}
	return best
}

// TestFigures finds the timed tables of docs/performance.md, and with -figures makes them anew, which takes minutes and an
// idle machine: make bench-layout. It compares nothing with a clock.
func TestFigures(t *testing.T) {
	root, err := filepath.Abs("../..")
	require.NoError(t, err)
	if !*figures {
		content, err := os.ReadFile(filepath.Join(root, "docs", "performance.md"))
		require.NoError(t, err)
		for _, name := range []string{"layout decide", "layout minimise", "layout traces", "layout growth", "commands"} {
			require.Contains(t, string(content), "<!-- begin "+name+" -->\n")
			require.Contains(t, string(content), "<!-- end "+name+" -->")
		}
		return
	}
	command := filepath.Join(t.TempDir(), "memplan")
	out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	w := stopwatch{t, command}
	page := filepath.Join(root, "docs", "performance.md")
	replaceSection(t, page, "layout decide", w.decisions(root))
	replaceSection(t, page, "layout minimise", w.minimisations(root))
	replaceSection(t, page, "layout traces", w.traces(root))
	replaceSection(t, page, "layout growth", w.growth())
	replaceSection(t, page, "commands", w.commands(root))
}

func replaceSection(t *testing.T, page, name, table string) {
	t.Helper()
	content, err := os.ReadFile(page)
	require.NoError(t, err)
	begin, end := "<!-- begin "+name+" -->\n", "<!-- end "+name+" -->"
	before, rest, found := strings.Cut(string(content), begin)
	require.True(t, found, "%s has no mark %q", page, begin)
	_, after, found := strings.Cut(rest, end)
	require.True(t, found, "%s has no mark %q", page, end)
	require.NoError(t, os.WriteFile(page, []byte(before+begin+table+end+after), 0o644))
}

func challenges(root string) []string {
	var files []string
	for _, name := range "ABCDEFGHIJK" {
		files = append(files, filepath.Join(root, "planner/layout/exact/testdata", string(name)+".1048576.csv"))
	}
	return files
}

func (w stopwatch) decisions(root string) string {
	var table strings.Builder
	table.WriteString("| instance | status | wall, s |\n|---|---|---:|\n")
	var first, all time.Duration
	for i, file := range challenges(root) {
		s := w.solve(5, "-capacity", "1048576", file)
		fmt.Fprintf(&table, "| %s | %s | %.3f |\n", filepath.Base(file)[:1], s.Status, s.wall.Seconds())
		if i < 6 {
			first += s.wall
		}
		all += s.wall
	}
	fmt.Fprintf(&table, "| A-F | | %.3f |\n| A-K | | %.3f |\n", first.Seconds(), all.Seconds())
	return table.String()
}

func (w stopwatch) minimisations(root string) string {
	files := challenges(root)
	shapes, err := filepath.Glob(filepath.Join(root, "testdata/layout/shapes/*.csv"))
	require.NoError(w.t, err)
	var table strings.Builder
	table.WriteString("| instance | bound | `greedy` peak / bound | wall, s | `auto` peak / bound | status | wall, s | `exact` peak / bound | status | wall, s |\n")
	table.WriteString("|---|---:|---:|---:|---:|---|---:|---:|---|---:|\n")
	for _, file := range append(files, shapes...) {
		name, _, _ := strings.Cut(filepath.Base(file), ".")
		greedy, auto, exact := w.solve(5, "-algorithm", "greedy", file), w.solve(3, "-algorithm", "auto", file), w.solve(1, "-algorithm", "exact", file)
		fmt.Fprintf(&table, "| %s | %d | %.5f | %.3f | %.5f | %s | %.3f | %.5f | %s | %.3f |\n", name, auto.Bound,
			greedy.ratio(), greedy.wall.Seconds(), auto.ratio(), auto.Status, auto.wall.Seconds(), exact.ratio(), exact.Status, exact.wall.Seconds())
	}
	return table.String()
}

func (w stopwatch) traces(root string) string {
	files, err := filepath.Glob(filepath.Join(root, "testdata/layout/traces/*.csv.gz"))
	require.NoError(w.t, err)
	slices.Sort(files)
	million := w.recipe(1_000_000)
	var table strings.Builder
	table.WriteString("| trace | algorithm | peak / bound | status | wall, s | memory, MiB |\n|---|---|---:|---|---:|---:|\n")
	row := func(file, algorithm string, runs int) {
		s := w.solve(runs, "-algorithm", algorithm, file)
		name, _, _ := strings.Cut(filepath.Base(file), ".csv")
		fmt.Fprintf(&table, "| %s | %s | %.5f | %s | %.2f | %.0f |\n", name, algorithm, s.ratio(), s.Status, s.wall.Seconds(), s.mib)
	}
	for _, file := range files {
		row(file, "greedy", 3)
		row(file, "auto", 3)
	}
	row(million, "greedy", 1)
	row(million, "auto", 1)
	return table.String()
}

func (w stopwatch) growth() string {
	var table strings.Builder
	table.WriteString("| buffers | wall, s | wall / (n log2 n), ns |\n|---:|---:|---:|\n")
	for _, n := range []int{10_000, 30_000, 100_000, 300_000, 1_000_000} {
		s := w.solve(2, "-algorithm", "greedy", w.recipe(n))
		fmt.Fprintf(&table, "| %d | %.2f | %.0f |\n", n, s.wall.Seconds(), float64(s.wall.Nanoseconds())/(float64(n)*math.Log2(float64(n))))
	}
	return table.String()
}

// recipe writes n buffers that start below step n: nine in ten short, a few long, sizes over four orders of magnitude.
// The generator is splitmix64 from 42.
func (w stopwatch) recipe(n int) string {
	path := filepath.Join(w.t.TempDir(), fmt.Sprintf("recipe_%d.csv", n))
	file, err := os.Create(path)
	require.NoError(w.t, err)
	out := bufio.NewWriter(file)
	state := uint64(42)
	draw := func(below uint64) uint64 {
		state += 0x9E3779B97F4A7C15
		z := state
		z = (z ^ z>>30) * 0xBF58476D1CE4E5B9
		z = (z ^ z>>27) * 0x94D049BB133111EB
		return (z ^ z>>31) % below
	}
	fmt.Fprintln(out, "id,lower,upper,size")
	for id := range n {
		lower, longest := draw(uint64(n)), uint64(16)
		switch k := draw(100); {
		case k == 99:
			longest = 65_536
		case k >= 90:
			longest = 1024
		}
		upper := lower + 1 + draw(longest)
		fmt.Fprintf(out, "%d,%d,%d,%d\n", id, lower, upper, 64*(1+draw(1<<draw(14))))
	}
	require.NoError(w.t, out.Flush())
	require.NoError(w.t, file.Close())
	return path
}
