package plan_test

import (
	"reflect"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func kinds(c plan.Change) map[string]plan.ChangeKind {
	out := map[string]plan.ChangeKind{}
	for _, t := range c.Tensors {
		out[t.Tensor] = t.Kind
	}
	return out
}

func TestDiffWithoutALockPlacesEverything(t *testing.T) {
	c := plan.Diff(nil, chain())
	require.Equal(t, 4, c.Count(plan.Placed))
	require.Len(t, c.Tensors, 4)
	require.False(t, c.Empty())
}

func TestDiffOfEqualPlansIsEmpty(t *testing.T) {
	c := plan.Diff(chain(), chain())
	require.True(t, c.Empty())
	require.True(t, c.Identical)
	require.Empty(t, c.Settings)
}

func TestDiffSeesWhatMovedCameAndWent(t *testing.T) {
	now := chain()
	now.Graphs[0].Tensors[0].Offset = ptr(int64(192))
	now.Storages[2].Width = 8
	now.Graphs[0].Tensors[3].Name = "z"
	c := plan.Diff(chain(), now)
	require.Equal(t, map[string]plan.ChangeKind{"x": plan.Moved, "w": plan.Moved, "h": plan.Same, "z": plan.Placed, "y": plan.Gone}, kinds(c))
	require.Equal(t, int64(0), *c.Tensors[0].Old.Offset)
	require.Equal(t, int64(192), *c.Tensors[0].New.Offset)
	require.Equal(t, "y", c.Tensors[4].Tensor, "what is gone comes last")
	require.Equal(t, "arena", c.Tensors[4].Pool())
	require.Equal(t, int64(128), c.Tensors[4].Size())
}

func TestDiffSeesThatTheRowsOfATensorMoved(t *testing.T) {
	was, now := chain(), chain()
	was.Graphs[0].Tensors[2].Rows = &plan.Rows{Bytes: 16, Stride: 32}
	now.Graphs[0].Tensors[2].Rows = &plan.Rows{Bytes: 32, Stride: 80}
	require.Equal(t, plan.Same, kinds(plan.Diff(was, was))["h"])
	c := plan.Diff(was, now)
	require.Equal(t, plan.Moved, kinds(c)["h"])
	require.Equal(t, "in rows of 32 bytes every 80", c.Tensors[2].New.Rows.String())
}

// What a plan says of a tensor and its storage is its place, or is told elsewhere: a new member must be in one of the two.
func TestEachMemberOfATensorIsItsPlaceOrToldElsewhere(t *testing.T) {
	elsewhere := map[string]string{
		"name": "what is compared by", "id": "only counted", "storage": "only counted",
		"role": "of the graph, which has a digest", "dtype": "of the graph", "compute_dtype": "of the graph", "shape": "of the graph", "layout": "of the graph", "producer": "of the graph",
		"logical_size": "of the graph", "upper_bound": "of the graph and its dims", "kept": "declared", "alignment": "declared, or of the dtype",
		"first": "of the order", "last": "of the order", "gaps": "of the order",
		"view_of": "why it is there", "view_offset": "why it is there", "shares": "why it is there", "diagonal": "why it is there", "reason": "why it is there",
	}
	place, _ := members(reflect.TypeFor[plan.Place]())
	tensor, _ := members(reflect.TypeFor[plan.Tensor]())
	storage, _ := members(reflect.TypeFor[plan.Storage]())
	for _, name := range append(tensor, storage...) {
		_, told := elsewhere[name]
		require.NotEqual(t, slices.Contains(place, name), told, name)
	}
}

func TestDiffIgnoresHowStoragesAreCounted(t *testing.T) {
	now := chain()
	now.Storages[2].ID, now.Graphs[0].Tensors[1].Storage = 7, 7
	c := plan.Diff(chain(), now)
	require.True(t, c.Empty())
	require.False(t, c.Identical)
}

func TestDiffComparesSettingsAsTheyAreWritten(t *testing.T) {
	read, ds := plan.Decode([]byte(encoded(t, chain())))
	require.Empty(t, ds)
	require.Empty(t, plan.Diff(read, chain()).Settings)
	now := chain()
	now.Settings["planner.algorithm"] = plan.Setting{Value: "exact"}
	delete(now.Settings, "planner.views")
	now.Settings["planner.io"] = plan.Setting{Value: "external"}
	require.Equal(t, []string{"planner.algorithm", "planner.io", "planner.views"}, plan.Diff(chain(), now).Settings)
}

func TestTensorsOfSeveralGraphsAreToldApart(t *testing.T) {
	now := chain()
	other := now.Graphs[0]
	other.Name = "other"
	now.Graphs = append(now.Graphs, other)
	c := plan.Diff(chain(), now)
	require.Equal(t, 4, c.Count(plan.Same))
	require.Equal(t, 4, c.Count(plan.Placed))
}
