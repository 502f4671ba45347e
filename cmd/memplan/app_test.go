package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

const (
	oneOp = `{"format_version": "1.0", "tensors": [
  {"name": "x", "role": "input", "dtype": "float32", "shape": [4]}, {"name": "y", "role": "output", "dtype": "float32", "shape": [4]}],
  "ops": [{"name": "relu", "op": "Relu", "inputs": ["x"], "outputs": ["y"]}]}`
)

// invoke runs the command line in a directory with one graph file, somebody being there to answer.
func invoke(ctx context.Context, t *testing.T, answer string, args ...string) (code int, stdout, stderr, dir string) {
	t.Helper()
	dir = t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "net.json"), []byte(oneOp), 0o644))
	var out, errs bytes.Buffer
	a := &app{stdin: strings.NewReader(answer), stdout: &out, stderr: &errs, interactive: true}
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "DIR", dir)
	}
	code = a.main(ctx, args)
	return code, out.String(), errs.String(), dir
}

func TestApplyWritesTheLockForTheAnswerYes(t *testing.T) {
	code, stdout, stderr, dir := invoke(t.Context(), t, "yes\n", "apply", "DIR/net.json")
	require.Zero(t, code, stderr)
	require.Contains(t, stdout, `Do you accept this plan? Only "yes" accepts it:`)
	require.FileExists(t, filepath.Join(dir, "net.json.lock.json"))
}

func TestApplyTakesNoOtherAnswerForYes(t *testing.T) {
	for _, answer := range []string{"no\n", "y\n", "YES\n", "\n", "", "yes"} {
		code, _, stderr, dir := invoke(t.Context(), t, answer, "apply", "DIR/net.json")
		require.Equal(t, 1, code, "%q", answer)
		require.Contains(t, stderr, "MP0907", "%q", answer)
		require.NoFileExists(t, filepath.Join(dir, "net.json.lock.json"))
		require.NoFileExists(t, filepath.Join(dir, ".net.json.lock.json.lock"))
	}
}

func TestAnInterruptedCommandSaysSo(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	code, stdout, stderr, _ := invoke(ctx, t, "", "run", "-json", "DIR/net.json")
	require.Equal(t, 1, code, stdout+stderr)
	require.Contains(t, stdout, "MP0909")
	require.Contains(t, stdout, `"ok":false`)
}

func TestAFaultOfMemplanIsADiagnosticToo(t *testing.T) {
	d := failure(errors.New("the moon is out of range"))
	require.Equal(t, diag.ID("MP0999"), d.ID)
	require.Contains(t, d.Detail, "the moon is out of range")
	carried := diag.New(diag.InvalidPlan, "it overlaps")
	require.Contains(t, failure(&carried).Detail, "This is a fault of memplan")
}

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errors.New("no space left") }

func TestOutputThatCannotBeWrittenIsNoSuccess(t *testing.T) {
	var errs bytes.Buffer
	a := &app{stdin: strings.NewReader(""), stdout: fullDisk{}, stderr: &errs}
	require.Equal(t, 1, a.main(t.Context(), []string{"version"}))
	require.Contains(t, errs.String(), "no space left")
}

func TestNamesOfFilesAreSafeAndDistinct(t *testing.T) {
	require.Equal(t, []string{"a_b", "a_b_2", "_..", "_", "x-1.y", "__"}, fileNames([]string{"a/b", "a:b", "..", "", "x-1.y", "é/"}))
	require.Equal(t, []string{"_.hidden"}, fileNames([]string{".hidden"}))
	long := fileNames([]string{strings.Repeat("layer/", 500) + "a", strings.Repeat("layer/", 500) + "a"})
	require.NotEqual(t, long[0], long[1])
	for _, name := range long {
		require.Less(t, len(name), 240)
		require.Contains(t, name, "layer_a")
	}
}
