package plan_test

import (
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestLockPathIsBesideWhatWasPlanned(t *testing.T) {
	for in, want := range map[string]string{
		"net.hcl":               "net.lock.json",
		"dir/net.memplan.hcl":   "dir/net.memplan.lock.json",
		"model.onnx":            "model.onnx.lock.json",
		"../models/net.tflite":  "../models/net.tflite.lock.json",
		"dir.with.dots/network": "dir.with.dots/network.lock.json",
	} {
		require.Equal(t, filepath.FromSlash(want), plan.LockPath(filepath.FromSlash(in), false))
	}
	require.Equal(t, "memplan.lock.json", plan.LockPath(".", true))
	require.Equal(t, filepath.Join("a", "memplan.lock.json"), plan.LockPath("a", true))
}

func TestWriteLockThenReadLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.lock.json")
	p, ds, err := plan.ReadLock(path)
	require.NoError(t, err)
	require.Empty(t, ds)
	require.Nil(t, p, "there is no lock yet")

	changed, err := plan.WriteLock(path, chain())
	require.NoError(t, err)
	require.True(t, changed)
	changed, err = plan.WriteLock(path, chain())
	require.NoError(t, err)
	require.False(t, changed, "equal bytes are not written again")

	p, ds, err = plan.ReadLock(path)
	require.NoError(t, err)
	require.Empty(t, ds)
	require.Equal(t, encoded(t, chain()), encoded(t, p))
}

func TestReadLockNamesTheFileInItsRanges(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.lock.json")
	require.NoError(t, os.WriteFile(path, []byte("{"), 0o644))
	_, ds, err := plan.ReadLock(path)
	require.NoError(t, err)
	require.Len(t, ds, 1)
	require.Equal(t, filepath.ToSlash(path), ds[0].Subject.Filename)
}

func TestASecondWriterIsToldWhoHoldsTheLock(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.lock.json")
	holder := plan.Holder{Operation: "apply", Who: "ada@engine", PID: 42, Since: time.Date(2020, 1, 2, 3, 4, 5, 0, time.UTC)}
	guard, ds, err := plan.Acquire(path, holder)
	require.NoError(t, err)
	require.Empty(t, ds)

	second, ds, err := plan.Acquire(path, plan.Holder{})
	require.NoError(t, err)
	require.Nil(t, second)
	require.Len(t, ds, 1)
	require.Equal(t, "MP0706", string(ds[0].ID))
	require.Contains(t, ds[0].Detail, `"memplan apply", run by ada@engine as process 42 since 2020-01-02T03:04:05Z`)

	require.NoError(t, guard.Release())
	third, ds, err := plan.Acquire(path, plan.Holder{})
	require.NoError(t, err)
	require.Empty(t, ds)
	require.NoError(t, third.Release())
	left, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Empty(t, left, "a released guard leaves nothing behind")
}

func TestNeverTwoHoldersAtOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "net.lock.json")
	var holders, most int
	var count sync.Mutex
	var wait sync.WaitGroup
	for range 8 {
		wait.Go(func() {
			for range 50 {
				guard, _, err := plan.Acquire(path, plan.Holder{})
				if err != nil || guard == nil {
					continue
				}
				count.Lock()
				holders++
				most = max(most, holders)
				count.Unlock()
				count.Lock()
				holders--
				count.Unlock()
				if err := guard.Release(); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	require.Equal(t, 1, most)
}
