package shape

import (
	"fmt"
	"maps"
	"slices"
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
	// reported are the dimensions already reported as unbound.
	reported map[string]bool
	// names are the dimensions that can be bound, for messages, in the order of the tensors; listed has the same.
	names  []string
	listed map[string]bool
}

// bind writes the values of dims into the shapes of the graph. It reports open dimensions of sources that have no
// value. What a rule leaves open is bound later, so that entries are checked last, by checkEntries.
func (s *state) bind(dims map[string]Dim) {
	b := &binder{s: s, dims: dims, matched: map[string]bool{}, reported: map[string]bool{}, listed: map[string]bool{}}
	sources := s.g.Producers()
	for i := range s.g.Tensors {
		if s.g.Tensors[i].Role != graph.Constant {
			b.tensor(graph.TensorID(i), sources[i] < 0)
		}
	}
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

func (b *binder) unbound(t *graph.Tensor, axis int, name string) {
	if b.reported[name] {
		return
	}
	b.reported[name] = true
	b.s.report(diag.New(diag.UnboundDimension, "Axis %d of %s %q, of shape %s, is the open dimension %q, and nothing gives it a value. Bind it: %s.",
		axis, t.Role, t.Name, t.Shape, name, howToBind(name, 1, false)))
}

// howToBind says how a dimension is bound in a configuration and on the command line.
func howToBind(name string, value int64, limit bool) string {
	if limit {
		return fmt.Sprintf("dims = { %s = { max = %d } } in the graph block", dimKey(name), value)
	}
	return fmt.Sprintf("dims = { %s = %d } in the graph block, or -dim %s=%d for a bare graph file", dimKey(name), value, name, value)
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
	return "It is open in " + diag.Enumerate(items, "and") + "." + diag.DidYouMean(name, b.names)
}
