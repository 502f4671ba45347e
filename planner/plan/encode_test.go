package plan_test

import (
	"encoding/json"
	"flag"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestEncodeWritesTheCanonicalForm(t *testing.T) {
	got, err := plan.Encode(chain())
	require.NoError(t, err)
	const golden = "testdata/chain.json"
	if *update {
		require.NoError(t, os.WriteFile(golden, got, 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), string(got))
	require.True(t, json.Valid(got))
}

func TestEncodeKeepsIntegersExact(t *testing.T) {
	p := chain()
	p.Pools[0].Capacity = ptr(int64(math.MaxInt64))
	got, err := plan.Encode(p)
	require.NoError(t, err)
	require.Contains(t, string(got), `"capacity": 9223372036854775807`)
}

func TestEncodeKeepsNamesReadable(t *testing.T) {
	p := chain()
	p.Graphs[0].Tensors[0].Name = "a<b>&\u00e9\n"
	got, err := plan.Encode(p)
	require.NoError(t, err)
	require.Contains(t, string(got), `"name": "a<b>&`+"\u00e9"+`\n"`)
}

func TestEncodeRefusesASettingThatJSONCannotHold(t *testing.T) {
	for name, value := range map[string]any{"not a number": math.NaN(), "a function": func() {}} {
		p := chain()
		p.Settings["planner.x"] = plan.Setting{Value: value}
		_, err := plan.Encode(p)
		require.ErrorContains(t, err, "planner.x", name)
	}
}

func TestDigestChangesWithThePlan(t *testing.T) {
	one, err := plan.Digest(chain())
	require.NoError(t, err)
	again, err := plan.Digest(chain())
	require.NoError(t, err)
	require.Equal(t, one, again)
	require.True(t, strings.HasPrefix(one, "sha256:") && len(one) == 71, one)
	p := chain()
	p.Graphs[0].Tensors[0].Offset = ptr(int64(1))
	other, err := plan.Digest(p)
	require.NoError(t, err)
	require.NotEqual(t, one, other)
}
