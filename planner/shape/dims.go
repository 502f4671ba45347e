package shape

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// axisName is the name by which an open axis is bound: the model's symbol, or one made from the tensor's name.
func axisName(t *graph.Tensor, axis int) string {
	if axis < len(t.Symbols) && t.Symbols[axis] != "" {
		return t.Symbols[axis]
	}
	return fmt.Sprintf("%s_axis%d", t.Name, axis)
}

// binder gives the open axes of all tensors their extents.
type binder struct {
	s    *state
	dims map[string]Dim
	// matched are the entries of dims that some axis has.
	matched map[string]bool
	// open are the dimensions of sources without a value, each with the first axis that has it.
	open []openDim
	// names are the dimensions that can be bound, for messages, in the order of the tensors; listed has the same.
	names  []string
	listed map[string]bool
}

// openDim is a dimension without a value and where it stands, as in `axis 0 of input "x", of shape [N, 3]`.
type openDim struct{ name, where string }

// bind writes the values of dims into the shapes of the graph. It reports open dimensions of sources that have no
// value. What a rule leaves open is bound later, so that entries are checked last, by checkEntries.
func (s *state) bind(dims map[string]Dim) {
	b := &binder{s: s, dims: dims, matched: map[string]bool{}, listed: map[string]bool{}}
	sources := s.g.Producers()
	for i := range s.g.Tensors {
		if s.g.Tensors[i].Role != graph.Constant {
			b.tensor(graph.TensorID(i), sources[i] < 0)
		}
	}
	b.reportOpen()
	s.binder = b
}

func (b *binder) tensor(id graph.TensorID, source bool) {
	t := b.s.g.Tensor(id)
	if len(t.Shape) > MaxRank {
		return
	}
	bound := false
	for axis := range t.Shape {
		named := axis < len(t.Symbols) && t.Symbols[axis] != ""
		if !named && t.Shape[axis] != graph.Unknown {
			continue
		}
		name := axisName(t, axis)
		if source || named {
			b.list(name)
		}
		dim, ok := b.dims[name]
		if !ok {
			if source && t.Shape[axis] == graph.Unknown {
				b.unbound(t, axis, name)
			}
			continue
		}
		b.matched[name] = true
		if dim.Value < 1 {
			continue
		}
		t.Shape[axis] = dim.Value
		b.s.bounded[id] = b.s.bounded[id] || dim.Max
		bound = true
		setSymbol(t, axis, name)
	}
	if bound {
		t.UpperBound = b.s.bounded[id]
	}
}

// list notes a dimension that can be bound.
func (b *binder) list(name string) {
	if !b.listed[name] {
		b.listed[name] = true
		b.names = append(b.names, name)
	}
}

// late returns the extent for an axis that the op which writes the tensor left open, if dims has one, and whether it is
// a maximum.
func (b *binder) late(t *graph.Tensor, axis int) (extent int64, limit, ok bool) {
	name := axisName(t, axis)
	b.list(name)
	dim, given := b.dims[name]
	if !given {
		return 0, false, false
	}
	b.matched[name] = true
	return dim.Value, dim.Max, dim.Value >= 1
}

// setSymbol keeps the name of an axis that was bound, so that it can be bound again.
func setSymbol(t *graph.Tensor, axis int, name string) {
	symbols := make([]string, len(t.Shape))
	copy(symbols, t.Symbols)
	symbols[axis] = name
	t.Symbols = symbols
}

// unbound notes an open axis of a source without a value.
func (b *binder) unbound(t *graph.Tensor, axis int, name string) {
	if slices.ContainsFunc(b.open, func(o openDim) bool { return o.name == name }) {
		return
	}
	b.open = append(b.open, openDim{name, fmt.Sprintf("axis %d of %s %q, of shape %s", axis, t.Role, t.Name, t.Shape)})
}

// mostOpen bounds how many open dimensions a message names.
const mostOpen = 24

// reportOpen names all open dimensions in one diagnostic, with one line that binds them all. What size they have is the
// user's to say.
func (b *binder) reportOpen() {
	if len(b.open) == 0 {
		return
	}
	var items, keys, sizes, flags []string
	for _, o := range b.open[:min(len(b.open), mostOpen)] {
		items = append(items, fmt.Sprintf("%q (%s)", o.name, o.where))
		keys = append(keys, dimKey(o.name))
		sizes = append(sizes, dimKey(o.name)+" = SIZE")
		flags = append(flags, "-dim "+shellWord(o.name+"=SIZE"))
	}
	if more := len(b.open) - mostOpen; more > 0 {
		items = append(items, fmt.Sprintf("%d more", more))
	}
	what, are := "dimension", "is open, and nothing gives it a value. Bind it to the size you run at"
	if len(b.open) > 1 {
		what, are = "dimensions", "are open, and nothing gives them values. Bind them to the sizes you run at"
	}
	b.s.report(diag.New(diag.UnboundDimension, "The %s %s %s, with a number for SIZE: dims = { %s } in the graph block, or for a bare graph file %s.",
		what, diag.Enumerate(items, "and"), are, strings.Join(sizes, ", "), strings.Join(flags, " ")).With(diag.BindDimensions{Keys: keys}))
}

// shellWord quotes a word for a shell where that is needed.
func shellWord(word string) string {
	plain := func(r rune) bool {
		return unicode.IsLetter(r) || unicode.IsDigit(r) || strings.ContainsRune("_-+=.:,/@%", r)
	}
	if !strings.ContainsFunc(word, func(r rune) bool { return !plain(r) }) {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}

// howToBound says how a dimension is given a maximum in a configuration.
func howToBound(name string, limit int64) string {
	return fmt.Sprintf("dims = { %s = { max = %d } } in the graph block", dimKey(name), limit)
}

// dimKey writes a name as a key of an object in a configuration.
func dimKey(name string) string {
	for i, r := range name {
		if r != '_' && !unicode.IsLetter(r) && (i == 0 || !unicode.IsDigit(r)) {
			return fmt.Sprintf("%q", name)
		}
	}
	return name
}

// checkEntries reports the entries of dims that are wrong, by name.
func (b *binder) checkEntries() {
	for _, name := range slices.Sorted(maps.Keys(b.dims)) {
		if v := b.dims[name].Value; v < 1 {
			b.s.report(diag.New(diag.DimensionNotPositive, "Dimension %q is bound to %d. Bind it to 1 or more.", name, v))
		}
		if !b.matched[name] {
			b.s.report(diag.New(diag.UnmatchedDimension, "Nothing in the model is called %q. %s", name, b.suggest(name)))
		}
	}
}

// suggest lists the dimensions that can be bound and the one that was probably meant.
func (b *binder) suggest(name string) string {
	if len(b.names) == 0 {
		return "All of its dimensions are fixed: remove the entry."
	}
	const most = 12
	items := make([]string, 0, most+1)
	for i, n := range b.names {
		if i == most {
			items = append(items, fmt.Sprintf("%d more", len(b.names)-most))
			break
		}
		items = append(items, fmt.Sprintf("%q", n))
	}
	return "It is open in " + diag.Enumerate(items, "and") + "." + diag.DidYouMean(name, b.names).Text
}
