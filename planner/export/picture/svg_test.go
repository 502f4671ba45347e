package picture_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/export/picture"
	"github.com/memplan/memplan/planner/plan"
)

var update = flag.Bool("update", false, "write the golden files anew")

func svgOf(t require.TestingT, p *plan.Plan) string {
	var out bytes.Buffer
	require.NoError(t, picture.SVG(&out, picture.Subject{Plan: p}))
	return out.String()
}

// shapes are the elements of a document by the value of their attribute class, and all of its text.
func shapes(t require.TestingT, document string) (classes map[string]int, texts []string) {
	classes = map[string]int{}
	dec := xml.NewDecoder(strings.NewReader(document))
	for {
		token, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return classes, texts
		}
		require.NoError(t, err)
		switch token := token.(type) {
		case xml.StartElement:
			require.NotContains(t, []string{"script", "img", "image", "foreignObject", "a", "use"}, token.Name.Local)
			for _, a := range token.Attr {
				require.False(t, strings.HasPrefix(strings.ToLower(a.Name.Local), "on"), "a handler")
				if a.Name.Local == "class" {
					classes[a.Value]++
				}
			}
		case xml.CharData:
			texts = append(texts, string(token))
		}
	}
}

func TestAPictureIsItsGoldenFile(t *testing.T) {
	got := svgOf(t, small())
	if *update {
		require.NoError(t, os.WriteFile("testdata/small.svg", []byte(got), 0o644))
	}
	want, err := os.ReadFile("testdata/small.svg")
	require.NoError(t, err)
	require.Equal(t, string(want), got)
}

func TestAPictureShowsWhatThereIs(t *testing.T) {
	classes, texts := shapes(t, svgOf(t, small()))
	all := strings.Join(texts, "\n")
	for class, least := range map[string]int{"tile input": 2, "tile output": 2, "tile constant": 2, "view": 2, "hatch": 2, "pin": 2, "peak": 2, "bound": 4, "capacity": 2, "area": 2, "image": 1} {
		assert.GreaterOrEqual(t, classes[class], least, class)
	}
	for _, text := range []string{"Pool arena, graph net", "Images of pool images, graph net", "9: 4 × 20", "peak at step 2, relu <i>", "capacity 3 KiB", "steps, in the order in which the ops run", "bytes from the pool's start",
		"flat & <b>bold</b>: activation float32, 1 KiB, bytes [1024, 2048), steps [2, 3), view of c@global", "c: activation float32, 1 KiB, 4 × 16 texels, steps [0, 2)"} {
		assert.Contains(t, all, text)
	}
}

func TestAPictureOfOneGraphShowsNoOther(t *testing.T) {
	p := small()
	p.Graphs = append(p.Graphs, p.Graphs[0])
	p.Graphs[1].Name = "second"
	var out bytes.Buffer
	require.NoError(t, picture.SVG(&out, picture.Subject{Plan: p, Graph: "second"}))
	require.NotContains(t, out.String(), "graph net")
	require.Contains(t, svgOf(t, p), "graph net")
}

func TestAnyPlanGivesAWellFormedDocument(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := small()
		amount := rapid.OneOf(rapid.Int64Range(0, 5000), rapid.Int64Range(0, 1<<62))
		step := rapid.OneOf(rapid.Int64Range(0, 6), rapid.Int64Range(-1<<62, 1<<62))
		for i := range p.Pools {
			p.Pools[i].Peak, p.Pools[i].Bound, p.Pools[i].Capacity = amount.Draw(t, "peak"), amount.Draw(t, "bound"), ptr(amount.Draw(t, "capacity"))
		}
		g := &p.Graphs[0]
		for i := range g.Tensors {
			o := &g.Tensors[i]
			o.Name, o.Role = rapid.OneOf(rapid.String(), rapid.Just("a\xff\x00\u202e￾")).Draw(t, "name"), rapid.SampledFrom([]string{"input", "<b>"}).Draw(t, "role")
			o.First, o.Last, o.Size = step.Draw(t, "first"), step.Draw(t, "last"), amount.Draw(t, "size")
			if o.Offset != nil {
				o.Offset = ptr(min(amount.Draw(t, "offset"), 1<<62-1))
			}
		}
		document := svgOf(t, p)
		shapes(t, document)
		require.Less(t, len(document), 1<<20)
	})
}

func TestPagesHoldNamesAsDataOnly(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, picture.HTML(&out, picture.Subject{Plan: small()}))
	page := out.String()
	assert.Equal(t, 2, strings.Count(page, "</script>"), "a name ends no script")
	assert.NotContains(t, page, "<img")
	assert.NotContains(t, page, "<b>bold")
	for _, scheme := range []string{"http://", "https://", "//cdn", "@import", "url("} {
		assert.NotContains(t, page, scheme)
	}
	var again bytes.Buffer
	require.NoError(t, picture.HTML(&again, picture.Subject{Plan: small()}))
	assert.Equal(t, page, again.String())
}
