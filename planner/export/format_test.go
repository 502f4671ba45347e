package export_test

import (
	"bytes"
	"encoding/csv"
	"io"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/layout/problemfile"
	"github.com/memplan/memplan/planner/plan"
)

func TestTheTableHasARowForEveryTensor(t *testing.T) {
	s := &export.Subject{Plan: hostile()}
	rows, err := csv.NewReader(strings.NewReader(written(t, "csv", s, export.Options{}))).ReadAll()
	require.NoError(t, err)
	require.Len(t, rows, 1+len(s.Plan.Graphs[0].Tensors))
	for i, row := range rows[1:] {
		o := s.Plan.Graphs[0].Tensors[i]
		require.Equal(t, o.Name, strings.TrimPrefix(row[1], "'"))
		require.False(t, strings.ContainsAny(row[1][:min(1, len(row[1]))], "=+-@\t\r\n"), "a spreadsheet would compute %q", row[1])
		require.Equal(t, strconv.FormatInt(*o.Offset, 10), row[9])
	}
	s.Plan.Graphs[0].Tensors[0].Offset = nil
	assert.Contains(t, written(t, "csv", s, export.Options{}), ",arena,0,,64,64,64,0,1,,,0,,\n")
}

func TestThePlanAsJSONIsThePlan(t *testing.T) {
	p := planFile(t, "testdata/views.json")
	want, err := plan.Encode(p.plan)
	require.NoError(t, err)
	assert.Equal(t, string(want), written(t, "json", &export.Subject{Plan: p.plan}, export.Options{}))
}

// solved reads arguments of tvmc as "memplan solve" does.
func solved(t *testing.T, text string) []problemfile.Pool {
	t.Helper()
	var names string
	var options []problemfile.PoolOption
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		require.True(t, ok, line)
		if name == "--workspace-pools" {
			names = value
			continue
		}
		option, ok := strings.CutPrefix(name, "--workspace-pools-")
		require.True(t, ok, line)
		options = append(options, problemfile.PoolOption{Name: option, Text: value})
	}
	pools, ds := problemfile.DeclarePools(names, options)
	require.Empty(t, ds)
	return pools
}

func TestThePoolsOfTVMAreThoseOfThePlan(t *testing.T) {
	p := hostilePlan("x")
	size := int64(49152)
	p.Pools[0].Capacity = &size
	p.Pools = append(p.Pools,
		plan.Pool{Name: "sram", Device: "d", Type: "flat"}, plan.Pool{Name: "flash", Device: "d", Type: "flat", Holds: []string{"constant"}}, plan.Pool{Name: "images", Device: "d", Type: "texture"})
	text := written(t, "usmp", &export.Subject{Plan: p}, export.Options{})
	assert.Equal(t, "--workspace-pools=arena,sram\n--workspace-pools-targets=arena:c\n--workspace-pools-size-hint-bytes=arena:49152\n--workspace-pools-targets=sram:c\n", text)
	pools := solved(t, text)
	require.Len(t, pools, 2)
	assert.Equal(t, "arena", pools[0].Name)
	assert.Equal(t, size, pools[0].Capacity)
	assert.Equal(t, int64(-1), pools[1].Capacity)
	assert.Contains(t, written(t, "usmp", &export.Subject{Plan: p}, export.Options{Target: "cmsis-nn"}), "=arena:cmsis-nn\n")
	p.Devices[0].Driver = "opencl"
	assert.Contains(t, written(t, "usmp", &export.Subject{Plan: p}, export.Options{}), "=arena:opencl\n")
}

func TestWhatTVMCannotTakeIsRefused(t *testing.T) {
	f, _ := export.Find("usmp")
	refused := func(p *plan.Plan, o export.Options) string {
		err := export.Write(&bytes.Buffer{}, f, &export.Subject{Plan: p}, &o)
		require.Error(t, err)
		return err.Error()
	}
	p := hostilePlan("x")
	assert.Contains(t, refused(p, export.Options{Target: "a,b"}), "not a word")
	p.Pools[0].Name = `sram["a"]`
	assert.Contains(t, refused(p, export.Options{}), "characters with a meaning")
	p.Pools[0].Holds = []string{"constant"}
	assert.Contains(t, refused(p, export.Options{}), "no flat pool")
}

func TestAGraphThatIsNotThereIsRefused(t *testing.T) {
	for _, f := range export.Formats() {
		require.Error(t, export.Write(&bytes.Buffer{}, f, &export.Subject{Plan: hostilePlan("x"), Graph: "nobody"}, &export.Options{}), f.Name)
	}
}

// diagrams are the writers of those for other programs.
var diagrams = map[string]func(io.Writer, *plan.Plan, string) error{
	"dot": export.DOT, "dot lifetimes": export.DOTLifetimes, "mermaid": export.Mermaid, "mermaid lifetimes": export.MermaidLifetimes,
}

func TestAPictureHasNothingThatTurnsTextRound(t *testing.T) {
	for _, format := range []string{"svg", "html"} {
		text := written(t, format, &export.Subject{Plan: hostile()}, export.Options{})
		at := strings.IndexFunc(text, func(r rune) bool { return unicode.Is(unicode.Cf, r) })
		require.Negative(t, at, "%s: %q", format, text[max(0, at):min(len(text), at+40)])
		require.Contains(t, text, "gnp.exe", format)
	}
}

func TestADiagramHasNothingThatATerminalObeys(t *testing.T) {
	p := hostile()
	p.Graphs[0].Steps[0].Name = "\u202egnp.exe\x1b[2J"
	for name, write := range diagrams {
		var text strings.Builder
		require.NoError(t, write(&text, p, p.Graphs[0].Name))
		at := strings.IndexFunc(text.String(), func(r rune) bool { return r != '\n' && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp) })
		require.Negative(t, at, "%s: %q", name, text.String()[max(0, at):])
		require.Contains(t, text.String(), "gnp.exe", name)
	}
}
