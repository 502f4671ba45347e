package picture_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/explain"
	"github.com/memplan/memplan/planner/export/picture"
	"github.com/memplan/memplan/planner/plan"
)

const details = `document.querySelector('#details').textContent`

// facts is how the page shows an explanation: each label followed by its lines.
func facts(t *testing.T, p *plan.Plan, tensor string) string {
	found, ds := explain.Tensor(p, "", tensor)
	require.Empty(t, ds)
	var b strings.Builder
	for _, f := range found[0].Facts() {
		b.WriteString(f.Label + strings.Join(f.Lines, ""))
	}
	return b.String()
}

// explained selects one tensor after the other and gives the name and the text of each explanation.
const explained = `JSON.stringify(all.map((tensor) => {
  memplan.select(tensor);
  return ['h2', 'dl'].map((part) => document.querySelector('#details ' + part).textContent);
}))`

func TestEveryTensorIsExplainedInFull(t *testing.T) {
	two := large(40)
	two.Graphs[0].Tensors[3].Name = "a \\ \"quoted\" name\u202e"
	two.Graphs = append(two.Graphs, two.Graphs[0])
	two.Graphs[1].Name = "second"
	for name, p := range map[string]*plan.Plan{"a plan with everything": small(), "graphs that share bytes": two} {
		t.Run(name, func(t *testing.T) {
			b := open(t, picture.Subject{Plan: p})
			var want [][2]string
			for _, o := range p.Graphs[0].Tensors {
				want = append(want, [2]string{strings.ReplaceAll(o.Name, "\u202e", `\u202e`), facts(t, p, o.Name)})
			}
			var got [][2]string
			require.NoError(t, json.Unmarshal([]byte(b.text(explained)), &got))
			require.Equal(t, want, got[:len(want)])
			b.is("0", `document.querySelectorAll('img, #details b, #list i').length`)
		})
	}
}

func TestTheSearchFindsAndSelects(t *testing.T) {
	b := open(t, picture.Subject{Plan: large(300)})
	b.is("300 tensors", `document.querySelector('#count').textContent`)
	// One event of a key with its text, as a keyboard makes it: what the page does with the key keeps the text from the box.
	b.run(input.DispatchKeyEvent(input.KeyDown).WithKey("/").WithText("/"), input.DispatchKeyEvent(input.KeyUp).WithKey("/"))
	b.is("search", `document.activeElement.id`)
	b.keys("block1 TENSOR_17")
	b.is("block1 TENSOR_17", `document.querySelector('#search').value`)
	b.is("10 of 300 tensors", `document.querySelector('#count').textContent`)
	b.is("block1/tensor_170", `document.querySelector('#list .row b').textContent`)
	b.keys(kb.Enter)
	b.keys(kb.Enter)
	b.is("block1/tensor_171", `document.querySelector('#details h2').textContent`)
	b.keys(kb.ArrowDown)
	b.is("list", `document.activeElement.id`)
	b.keys(kb.ArrowDown)
	b.is("block1/tensor_172", `document.querySelector('#details h2').textContent`)
	b.is("row-2", `document.querySelector('#list').getAttribute('aria-activedescendant')`)
	assert.Contains(t, b.text(`document.querySelector('#status').textContent`), "block1/tensor_172: activation")
	b.keys(kb.End)
	b.is("block1/tensor_179", `document.querySelector('#details h2').textContent`)
	b.keys(kb.Escape)
	assert.Contains(t, b.text(details), "Point at a tensor")
}

func TestTheMapIsUsableByKeyboard(t *testing.T) {
	b := open(t, picture.Subject{Plan: large(2000)})
	drawn := func() int {
		n, err := strconv.Atoi(b.text(`document.querySelector('canvas').dataset.drawn`))
		require.NoError(t, err)
		return n
	}
	require.Equal(t, 2000, drawn())
	b.run(chromedp.Focus("canvas"))
	b.keys(kb.ArrowRight)
	b.is("block0/tensor_0", `document.querySelector('#details h2').textContent`)
	b.keys(kb.ArrowRight)
	b.is("block0/tensor_1", `document.querySelector('#details h2').textContent`)
	b.keys(kb.ArrowDown)
	b.is("true", `memplan.selected.offset + memplan.selected.size <= all[1].offset && memplan.selected.first < all[1].last`)
	b.keys(kb.Enter)
	require.Less(t, drawn(), 1000, "only what is in sight is drawn")
	b.keys("0")
	require.Equal(t, 2000, drawn())
	b.keys("+")
	b.keys("+")
	require.Less(t, drawn(), 2000)
	before := b.text(`memplan.plots()[0].view.x0`)
	b.run(chromedp.KeyEvent(kb.ArrowRight, chromedp.KeyModifiers(input.ModifierShift)))
	assert.NotEqual(t, before, b.text(`memplan.plots()[0].view.x0`))
	b.keys("-")
	b.keys("-")
	require.Equal(t, 2000, drawn())
}

// middle is the place of a tensor's middle on the screen.
const middle = `(() => { const plot = memplan.plots().find((p) => p.panel.tileOf(TENSOR)), tile = plot.panel.tileOf(TENSOR), box = plot.canvas.getBoundingClientRect();
  return JSON.stringify([box.left + plot.x((tile.t.first + tile.t.last) / 2), box.top + plot.y((tile.low + tile.high) / 2)]); })()`

func (b *browser) at(tensor string) (x, y float64) {
	b.t.Helper()
	var place [2]float64
	require.NoError(b.t, json.Unmarshal([]byte(b.text(strings.ReplaceAll(middle, "TENSOR", tensor))), &place))
	return place[0], place[1]
}

func TestThePointerShowsWhatItRestsOn(t *testing.T) {
	p := small()
	b := open(t, picture.Subject{Plan: p})
	x, y := b.at("all[0]")
	b.run(chromedp.MouseEvent(input.MouseMoved, x, y))
	b.is(facts(t, p, "x"), `document.querySelector('#details dl').textContent`)
	b.is("false", `document.querySelector('#tip').hidden`)
	assert.Contains(t, b.text(`document.querySelector('#tip').textContent`), "x: input, 1 KiB, at 0, in arena, steps 0 to 0, pinned")
	assert.Contains(t, b.text(`document.querySelector('.readout').textContent`), "step 0, Conv conv: 1 KiB live")
	b.run(chromedp.MouseEvent(input.MouseMoved, 5, 5))
	assert.Contains(t, b.text(details), "Point at a tensor")
	b.is("true", `document.querySelector('#tip').hidden`)
	x, y = b.at("all[4]")
	b.run(chromedp.MouseClickXY(x, y), chromedp.MouseEvent(input.MouseMoved, 5, 5))
	b.is("flat & <b>bold</b>", `document.querySelector('#details h2').textContent`)
}

func TestTwoPlansStandSideBySide(t *testing.T) {
	old, now := small(), small()
	tensors := now.Graphs[0].Tensors
	tensors[3].Offset = ptr(int64(2048))
	now.Graphs[0].Tensors = append(tensors[:6:6], plan.Tensor{Name: "new", Role: "activation", DType: "uint8", Shape: []int64{8}, Scope: "global", Pool: "arena", Offset: ptr(int64(0)), Size: 8, LogicalSize: 8, Last: 1})
	b := open(t, picture.Subject{Plan: now, Old: old, OldName: "net.lock.json"})
	b.is("net.lock.json, left, and this plan, right: 1 placed, 1 moved, 1 gone, 5 as they were", `document.querySelector('#summary').textContent`)
	b.is("3", `document.querySelectorAll('.sides.two').length`)
	b.is("change", `document.querySelector('#colour').value`)
	b.is("1", `new Set(memplan.plots().slice(0, 2).map((p) => p.panel.ceiling)).size`)
	b.text(`memplan.plots()[0].zoom(.5)`)
	b.is("true", `JSON.stringify(memplan.plots()[0].view) === JSON.stringify(memplan.plots()[1].view) && memplan.plots()[0].view.x0 > 0`)
	b.run(chromedp.Click("#changed"))
	b.is("3 of 8 tensors", `document.querySelector('#count').textContent`)
	b.is("~ c@global,+ new,- late", `[...document.querySelectorAll('#list b')].map((e) => e.textContent)`)
	b.text(`memplan.select(all.find((t) => t.name === 'c@global'))`)
	b.is("net.lock.json,this plan", `[...document.querySelectorAll('#details h3')].map((e) => e.textContent)`)
	b.is(facts(t, old, "c@global")+facts(t, now, "c@global"), `[...document.querySelectorAll('#details dl')].map((e) => e.textContent).join('')`)
	b.text(`memplan.select(all.find((t) => t.name === 'late'))`)
	b.is(facts(t, old, "late"), `[...document.querySelectorAll('#details dl')].map((e) => e.textContent).join('')`)
}

func TestTenThousandTensorsAreAListOfAFewRows(t *testing.T) {
	b := open(t, picture.Subject{Plan: large(10000)})
	rows, err := strconv.Atoi(b.text(`document.querySelectorAll('#list .row').length`))
	require.NoError(t, err)
	require.Less(t, rows, 60)
	b.is("10000", `document.querySelector('#list .row').getAttribute('aria-setsize')`)
	b.run(chromedp.Focus("#list"))
	b.keys(kb.End)
	b.is("block99/tensor_9999", `document.querySelector('#details h2').textContent`)
	b.is("true", `document.querySelector('#row-9999').getBoundingClientRect().bottom <= document.querySelector('#list').getBoundingClientRect().bottom + 1`)
}

func TestScreenReadersHearWhatThereIs(t *testing.T) {
	b := open(t, picture.Subject{Plan: small()})
	b.text("memplan.select(all[0])")
	// Only what is looked at is decoded: the names of other properties differ from version to version.
	var tree struct {
		Nodes []struct {
			Role struct {
				Value any `json:"value"`
			} `json:"role"`
			Name struct {
				Value any `json:"value"`
			} `json:"name"`
		} `json:"nodes"`
	}
	b.run(chromedp.ActionFunc(func(ctx context.Context) error { return cdp.Execute(ctx, "Accessibility.getFullAXTree", nil, &tree) }))
	heard := map[string]bool{}
	for _, n := range tree.Nodes {
		heard[fmt.Sprint(n.Role.Value, " ", n.Name.Value)] = true
	}
	for _, want := range []string{
		"listbox Tensors", "searchbox Search tensors", "region Explanation of the tensor", "region Pool arena, graph net", "button Zoom in", "main Memory maps", "image Images of pool images: 4 by 20",
		"application Memory map of pool arena, graph net: 4 tensors, peak 2 KiB, bound 2 KiB (optimal: no placement needs less), capacity 3 KiB. Arrow keys go from tensor to tensor.",
		"option x input, 1 KiB, arena at 0, steps 0 to 0",
	} {
		assert.True(t, heard[want], "%s\n%v", want, heard)
	}
}

func TestColoursFollowTheReader(t *testing.T) {
	b := open(t, picture.Subject{Plan: small()})
	paper := `getComputedStyle(document.body).backgroundColor`
	b.is("rgb(255, 255, 255)", paper)
	b.run(chromedp.Click("#theme"))
	b.is("rgb(13, 17, 23)", paper)
	b.is("true", `document.querySelector('#theme').getAttribute('aria-pressed')`)
	b.run(chromedp.Click("#theme"))
	b.is("rgb(255, 255, 255)", paper)
	b.run(emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: "dark"}}))
	b.is("rgb(255, 255, 255)", paper)
	b.run(chromedp.Click("#theme"))
	b.run(emulation.SetEmulatedMedia().WithMedia("print"))
	b.is("none", `getComputedStyle(document.querySelector('#list')).display`)
	b.run(chromedp.ActionFunc(func(ctx context.Context) error {
		data, _, err := page.PrintToPDF().WithPrintBackground(true).Do(ctx)
		require.Greater(t, len(data), 10000)
		return err
	}))
	b.run(chromedp.SetValue("#colour", "scope"))
	b.text(`document.querySelector('#colour').dispatchEvent(new Event('change'))`)
	legend := b.text(`document.querySelector('#legend').textContent`)
	assert.Contains(t, legend, "global.texture")
	assert.NotContains(t, legend, "global.texture-weight", "the plan has none")
}
