package planner_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Of two graphs in pools of their own, one needs less with separable convolutions as one op and the other with results over
// operands from below, which those have none of: both get what they need alone.
func TestEachGraphHasSeparableConvolutionsAsItNeedsLess(t *testing.T) {
	files, text := world{}, strings.Builder{}
	const planner = "planner { views = [\"reshape\", \"inplace\", \"concat\", \"diagonal\"] }\n"
	text.WriteString(planner)
	alone := map[string]int64{}
	const together, apart = "face_detection_short_range.tflite", "mobilenet_v2_nhwc.json"
	for _, s := range subjects(t) {
		if s.name != together && s.name != apart {
			continue
		}
		name, _, _ := strings.Cut(s.name, ".")
		block := fmt.Sprintf("device %[1]q {}\npool %[1]q { device = device.%[1]s }\ngraph %[1]q {\n  source = %[2]q\n  device = device.%[1]s\n}\n", name, s.name)
		alone[name] = world{s.name: string(s.content), "main.hcl": planner + block}.must(t).Pools[0].Peak
		files[s.name] = string(s.content)
		text.WriteString(block)
	}
	files["main.hcl"] = text.String()
	require.Len(t, alone, 2)
	separable := map[string]int{}
	p := files.must(t)
	for _, g := range p.Graphs {
		for i := range g.Steps {
			if strings.Count(strings.Join(g.Steps[i].Fused, " "), "Conv") > 1 {
				separable[g.Name]++
			}
		}
	}
	for i := range p.Pools {
		if want, ok := alone[p.Pools[i].Name]; ok {
			require.Equal(t, want, p.Pools[i].Peak, p.Pools[i].Name)
		}
	}
	require.Positive(t, separable["face_detection_short_range"])
	require.Zero(t, separable["mobilenet_v2_nhwc"])
}
