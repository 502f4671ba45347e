package plan_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

func TestStaleNamesWhatMoved(t *testing.T) {
	lock := chain()
	lock.Graphs[0].Tensors[0].Offset = ptr(int64(256))
	lockDigest, err := plan.Digest(lock)
	require.NoError(t, err)
	moved := func(change func(*plan.Plan)) *plan.Plan {
		p := chain()
		change(p)
		return p
	}
	for name, c := range map[string]struct {
		reviewed  string
		now, lock *plan.Plan
		want      string
	}{
		"nothing moved, no lock":           {"", chain(), nil, ""},
		"nothing moved, the same lock":     {lockDigest, chain(), lock, ""},
		"it was applied already":           {"", chain(), chain(), ""},
		"the configuration":                {"", moved(func(p *plan.Plan) { p.ConfigDigest = "sha256:ff" }), nil, "the configuration changed"},
		"a graph file":                     {"", moved(func(p *plan.Plan) { p.Graphs[0].Digest = "sha256:ff" }), nil, "the graph file net.json changed"},
		"a setting":                        {"", moved(func(p *plan.Plan) { p.Settings["planner.algorithm"] = plan.Setting{Value: "exact"} }), nil, "the setting planner.algorithm changed from auto to exact"},
		"the version of memplan":           {"", moved(func(p *plan.Plan) { p.MemplanVersion = "0.2.0" }), nil, "memplan changed from version 0.1.0 to 0.2.0"},
		"the placement alone":              {"", moved(func(p *plan.Plan) { p.Storages[0].Size = 65 }), nil, "places the same tensors differently"},
		"a lock where there was none":      {"", chain(), lock, "the lock was written by another apply"},
		"no lock where there was one":      {lockDigest, chain(), nil, "the lock was written by another apply"},
		"several at once, in one sentence": {"", moved(func(p *plan.Plan) { p.ConfigDigest, p.MemplanVersion = "", "0.2.0" }), nil, "0.2.0, and the configuration changed"},
	} {
		t.Run(name, func(t *testing.T) {
			saved := &plan.Saved{Plan: *chain(), Saved: plan.Provenance{Lock: c.reviewed}}
			ds, err := plan.Stale(saved, c.now, c.lock)
			require.NoError(t, err)
			if c.want == "" {
				require.Empty(t, ds)
				return
			}
			require.Len(t, ds, 1)
			require.Equal(t, "MP0705", string(ds[0].ID))
			require.Contains(t, ds[0].Detail, c.want)
		})
	}
}
