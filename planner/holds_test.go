package planner_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestPinsAndRulesThatOverrideHoldsAreSaid(t *testing.T) {
	pools := device + `
pool "arena" {
  device = device.d
}
pool "weights" {
  device = device.d
  holds  = ["constant"]
}
`
	weights := "match {\nrole = [\"activation\"]\n}\npools = [pool.weights]\n"
	for name, c := range map[string]struct {
		config string
		texts  []string
	}{
		"a rule, once for all its tensors": {
			"scope_rule \"r\" {\n" + weights + "}\n" + oneGraph,
			[]string{`scope_rule.r puts the tensor "a" of graph "g", and 1 more, into pool "weights", which holds "constant" and not "activation"`},
		},
		"a pin": {
			strings.Replace(oneGraph, "device.d", "device.d\nplace \"x\" {\npool = pool.weights\n}\n", 1),
			[]string{`graph.g.place["x"] puts the tensor "x" of graph "g" into pool "weights", which holds "constant" and not "input"`},
		},
		"a rule whose second choice is such a pool": {
			"pool \"small\" {\ndevice = device.d\nsize = 1\n}\n" + strings.Replace("scope_rule \"r\" {\n"+weights+"}\n", "[pool", "[pool.small, pool", 1) + oneGraph,
			[]string{`"weights"`},
		},
		"not for holds that was left out":    {strings.Replace(oneGraph, "device.d", "device.d\nplace \"w\" {\npool = pool.arena\n}\n", 1), nil},
		"not for a rule that keeps to holds": {"scope_rule \"r\" {\nmatch {\nrole = [\"constant\"]\n}\npools = [pool.weights]\n}\n" + oneGraph, nil},
	} {
		t.Run(name, func(t *testing.T) {
			files := world{"main.hcl": pools + c.config, "net.json": net(t, "x input 8", "w constant 8", "a activation 8", "b activation 8", "y output 8",
				"1: x w -> a", "2: a -> b", "3: b -> y")}
			result, diags := files.plan(t)
			require.NotNil(t, result)
			require.Len(t, diags, len(c.texts), "%v", diags)
			for i, text := range c.texts {
				require.EqualValues(t, "MP0582", diags[i].ID)
				require.NotNil(t, diags[i].Subject)
				require.Contains(t, diags[i].Detail, text)
			}
		})
	}
}
