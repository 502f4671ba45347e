package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestDiffNamesWhatDevicesAndPoolsDeclareDifferently(t *testing.T) {
	now := chain()
	now.Devices[0].BaseAlignment = 256
	now.Pools[0].Capacity = ptr(int64(1 << 20))
	now.Pools[0].Peak += 64
	now.Pools = append(now.Pools, plan.Pool{Name: "extra"})
	old := chain()
	old.Pools[0].Capacity = nil
	old.Pools = append(old.Pools, plan.Pool{Name: "spare"})
	var got []string
	for _, c := range plan.Diff(old, now).Attributes {
		got = append(got, c.String())
	}
	require.Equal(t, []string{
		"device " + now.Devices[0].Name + ": base_alignment 64 → 256", "pool arena: capacity none → 1048576", "pool extra is new", "pool spare is gone",
	}, got)
}

func TestDiffNamesTheLimitsOfTextures(t *testing.T) {
	old, now := chain(), chain()
	old.Devices[0].Image2D = &plan.Image2D{MaxWidth: 8192}
	now.Devices[0].Image2D = &plan.Image2D{MaxWidth: 16384}
	changes := plan.Diff(old, now).Attributes
	require.Len(t, changes, 1)
	require.Equal(t, "image2d.max_width", changes[0].Attribute)
}

func TestWithoutAnEarlierPlanNoAttributeHasChanged(t *testing.T) {
	require.Empty(t, plan.Diff(nil, chain()).Attributes)
	require.Empty(t, plan.Diff(chain(), chain()).Attributes)
}
