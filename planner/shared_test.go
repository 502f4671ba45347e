package planner_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/check"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// kernels has constants of the same bytes in images: two alike, and one whose axes are in another order.
func kernels(t *testing.T) world {
	s := new(sketch).tensor("x", graph.Input, 1, 4, 8, 8).tensor("w0", graph.Constant, 4, 4, 1, 1).tensor("w1", graph.Constant, 4, 4, 1, 1).tensor("turned", graph.Constant, 4, 1, 1, 4).
		tensor("y", graph.Output, 1, 4, 8, 8).op("Custom.1", "x w0 w1 turned", "y")
	for name, layout := range map[string]string{"w0": "OIHW", "w1": "OIHW", "turned": "IHWO"} {
		w := &s.Tensors[s.ByName(name)]
		w.Layout, w.Data = layout, graph.Bytes(strings.Repeat("0123456789abcdef", 4))
	}
	hcl, _, _ := strings.Cut(adreno(16384), "scope_rule")
	hcl = strings.Replace(hcl, `["activation"]`, `["activation", "constant"]`, 1)
	hcl = strings.Replace(hcl, `op     = ["Painter"]`, `op     = ["Custom"]`, 1)
	hcl = strings.Replace(hcl, `["global", "global.texture"]`, `["global", "global.texture-weight"]`, 1)
	hcl = strings.Replace(hcl, `output = ["global.texture"]`, `output = ["global"]`, 1)
	return world{"main.hcl": hcl + "scope_rule \"kernels\" {\nmatch { role = [\"constant\"] }\nscope = \"global.texture-weight\"\n}\n", "net.json": s.text(t)}
}

func TestConstantsInImagesAreOneOnlyWhenTheyAreTheSameImage(t *testing.T) {
	result, diags := kernels(t).plan(t)
	require.Empty(t, diags)
	p := result.Plan
	first, turned := tensor(t, p, "w0"), tensor(t, p, "turned")
	require.Equal(t, "global.texture-weight", first.Scope)
	require.Equal(t, "global.texture-weight", turned.Scope)
	require.Equal(t, &plan.Share{Graph: "g", Tensor: "w0", Because: "content"}, tensor(t, p, "w1").Shares)
	require.Nil(t, turned.Shares, "the same bytes in another order of axes are another image")

	turned.Storage, turned.Shares = first.Storage, &plan.Share{Graph: "g", Tensor: "w0", Because: "content"}
	var found []string
	for _, d := range check.Verify(p, result.Graphs) {
		if d.ID == diag.PlanShareWrong {
			found = append(found, d.Detail)
		}
	}
	require.Len(t, found, 1)
	require.Contains(t, found[0], `"turned" of graph "g" and "w0" of graph "g" are in one image, and as images they differ`)
}

func TestConstantsKnownByDigestShareWhereThoseWithContentDo(t *testing.T) {
	for _, store := range []string{"", `store = "float16"`} {
		for _, content := range []string{`"data": "AACAPwAAgD8AAIA/AACAPw=="`, `"digest": "sha256:` + strings.Repeat("0a", 32) + `"`} {
			constant := func(name string) string {
				return `{"name": "` + name + `", "role": "constant", "dtype": "float32", "shape": [4], ` + content + `}`
			}
			result, diags := world{
				"main.hcl": "device \"d\" {}\npool \"p\" {\n  device = device.d\n  holds = [\"constant\", \"input\", \"output\", \"activation\"]\n}\nscope_rule \"r\" {\n  scope = \"global\"\n  " + store +
					"\n}\ngraph \"g\" {\n  source = \"net.json\"\n  device = device.d\n}\n",
				"net.json": `{"format_version": "1.0", "name": "g", "tensors": [{"name": "x", "role": "input", "dtype": "float32", "shape": [4]}, ` + constant("a") + `, ` + constant("b") + `,
					{"name": "t", "dtype": "float32", "shape": [4]}, {"name": "y", "role": "output", "dtype": "float32", "shape": [4]}],
					"ops": [{"name": "first", "op": "Sub", "inputs": ["x", "a"], "outputs": ["t"]}, {"name": "second", "op": "Mul", "inputs": ["t", "b"], "outputs": ["y"]}]}`,
			}.plan(t)
			require.Empty(t, diags)
			require.True(t, tensor(t, result.Plan, "b").Shares != nil, "%s %s", store, content)
		}
	}
}
