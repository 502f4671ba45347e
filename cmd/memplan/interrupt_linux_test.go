package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAnInterruptedTestClosesTheFilesOfItsPlan(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644))
	}
	write("net.json", oneOp+strings.Repeat(" ", 4<<20)) // large files are mapped
	write("net.memplan.hcl", `device "cpu" {}
pool "arena" { device = device.cpu }
graph "net" {
  source = "net.json"
  device = device.cpu
}
`)
	write("net.memplantest.hcl", "run \"plans\" {}\n")
	ctx, interrupt := context.WithCancel(t.Context())
	interrupt()
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: &out, stderr: &errs}
	require.Equal(t, 1, a.main(ctx, []string{"test", dir}))
	require.Contains(t, errs.String(), "MP0909")
	maps, err := os.ReadFile("/proc/self/maps")
	require.NoError(t, err)
	require.NotContains(t, string(maps), dir)
}
