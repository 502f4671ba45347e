package main

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestOnlyTheFirstCollectionIsPutOff(t *testing.T) {
	usual := debug.SetGCPercent(90)
	defer debug.SetGCPercent(usual)
	t.Setenv("GOGC", "90")

	collectLater()
	require.Equal(t, 90, gcPercent(), "the environment wins")

	require.NoError(t, os.Unsetenv("GOGC"))
	collectLater()
	require.Equal(t, firstCollection, gcPercent())
	runtime.GC()
	require.Eventually(t, func() bool { return gcPercent() == 90 }, 10*time.Second, time.Millisecond)
}

func gcPercent() int {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}
