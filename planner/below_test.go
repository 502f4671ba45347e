package planner_test

import (
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/memplan/memplan/testdata/networks"
)

// subject is a graph file to measure.
type subject struct {
	name    string
	dims    map[string]config.Dim
	content []byte
}

func subjects(t testing.TB) []subject {
	var out []subject
	const models = "../testdata/models"
	for _, name := range []string{
		"ch_ppocr_mobile_v2.0_cls_infer.onnx", "face_detection_front_128x128_barracuda.onnx", "face_detection_short_range.tflite",
		"hand_landmark_lite.tflite", "palm_detection_lite.tflite",
	} {
		content, err := os.ReadFile(filepath.Join(models, name))
		require.NoError(t, err)
		s := subject{name: name, content: content}
		if strings.HasPrefix(name, "ch_ppocr") {
			s.dims = map[string]config.Dim{"p2o.DynamicDimension.0": {Value: 1}, "p2o.DynamicDimension.1": {Value: 48}, "p2o.DynamicDimension.2": {Value: 192}}
		}
		out = append(out, s)
	}
	for _, n := range networks.All() {
		var text bytes.Buffer
		require.NoError(t, native.Write(&text, n.Build()))
		out = append(out, subject{name: n.Name + ".json", content: text.Bytes()})
	}
	return out
}

func planSubject(t testing.TB, s subject, change func(*config.Planner)) *plan.Plan {
	return planSubjectOn(t, "host", s, change)
}

func planSubjectOn(t testing.TB, driver string, s subject, change func(*config.Planner)) *plan.Plan {
	cfg := config.Bare(s.name, s.dims)
	cfg.Devices[0].Driver = driver
	change(&cfg.Planner)
	open := func(path string) (*source.File, error) { return source.FromBytes(path, s.content), nil }
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: open, Version: "test"})
	require.NoError(t, err, s.name)
	require.False(t, diags.HasErrors(), "%s: %v", s.name, diags)
	defer func() { require.NoError(t, result.Close()) }()
	return result.Plan
}

func TestLessMemoryThanAPackingOfTheModelsOwnOrder(t *testing.T) {
	var table strings.Builder
	table.WriteString("| network | tflite_greedy | host defaults | ratio | live bytes proved least | with partial sums | ratio | with diagonal | ratio | with both | ratio |\n|---|---:|---:|---:|---|---:|---:|---:|---:|---:|---:|\n")
	var ratios, second [][4]float64
	for i, s := range subjects(t) {
		if !needs.Turn(i, 5) {
			continue
		}
		packed := planSubject(t, s, func(p *config.Planner) { p.Algorithm = "tflite_greedy" })
		below := planSubject(t, s, func(p *config.Planner) { p.Order, p.Rewrite, p.Views = "", nil, nil })
		before, after, order := packed.Pools[0].Peak, below.Pools[0].Peak, below.Graphs[0].Order
		require.LessOrEqual(t, after, before, s.name)
		require.NotNil(t, order, s.name)
		proved := "yes"
		if order.Live > order.Bound {
			proved = fmt.Sprintf("%d at least", order.Bound)
		}
		parts := planSubject(t, s, func(p *config.Planner) {
			p.Order, p.Rewrite, p.Views = "", []string{"fold", "fuse", "partial_sums"}, nil
		}).Pools[0].Peak
		require.LessOrEqual(t, parts, before, s.name)
		diagonal := planSubject(t, s, func(p *config.Planner) {
			p.Order, p.Rewrite, p.Views = "", nil, []string{"reshape", "inplace", "concat", "diagonal"}
		}).Pools[0].Peak
		require.LessOrEqual(t, diagonal, after, s.name)
		together := planSubject(t, s, func(p *config.Planner) {
			p.Order, p.Rewrite, p.Views = "", []string{"fold", "fuse", "partial_sums"}, []string{"reshape", "inplace", "concat", "diagonal"}
		}).Pools[0].Peak
		require.LessOrEqual(t, together, parts, s.name)
		var ratio [4]float64
		for k, peak := range []int64{after, parts, diagonal, together} {
			ratio[k] = float64(peak) / float64(before)
		}
		if ratios = append(ratios, ratio); !strings.Contains(s.name, "nhwc") {
			second = append(second, ratio)
		}
		fmt.Fprintf(&table, "| %s | %d | %d | %.3f | %s | %d | %.3f | %d | %.3f | %d | %.3f |\n",
			s.name, before, after, ratio[0], proved, parts, ratio[1], diagonal, ratio[2], together, ratio[3])
	}
	if needs.Raced {
		return // some were planned
	}
	for _, mean := range []struct {
		of   string
		list [][4]float64
	}{{"", ratios}, {" without nhwc", second}} {
		fmt.Fprintf(&table, "| geometric mean of %d%s | | | %.3f | | | %.3f | | %.3f | | %.3f |\n", len(mean.list), mean.of,
			geometricMean(mean.list, 0), geometricMean(mean.list, 1), geometricMean(mean.list, 2), geometricMean(mean.list, 3))
	}
	requireSection(t, "below packing", table.String())
}

// geometricMean is that of one column.
func geometricMean(list [][4]float64, column int) float64 {
	logs := 0.0
	for _, ratios := range list {
		logs += math.Log(ratios[column])
	}
	return math.Exp(logs / float64(len(list)))
}

// Networks with depthwise convolutions, which run as one op with what reads them on memplan's own devices: no peak may grow by
// that. The driver "none" has no kernels for it, whatever its settings.
func TestSeparableConvolutionsAsOneOpNeedNoMore(t *testing.T) {
	var table strings.Builder
	table.WriteString("| network | as two ops | host | ratio | OpenCL | ratio |\n|---|---:|---:|---:|---:|---:|\n")
	for _, s := range subjects(t) {
		if strings.HasSuffix(s.name, ".json") && !strings.HasPrefix(s.name, "mobilenet") {
			continue
		}
		peak := func(driver string) int64 {
			return planSubjectOn(t, driver, s, func(p *config.Planner) {
				p.Order, p.Rewrite, p.Views = "memory", []string{"fold", "fuse"}, []string{"reshape", "inplace", "concat"}
			}).Pools[0].Peak
		}
		apart, host, opencl := peak("none"), peak("host"), peak("opencl")
		require.LessOrEqual(t, host, apart, s.name)
		require.LessOrEqual(t, opencl, apart, s.name)
		fmt.Fprintf(&table, "| %s | %d | %d | %.3f | %d | %.3f |\n", s.name, apart, host, float64(host)/float64(apart), opencl, float64(opencl)/float64(apart))
	}
	requireSection(t, "separable", table.String())
}

func BenchmarkOrderForMemory(b *testing.B) {
	for _, s := range subjects(b) {
		b.Run(s.name, func(b *testing.B) {
			for range b.N {
				planSubject(b, s, func(p *config.Planner) { p.Order, p.Rewrite, p.Views = "", nil, nil })
			}
		})
	}
}
