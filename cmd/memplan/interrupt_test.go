package main

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestAPlanWhoseSearchWasStoppedIsShownAndNotAccepted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		args []string
		code int
		ids  []string
		file string
	}{
		"plan shows it with a warning":  {[]string{"plan", "DIR/net.json"}, 0, []string{"MP0579"}, "net.mpplan"},
		"plan -out does not save it":    {[]string{"plan", "-out", "DIR/net.mpplan", "DIR/net.json"}, 1, []string{"MP0579", "MP0580"}, "net.mpplan"},
		"apply does not write the lock": {[]string{"apply", "-auto-approve", "DIR/net.json"}, 1, []string{"MP0580"}, "*.lock.json"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr, dir := invoke(ctx, t, "", c.args...)
			require.Equal(t, c.code, code, stdout+stderr)
			for _, id := range c.ids {
				require.Contains(t, stdout+stderr, id)
			}
			files, err := filepath.Glob(filepath.Join(dir, c.file))
			require.NoError(t, err)
			require.Empty(t, files)
		})
	}
}

func TestAnInterruptEndsTheWaitingForAnAnswer(t *testing.T) {
	waiting, terminal, err := os.Pipe()
	require.NoError(t, err)
	defer func() { require.NoError(t, terminal.Close()) }()
	dir := t.TempDir()
	path := filepath.Join(dir, "net.json")
	require.NoError(t, os.WriteFile(path, []byte(oneOp), 0o644))
	ctx, interrupt := context.WithCancel(t.Context())
	var errs bytes.Buffer
	a := &app{stdin: waiting, stdout: onQuestion(interrupt), stderr: &errs, interactive: true}
	require.Equal(t, 1, a.main(ctx, []string{"apply", path}))
	require.Contains(t, errs.String(), "MP0909")
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	require.Len(t, files, 1, "neither a lock nor its guard is left")
}

func TestAPlanIsNotAcceptedWhenTheLockWasTakenAwayMeanwhile(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "net.json")
	require.NoError(t, os.WriteFile(path, []byte(oneOp), 0o644))
	lock := plan.LockPath(path, false)
	takeAway := func() {
		broken, _, err := plan.Break(lock)
		require.NoError(t, err)
		require.True(t, broken)
	}
	var errs bytes.Buffer
	a := &app{stdin: strings.NewReader("yes\n"), stdout: onQuestion(takeAway), stderr: &errs, interactive: true}
	require.Equal(t, 1, a.main(t.Context(), []string{"apply", path}))
	require.Contains(t, errs.String(), "MP0706")
	require.Contains(t, errs.String(), "taken away")
	require.NoFileExists(t, lock)
}

// onQuestion calls a function when the question of apply is written.
type onQuestion func()

func (f onQuestion) Write(data []byte) (int, error) {
	if bytes.Contains(data, []byte("Do you accept")) {
		f()
	}
	return len(data), nil
}
