package planner_test

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/testdata/networks"
)

func reports(t *testing.T, w world) []planner.Report {
	t.Helper()
	result, ds := w.plan(t)
	require.False(t, ds.HasErrors(), ds)
	out, err := result.Reports(context.Background())
	require.NoError(t, err)
	for i, r := range out {
		last := r.Chain[len(r.Chain)-1]
		require.Equal(t, result.Plan.Pools[i].Peak, last.Bytes, "the chain ends in the plan")
		for k, link := range r.Chain[1:] {
			require.Equal(t, r.Chain[k].Bytes-link.Bytes, link.Saved)
		}
	}
	return out
}

func TestTheChainLeadsFromNoSharingToThePlan(t *testing.T) {
	w := world{
		"main.hcl": `device "d" {
  driver         = "none"
  base_alignment = 1
}
pool "arena" { device = device.d }
graph "g" {
  source = "g.json"
  device = device.d
}
planner {
  views = ["reshape", "inplace"]
  order = "memory"
}
`,
		// The long branch first keeps both ends of the short one alive; in the other order only one of them waits.
		"g.json": net(t, "x input 10", "wide activation 100", "narrow activation 4", "big activation 100", "small activation 4", "y output 4",
			"Custom.1: x -> wide", "Custom.2: x -> big", "Custom.3: wide -> narrow", "Custom.4: big -> small", "Custom.5: narrow small -> y"),
	}
	found := reports(t, w)[0]
	require.Equal(t, []planner.Link{
		{Step: planner.NoSharing, Bytes: 222},
		{Step: planner.SourceOrder, Bytes: 210, Saved: 12},
		{Step: planner.InPlace, Bytes: 210},
		{Step: planner.MemoryOrder, Bytes: 114, Saved: 96},
	}, found.Chain)
	require.Empty(t, found.Remedies)
	require.Equal(t, planner.Peak{Graph: "g", Step: found.Peaks[0].Step, Op: found.Peaks[0].Op}, found.Peaks[0])
	require.Equal(t, int64(114), found.LiveBytes)
	require.Equal(t, 3, found.LiveCount)
	require.Equal(t, int64(100), found.Live[0].Bytes)
}

// TestRemediesGiveWhatTheySay plans a model with each remedy that its report names.
func TestRemediesGiveWhatTheySay(t *testing.T) {
	model, err := os.ReadFile(filepath.Join("../testdata/models", "face_detection_short_range.tflite"))
	require.NoError(t, err)
	with := func(settings, inside string) world {
		return world{"main.hcl": flat + "graph \"g\" {\n  source = \"m.tflite\"\n  device = device.d\n" + inside + "}\nplanner {\n" + settings + "}\n", "m.tflite": string(model)}
	}
	keep := "  keep = [\"conv2d_1\"]\n"
	found := reports(t, with("", keep))[0]
	require.NotEmpty(t, found.Remedies)
	settings := map[string]world{
		`views = ["reshape", "inplace"] in planner`: with("  views = [\"reshape\", \"inplace\"]\n", keep),
		`views = ["reshape", "concat"] in planner`:  with("  views = [\"reshape\", \"concat\"]\n", keep),
		`order = "memory" in planner`:               with("  order = \"memory\"\n", keep),
		"no keep in graph.g":                        with("", ""),
		`rewrite = ["fold", "fuse"] in planner`:     with("  rewrite = [\"fold\", \"fuse\"]\n", keep),
		`views = ["reshape", "inplace", "concat"], rewrite = ["fold", "fuse"] and order = "memory" in planner`: with("  views = [\"reshape\", \"inplace\", \"concat\"]\n  rewrite = [\"fold\", \"fuse\"]\n  order = \"memory\"\n", keep),
	}
	var named []string
	for _, r := range found.Remedies {
		w, known := settings[r.Setting]
		require.True(t, known, r.Setting)
		require.Equal(t, w.must(t).Pools[0].Peak, r.Bytes, r.Setting)
		named = append(named, r.Setting)
	}
	require.Contains(t, strings.Join(named, "; "), "no keep")
	require.Contains(t, strings.Join(named, "; "), "inplace")
}

// Of all plans that are compared, such as those with fewer pieces in place, a remedy has the best, as planning with it has.
func TestAnOrderOrAViewIsARemedyOfAsManyBytesAsAPlanWithItHas(t *testing.T) {
	for _, n := range networks.Small() {
		if n.Name != "unet_plus_plus" {
			continue
		}
		var text bytes.Buffer
		require.NoError(t, native.Write(&text, n.Build()))
		with := func(views, order string) world {
			return world{"main.hcl": flat + "graph \"g\" {\n  source = \"m.json\"\n  device = device.d\n}\nplanner {\n  views = [" + views + "]\n  order = \"" + order + "\"\n}\n", "m.json": text.String()}
		}
		for setting, worlds := range map[string][2]world{
			`order = "memory" in planner`:              {with(`"reshape", "concat"`, "source"), with(`"reshape", "concat"`, "memory")},
			`views = ["reshape", "concat"] in planner`: {with(`"reshape"`, "memory"), with(`"reshape", "concat"`, "memory")},
		} {
			found := map[string]int64{}
			for _, r := range reports(t, worlds[0])[0].Remedies {
				found[r.Setting] = r.Bytes
			}
			require.Equal(t, worlds[1].must(t).Pools[0].Peak, found[setting], "%s: %v", setting, found)
		}
	}
}

func TestDiagonalOverlapIsARemedyWhereTheDeviceKeepsAnOrder(t *testing.T) {
	// The second runs separable convolutions as one op, and as two with diagonal overlap.
	for _, s := range subjects(t) {
		if s.name != "hand_landmark_lite.tflite" && s.name != "mobilenet_v2_nhwc.json" {
			continue
		}
		on := func(driver, settings string) world {
			return world{"main.hcl": "device \"d\" {\n  driver = \"" + driver + "\"\n}\npool \"p\" {\n  device = device.d\n}\ngraph \"g\" {\n  source = \"" + s.name + "\"\n  device = device.d\n}\nplanner {\n" + settings + "}\n", s.name: string(s.content)}
		}
		found := map[string]int64{}
		for _, r := range reports(t, on("host", ""))[0].Remedies {
			found[r.Setting] = r.Bytes
		}
		bytes, advised := found[`views = ["reshape", "inplace", "concat", "diagonal"] in planner`]
		require.True(t, advised, "%s: %v", s.name, found)
		require.Equal(t, on("host", "  views = [\"reshape\", \"inplace\", \"concat\", \"diagonal\"]\n").must(t).Pools[0].Peak, bytes, s.name)
		for _, r := range reports(t, on("none", ""))[0].Remedies {
			require.NotContains(t, r.Setting, "diagonal")
		}
	}
}

func TestImagesAreStoredSideBySideWithoutSharing(t *testing.T) {
	model, err := os.ReadFile(filepath.Join("../testdata/models", "face_detection_short_range.tflite"))
	require.NoError(t, err)
	for _, r := range reports(t, world{"main.hcl": phone + "graph \"g\" {\n  source = \"m.tflite\"\n  device = module.phone.device\n}\n", "m.tflite": string(model)}) {
		if strings.HasSuffix(r.Pool, "textures") {
			require.Greater(t, r.Chain[0].Bytes, 2*r.Chain[len(r.Chain)-1].Bytes)
		}
	}
}

// A rewrite that would lower a peak is named, with the bytes that planning with it gives.
func TestRewritesAreRemedies(t *testing.T) {
	for name, rewrites := range map[string]string{"unet": `"partial_sums"`, "unet_plus_plus": `"partial_sums"`, "mobilenet_v1": ""} {
		with := func(settings string) world {
			w := world{"main.hcl": "device \"d\" {}\npool \"p\" {\n  device = device.d\n}\ngraph \"g\" {\n  source = \"m.json\"\n  device = device.d\n  dims = { N = 1 }\n}\nplanner {\n" + settings + "}\n"}
			for _, n := range networks.Small() {
				if n.Name == name {
					var text bytes.Buffer
					require.NoError(t, native.Write(&text, n.Build()))
					// One dimension is bound by the configuration.
					w["m.json"] = strings.Replace(text.String(), "[1, 3, 64, 64]", "[\"N\", 3, 64, 64]", 1)
					require.NotEqual(t, text.String(), w["m.json"])
				}
			}
			return w
		}
		found := map[string]int64{}
		for _, r := range reports(t, with(""))[0].Remedies {
			if strings.HasPrefix(r.Setting, "rewrite") {
				found[r.Setting] = r.Bytes
			}
		}
		if rewrites == "" {
			require.Empty(t, found, name)
			continue
		}
		require.Equal(t, map[string]int64{"rewrite = [\"fold\", \"fuse\", " + rewrites + "] in planner": with("  rewrite = [\"fold\", \"fuse\", " + rewrites + "]\n").must(t).Pools[0].Peak}, found, name)
	}
}
