//go:build unix

package main

import (
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"

	"github.com/stretchr/testify/require"
)

// tofu is the seconds that OpenTofu 1.12 took for a command on configurations of as many blocks, measured on a machine of the
// same kind; 0 where it was not measured.
type tofu float64

// commands times commands that read configurations, each the shortest of several runs.
func (w stopwatch) commands(root string) string {
	var table strings.Builder
	table.WriteString("| command | wall, s | OpenTofu 1.12, s |\n|---|---:|---:|\n")
	row := func(name string, anchor tofu, args ...string) {
		wall, _ := w.timed(20, args...)
		fmt.Fprintf(&table, "| %s | %.3f | %s |\n", name, wall.Seconds(), anchor)
	}
	row("`version`", 0.103, "version")
	row("`validate` of examples/face-detector", 0, "validate", filepath.Join(root, "examples", "face-detector", "config.hcl"))
	for _, x := range []struct {
		blocks        int
		validate, fmt tofu
	}{
		{10, 0.113, 0.107},
		{1000, 0.477, 0.312},
		{10_000, 5.26, 2.48},
	} {
		dir := w.configuration(x.blocks)
		row(fmt.Sprintf("`validate` of %d blocks", x.blocks), x.validate, "validate", dir)
		row(fmt.Sprintf("`fmt -check` of %d blocks", x.blocks), x.fmt, "fmt", "-check", dir)
	}
	return table.String()
}

func (a tofu) String() string {
	if a == 0 {
		return ""
	}
	return fmt.Sprintf("%.3f", float64(a))
}

// timed runs the built command, which must succeed, and returns the shortest wall time and the most memory.
func (w stopwatch) timed(runs int, args ...string) (time.Duration, float64) {
	w.t.Helper()
	shortest, most := time.Duration(math.MaxInt64), 0.0
	for range runs {
		cmd := exec.Command(w.command, args...)
		began := time.Now()
		out, err := cmd.CombinedOutput()
		shortest = min(shortest, time.Since(began))
		require.NoError(w.t, err, "%s", out)
		usage, ok := cmd.ProcessState.SysUsage().(*syscall.Rusage)
		require.True(w.t, ok)
		most = max(most, float64(usage.Maxrss)/1024)
	}
	return shortest, most
}

// configuration writes a module of that many blocks: a device, and pools with what configurations mostly consist of.
func (w stopwatch) configuration(blocks int) string {
	var text strings.Builder
	text.WriteString("device \"d\" {\n  driver = \"none\"\n}\n")
	for i := range blocks - 1 {
		fmt.Fprintf(&text, "\npool \"p%d\" {\n  device    = device.d\n  size      = kib(%d)\n  alignment = 64\n}\n", i, i+1)
	}
	dir := w.t.TempDir()
	require.NoError(w.t, os.WriteFile(filepath.Join(dir, "many.memplan.hcl"), []byte(text.String()), 0o644))
	return dir
}
