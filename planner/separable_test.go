package planner_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/plan"
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
		separable[g.Name] = len(blocksOf(g))
	}
	for i := range p.Pools {
		if want, ok := alone[p.Pools[i].Name]; ok {
			require.Equal(t, want, p.Pools[i].Peak, p.Pools[i].Name)
		}
	}
	require.Positive(t, separable["face_detection_short_range"])
	require.Zero(t, separable["mobilenet_v2_nhwc"])
}

// Where some tensors are images, those convolutions that touch none of them still run as one op.
func TestSeparableConvolutionsBesideImages(t *testing.T) {
	const model = "face_detection_short_range.tflite"
	var content string
	for _, s := range subjects(t) {
		if s.name == model {
			content = string(s.content)
		}
	}
	for _, driver := range []string{"host", "opencl"} {
		t.Run(driver, func(t *testing.T) {
			planned := func(rule string) *plan.Plan {
				return world{model: content, "main.hcl": fmt.Sprintf(`
device "d" {
  driver = %q
  image2d {
    max_width  = 4096
    max_height = 4096
  }
}
pool "arena" { device = device.d }
pool "images" {
  device = device.d
  type   = "texture"
}
%s
graph "g" {
  source = %q
  device = device.d
}
`, driver, rule, model)}.must(t)
			}
			all := planned("").Graphs[0]
			blocks := blocksOf(all)
			require.Greater(t, len(blocks), 4)
			image := blocks[len(blocks)/2].Inputs[0]
			some := planned(fmt.Sprintf("scope_rule \"one\" {\n  match { tensor = %q }\n  scope = \"global.texture-nhwc\"\n}\n", image)).Graphs[0]
			images := 0
			for i := range some.Tensors {
				if some.Tensors[i].Scope != "global" {
					images++
				}
			}
			require.Positive(t, images)
			left := blocksOf(some)
			require.NotEmpty(t, left)
			require.Less(t, len(left), len(blocks))
			for _, s := range left {
				for _, name := range append(slices.Clone(s.Inputs), s.Outputs...) {
					at := slices.IndexFunc(some.Tensors, func(t plan.Tensor) bool { return t.Name == name })
					require.True(t, at < 0 || some.Tensors[at].Scope == "global", "%s of %s", name, s.Name)
				}
			}
		})
	}
}

// blocksOf are the steps that are two convolutions.
func blocksOf(g plan.Graph) []plan.Step {
	return slices.DeleteFunc(slices.Clone(g.Steps), func(s plan.Step) bool { return strings.Count(strings.Join(s.Fused, " "), "Conv") < 2 })
}
