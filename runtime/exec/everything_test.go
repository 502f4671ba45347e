package exec_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/exec"
)

// drawnWorld are one or two graphs, the second of which may read outputs of the first, and the settings for them.
type drawnWorld struct {
	graphs map[string]*everything
	names  []string
	files  map[string][]byte
	// links are inputs of "b" by name, with the outputs of "a" that they come from.
	links map[string]string
	// inside are lines of the graph blocks; the rest are values of planner.
	inside           map[string]string
	views, rewrite   []string
	order, algorithm string
	concurrent       bool
	alignment        int64
	// images says where images are: "" for none, "objects", or "bytes" of the flat pool; external that the caller owns inputs and outputs;
	// fast, when not 0, is the size of a pool that is tried first.
	images   string
	external bool
	fast     int64
	pool     string
	// nodes limit the search, 0 for what the algorithm has by itself.
	nodes int64
}

// fewNodes keep a plan of many short.
const fewNodes = 1 << 12

func drawWorld(t *rapid.T) *drawnWorld {
	w := &drawnWorld{nodes: fewNodes, graphs: map[string]*everything{}, files: map[string][]byte{}, links: map[string]string{}, inside: map[string]string{}}
	w.names = []string{"a", "b"}[:rapid.IntRange(1, 2).Draw(t, "graphs")]
	for _, name := range w.names {
		g := drawEverything(t, 6)
		var text bytes.Buffer
		require.NoError(t, native.Write(&text, g.g))
		w.graphs[name], w.files[name+".json"] = g, text.Bytes()
		if rapid.IntRange(0, 3).Draw(t, "keep inputs") == 0 {
			w.inside[name] += "  keep_inputs = true\n"
		}
		if rapid.IntRange(0, 3).Draw(t, "keep") == 0 {
			var names []string
			for _, x := range g.live {
				if g.g.Tensors[x].Role == graph.Activation {
					names = append(names, g.g.Tensors[x].Name)
				}
			}
			if len(names) > 0 {
				w.inside[name] += fmt.Sprintf("  keep = [%q]\n", rapid.SampledFrom(names).Draw(t, "kept"))
			}
		}
	}
	if len(w.names) == 2 {
		w.link(t)
	}
	for _, view := range []string{"reshape", "inplace", "concat", "diagonal"} {
		if rapid.IntRange(0, 3).Draw(t, view) > 0 {
			w.views = append(w.views, view)
		}
	}
	w.rewrite = rapid.SampledFrom([][]string{{}, {"fold"}, {"fold", "fuse"}, {"fuse"}, {"fold", "fuse", "partial_sums"}, {"fold", "partial_sums"}}).Draw(t, "rewrite")
	w.order = rapid.SampledFrom([]string{"source", "memory"}).Draw(t, "order")
	w.algorithm = rapid.SampledFrom(append([]string{"auto", "auto", "auto"}, layout.Algorithms()...)).Draw(t, "algorithm")
	w.concurrent = len(w.links) == 0 && len(w.names) == 2 && rapid.IntRange(0, 3).Draw(t, "concurrent") == 0
	w.images = rapid.SampledFrom([]string{"", "", "objects", "bytes"}).Draw(t, "images")
	w.external = rapid.IntRange(0, 5).Draw(t, "external") == 0 && len(w.links) == 0
	if rapid.IntRange(0, 3).Draw(t, "fast") == 0 {
		w.fast = rapid.Int64Range(64, 4096).Draw(t, "fast bytes")
	}
	w.alignment = rapid.SampledFrom([]int64{1, 4, 16, 64}).Draw(t, "alignment")
	return w
}

// link takes inputs of the second graph from outputs of the first that fit.
func (w *drawnWorld) link(t *rapid.T) {
	a, b := w.graphs["a"].g, w.graphs["b"].g
	for _, in := range b.Inputs {
		for _, out := range a.Outputs {
			from, to := a.Tensors[out], b.Tensors[in]
			if from.DType == to.DType && from.Shape.Equal(to.Shape) && rapid.Bool().Draw(t, "link") {
				w.links[b.Tensors[in].Name] = a.Tensors[out].Name
				break
			}
		}
	}
}

func list(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func (w *drawnWorld) config() string {
	var b strings.Builder
	images, pool := "", w.pool
	if w.images != "" {
		images = fmt.Sprintf("  image2d {\n    max_width = 4096\n    max_height = 4096\n    pitch_alignment = 4\n    from_buffer = %v\n  }\n", w.images == "bytes")
		b.WriteString("scope_rule \"images\" {\n  match {\n    op = [\"Conv\", \"Relu\", \"Add\", \"MaxPool\"]\n    role = [\"activation\", \"constant\"]\n    rank = [4]\n  }\n  scope = \"global.texture\"\n}\n")
	}
	fmt.Fprintf(&b, "device \"d\" {\n  base_alignment = %d\n%s}\n", w.alignment, images)
	switch w.images {
	case "objects":
		b.WriteString("pool \"textures\" {\n  device = device.d\n  type = \"texture\"\n  holds = [\"input\", \"output\", \"activation\", \"constant\"]\n}\n")
	case "bytes":
		pool += "  images = true\n"
	}
	if w.fast > 0 {
		fmt.Fprintf(&b, "pool \"fast\" {\n  device = device.d\n  size = %d\n}\n", w.fast)
	}
	fmt.Fprintf(&b, "pool \"p\" {\n  device = device.d\n%s}\n", pool)
	for _, name := range w.names {
		fmt.Fprintf(&b, "graph %q {\n  source = %q\n  device = device.d\n%s", name, name+".json", w.inside[name])
		if name == "b" {
			for _, in := range sorted(w.links) {
				fmt.Fprintf(&b, "  input %q {\n    graph = graph.a\n    output = %q\n  }\n", in, w.links[in])
			}
		}
		b.WriteString("}\n")
	}
	fmt.Fprintf(&b, "planner {\n  views = %s\n  rewrite = %s\n  order = %q\n  algorithm = %q\n", list(w.views), list(w.rewrite), w.order, w.algorithm)
	if w.external {
		b.WriteString("  io = \"external\"\n")
	}
	if w.concurrent {
		b.WriteString("  concurrent = [graph.a, graph.b]\n")
	}
	b.WriteString("}\n")
	return b.String()
}

func sorted(m map[string]string) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (w *drawnWorld) plan(t require.TestingT, previous *plan.Plan) (*planner.Result, diag.Diagnostics) {
	text := w.config()
	cfg, diags := config.Load(syntax.Memory{"main.hcl": text}, "main.hcl", eval.VariableSources{})
	told := slices.ContainsFunc(diags, func(d diag.Diagnostic) bool { return d.ID == diag.DiagonalConcurrent })
	require.Equal(t, w.concurrent && slices.Contains(w.views, "diagonal"), told, "%v\n%s", diags, text)
	if !told {
		require.Empty(t, diags, "%s", text)
	}
	open := func(path string) (*source.File, error) { return source.FromBytes(path, w.files[path]), nil }
	result, diags, err := planner.Plan(context.Background(), cfg, planner.Options{Open: open, Version: "test", Previous: previous, Effort: layout.Effort{Nodes: w.nodes}})
	require.NoError(t, err, "%s", w)
	return result, diags
}

func (w *drawnWorld) must(t require.TestingT, previous *plan.Plan) *planner.Result {
	result, diags := w.plan(t, previous)
	require.False(t, diags.HasErrors(), "%v\n%s", diags, w)
	return result
}

// String is all that is needed to plan it elsewhere.
func (w *drawnWorld) String() string {
	out := w.config()
	for _, name := range w.names {
		out += name + ".json: " + string(w.files[name+".json"]) + "\n"
	}
	return out
}

// run gives the outputs of every graph, the second run after the first.
func (w *drawnWorld) run(t require.TestingT, open opener, result *planner.Result) map[string]*array.Array {
	outputs, inputs := map[string]*array.Array{}, map[string]*array.Array{}
	options := exec.Options{Poison: true}
	for i, name := range w.names {
		g := result.Graphs[slices.IndexFunc(result.Plan.Graphs, func(g plan.Graph) bool { return g.Name == name })]
		last := map[string]*array.Array{}
		for k, a := range inputsOf(w.graphs[name].g) {
			if _, linked := w.links[k]; name == "a" || !linked {
				last[k] = a
			}
		}
		given := map[string]*array.Array{}
		for k, a := range inputs {
			given[k] = a
		}
		for k, a := range last {
			given[k], inputs[exec.InputName(name, k)] = a, a
		}
		if i > 0 && len(w.links) == 0 {
			options.Before, given = nil, last
		}
		for k, a := range w.once(t, open, result.Plan, name, g, given, options) {
			outputs[name+"/"+k] = a
		}
		options.Before = append(options.Before, exec.Upstream{Name: name, Graph: g})
	}
	return outputs
}

func (w *drawnWorld) once(t require.TestingT, open opener, p *plan.Plan, name string, g *graph.Graph, inputs map[string]*array.Array, options exec.Options) map[string]*array.Array {
	dev, err := open()
	require.NoError(t, err)
	defer func() { require.NoError(t, dev.Close()) }()
	r, diags, err := exec.New(background, p, name, g, dev, options)
	require.NoError(t, err)
	require.Empty(t, diags, "%s", w)
	first, diags, err := r.Run(background, inputs)
	require.NoError(t, err)
	require.Empty(t, diags, "%s", w)
	again, _, err := r.Run(background, inputs)
	require.NoError(t, err)
	require.Equal(t, first, again, "%s", w)
	return first
}

// tolerance is how far outputs may be from those of the graph as it is, of the largest output.
func (w *drawnWorld) tolerance() float64 {
	rounds := false
	for _, g := range w.graphs {
		rounds = rounds || g.rounds
	}
	switch {
	case !slices.Contains(w.rewrite, "fuse") && !slices.Contains(w.rewrite, "partial_sums"):
		return 0
	case rounds:
		return 2e-2
	}
	return 1e-4
}

func (w *drawnWorld) requireSame(t require.TestingT, want, got map[string]*array.Array) {
	require.Len(t, got, len(want), "%s", w)
	allowed := w.tolerance()
	for _, name := range sortedArrays(want) {
		largest := 1.0
		a, err := want[name].Floats()
		require.NoError(t, err)
		b, err := got[name].Floats()
		require.NoError(t, err)
		require.Len(t, b, len(a))
		for _, v := range a {
			largest = max(largest, v, -v)
		}
		for i, v := range a {
			if !near(v, b[i], allowed*largest) {
				require.Failf(t, "differs", "%s[%d] is %v, and %v was wanted\n%s", name, i, b[i], v, w)
			}
		}
	}
}

func sortedArrays(m map[string]*array.Array) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (w *drawnWorld) plainly() *drawnWorld {
	v := *w
	v.images, v.external, v.fast = "", false, 0
	v.views, v.rewrite, v.order, v.algorithm, v.concurrent, v.inside = nil, nil, "source", "none", false, nil
	return &v
}

func (w *drawnWorld) with(change func(*drawnWorld)) *drawnWorld {
	v := *w
	change(&v)
	return &v
}

func encodedPlan(t require.TestingT, p *plan.Plan) string {
	data, err := plan.Encode(p)
	require.NoError(t, err)
	return string(data)
}

// examinations are what is seen of a plan beside its outputs, one of them each time.
var examinations = []string{"sound", "again", "locked", "capped", "pinned"}

// repeatable gives what rapid draws a fixed seed and a number of cases, unless the command line says otherwise: a case here
// is up to a dozen plans. Other cases are looked at with -rapid.seed and -rapid.checks.
func repeatable(t *testing.T, cases string) {
	for name, value := range map[string]string{"rapid.checks": cases, "rapid.seed": "1"} {
		if f := flag.Lookup(name); f.Value.String() == f.DefValue {
			require.NoError(t, f.Value.Set(value))
			t.Cleanup(func() { require.NoError(t, f.Value.Set(f.DefValue)) })
		}
	}
}

func TestEverythingAtOnce(t *testing.T) {
	repeatable(t, "40")
	rapid.Check(t, func(t *rapid.T) {
		w := drawWorld(t)
		result := w.must(t, nil)
		want := w.plainly().run(t, hostDevice, w.plainly().must(t, nil))
		w.requireSame(t, want, w.run(t, holding, result))
		switch rapid.SampledFrom(examinations).Draw(t, "examination") {
		case "sound":
			requireSound(t, w, result)
		case "again":
			procs := runtime.GOMAXPROCS(rapid.SampledFrom([]int{1, 4, 16}).Draw(t, "procs"))
			again := w.must(t, nil)
			runtime.GOMAXPROCS(procs)
			require.Equal(t, encodedPlan(t, result.Plan), encodedPlan(t, again.Plan), "%s", w)
		case "locked":
			requireLocked(t, w, result.Plan, want)
		case "capped":
			requireCapped(t, w, result.Plan, want)
		case "pinned":
			requirePinned(t, w, result.Plan, want)
		}
	})
}

// requireSound holds the figures of a plan against each other.
func requireSound(t *rapid.T, w *drawnWorld, result *planner.Result) {
	for _, pool := range result.Plan.Pools {
		require.LessOrEqual(t, pool.Bound, pool.Peak, "%s", w)
		require.Equal(t, pool.Peak-pool.Bound, pool.Gap, "%s", w)
	}
	for i := range result.Plan.Graphs {
		requireLiveBytes(t, result.Plan, &result.Plan.Graphs[i])
	}
	reports, err := result.Reports(context.Background())
	require.NoError(t, err, "%s", w)
	for i, r := range reports {
		require.LessOrEqual(t, r.LiveBytes, result.Plan.Pools[i].Peak, "%s", w)
		require.Equal(t, result.Plan.Pools[i].Peak, r.Chain[len(r.Chain)-1].Bytes)
		saved := int64(0)
		for _, link := range r.Chain {
			saved += link.Saved
		}
		require.Equal(t, r.Chain[0].Bytes-saved, r.Chain[len(r.Chain)-1].Bytes)
	}
	for _, algorithm := range layout.Algorithms() {
		other := w.with(func(v *drawnWorld) { v.algorithm = algorithm }).must(t, nil)
		for i, pool := range other.Plan.Pools {
			mine := result.Plan.Pools[i]
			if sameTensors(result.Plan, other.Plan) {
				require.GreaterOrEqual(t, pool.Peak, mine.Bound, "the bound of %s is above the peak of %s\n%s", w.algorithm, algorithm, w)
			}
			if w.algorithm == "auto" && algorithm == "greedy" && w.fast == 0 {
				require.LessOrEqual(t, mine.Peak, pool.Peak, "auto needs more than %s\n%s", algorithm, w)
			}
		}
	}
}

// requireLiveBytes sums the bytes of a graph's tensors up at each step, and finds no more than what its pools have.
func requireLiveBytes(t require.TestingT, p *plan.Plan, g *plan.Graph) {
	for _, pool := range p.Pools {
		for step := range int64(len(g.Steps)) {
			live := int64(0)
			for i := range g.Tensors {
				if x := &g.Tensors[i]; x.Pool == pool.Name && x.ViewOf == nil && x.Shares == nil {
					live += x.LiveAt(step)
				}
			}
			for _, o := range g.Overlaps() {
				if o.Pool == pool.Name && o.Step == step {
					live -= o.Bytes
				}
			}
			require.LessOrEqual(t, live, pool.Peak, "%s", pool.Name)
		}
	}
}

// sameTensors reports whether two plans differ in nothing but where tensors are.
func sameTensors(a, b *plan.Plan) bool {
	for i := range a.Graphs {
		x, y := &a.Graphs[i], &b.Graphs[i]
		if len(x.Tensors) != len(y.Tensors) {
			return false
		}
		for k := range x.Tensors {
			v, u := x.Tensors[k], y.Tensors[k]
			if v.Name != u.Name || v.Pool != u.Pool || v.Scope != u.Scope || v.First != u.First || v.Last != u.Last || (v.ViewOf == nil) != (u.ViewOf == nil) || (v.Diagonal == nil) != (u.Diagonal == nil) || v.ViewOf != nil && *v.ViewOf != *u.ViewOf {
				return false
			}
		}
	}
	return true
}

// requireLocked plans after a plan of other settings was accepted.
func requireLocked(t *rapid.T, w *drawnWorld, fresh *plan.Plan, want map[string]*array.Array) {
	before := w.with(func(v *drawnWorld) {
		v.algorithm = rapid.SampledFrom(layout.Algorithms()).Draw(t, "algorithm before")
		v.views = rapid.SampledFrom([][]string{{}, {"reshape", "concat"}, {"reshape", "inplace", "concat", "diagonal"}}).Draw(t, "views before")
		v.rewrite = rapid.SampledFrom([][]string{{}, {"fold", "fuse"}}).Draw(t, "rewrite before")
	}).must(t, nil)
	locked := w.must(t, before.Plan)
	for i, pool := range locked.Plan.Pools {
		require.LessOrEqual(t, pool.Peak, fresh.Pools[i].Peak, "%s", w)
	}
	w.requireSame(t, want, w.run(t, holding, locked))
	require.Equal(t, encodedPlan(t, locked.Plan), encodedPlan(t, w.must(t, locked.Plan).Plan), "%s", w)
}

// requireCapped plans with pools as large as the plan needs, and smaller than it can.
func requireCapped(t *rapid.T, w *drawnWorld, fresh *plan.Plan, want map[string]*array.Array) {
	at := slices.IndexFunc(fresh.Pools, func(pool plan.Pool) bool { return pool.Name == "p" })
	peak, bound := fresh.Pools[at].Peak, fresh.Pools[at].Bound
	if peak == 0 {
		return
	}
	capped := w.with(func(v *drawnWorld) { v.pool = fmt.Sprintf("  size = %d\n", peak) })
	result, diags := capped.plan(t, nil)
	if result == nil {
		// Whether all fits is a search of its own where there are several pools.
		capped = capped.with(func(v *drawnWorld) { v.nodes = 0 })
		result, diags = capped.plan(t, nil)
	}
	if result != nil {
		capped.requireSame(t, want, capped.run(t, holding, result))
	} else {
		require.False(t, slices.Contains([]string{"auto", "greedy", "exact"}, w.algorithm), "it does not fit where it did: %v\n%s", diags, capped)
		require.NotContains(t, fmt.Sprint(diags), " 0 bytes in excess", "%s", capped)
	}
	small := w.with(func(v *drawnWorld) { v.pool = fmt.Sprintf("  size = %d\n", bound-1) })
	if bound > 1 {
		result, diags := small.plan(t, nil)
		if !diags.HasErrors() {
			require.LessOrEqual(t, result.Plan.Pools[at].Peak, bound-1)
			require.False(t, sameTensors(result.Plan, fresh), "below the bound of %d\n%s", bound, w)
		}
	}
}

// requirePinned pins a tensor where the plan has it.
func requirePinned(t *rapid.T, w *drawnWorld, fresh *plan.Plan, want map[string]*array.Array) {
	var names []string
	g := &fresh.Graphs[0]
	for i := range g.Tensors {
		x := &g.Tensors[i]
		if x.Pool == "p" && x.Offset != nil && x.ViewOf == nil && x.Shares == nil && x.Scope == "global" && !strings.Contains(x.Name, "@") && x.Role != "constant" && x.Diagonal == nil {
			names = append(names, fmt.Sprintf("  place %q {\n    pool   = pool.p\n    offset = %d\n  }\n", x.Name, *x.Offset))
		}
	}
	if len(names) == 0 {
		return
	}
	pinned := w.with(func(v *drawnWorld) {
		v.inside = map[string]string{"a": w.inside["a"], "b": w.inside["b"]}
		v.inside[g.Name] += rapid.SampledFrom(names).Draw(t, "pin")
	})
	result := pinned.must(t, nil)
	pinned.requireSame(t, want, pinned.run(t, holding, result))
}
