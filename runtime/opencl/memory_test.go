package opencl_test

import (
	"testing"

	"github.com/memplan/memplan/runtime/opencl"
	"github.com/memplan/memplan/runtime/opencl/cl/cltest"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"
)

// Memory beside the plan grows by pieces that are larger than what is asked for, but none is larger than what the device allocates.
func TestPiecesOfTheWorkspaceAreNoLargerThanTheDeviceAllocates(t *testing.T) {
	for name, take := range map[string]func(*opencl.Device, int64) error{"kept": opencl.Keep, "staged": opencl.Stage} {
		t.Run(name, func(t *testing.T) {
			driver := cltest.New()
			driver.MaxAlloc = 1 << 20
			dev, diags, err := opencl.New(opencl.Options{API: driver})
			require.NoError(t, err)
			require.Empty(t, diags)
			defer func() { require.NoError(t, dev.Close()) }()
			created, pieces := int64(0), 0
			for range 20 {
				require.NoError(t, take(dev, 700<<10))
				now := dev.Counters().WorkspaceBytes
				require.LessOrEqual(t, now-created, driver.MaxAlloc)
				if now > created {
					pieces++
				}
				created = now
			}
			require.Greater(t, pieces, 10)
		})
	}
}

func TestWhatIsKeptTakesFewPiecesAndAtMostThreeTimesItsBytes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dev, _, err := opencl.New(opencl.Options{API: cltest.New()})
		require.NoError(t, err)
		defer func() { require.NoError(t, dev.Close()) }()
		asked := int64(0)
		for _, lines := range rapid.SliceOfN(rapid.Int64Range(1, 4096), 1, 200).Draw(t, "lines of 128 bytes") {
			asked += 128 * lines
			require.NoError(t, opencl.Keep(dev, 128*lines))
			require.LessOrEqual(t, dev.Counters().WorkspaceBytes, 3*asked+opencl.LeastKept)
		}
		require.LessOrEqual(t, dev.Counters().Workspace, int64(20))
	})
}
