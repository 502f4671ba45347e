package shape

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// ellipsis stands in a parsed term for the axes that "..." covers.
const ellipsis byte = 0

// einsum: the equation names the axes of each input and of the output. Steps:
//   - split the equation into terms; without an output term, the output has the axes named once, in alphabetical order,
//     after those of an ellipsis;
//   - each name has one extent over all inputs, the axes of ellipses broadcast;
//   - the output's axes are looked up.
//
// It costs O(axes of all inputs).
func einsum(n *node) ([]array.Type, error) {
	equation, err := n.stringAttr("equation", "")
	if err != nil {
		return nil, err
	}
	equation = strings.Map(dropSpace, equation)
	left, right, explicit := strings.Cut(equation, "->")
	terms := strings.Split(left, ",")
	if len(terms) != len(n.op.Inputs) {
		return nil, n.fault(diag.InvalidAttribute, "has the equation %q, with %d terms for %d inputs. Correct the equation.", equation, len(terms), len(n.op.Inputs))
	}
	e := &summation{n: n, extents: map[byte]int64{}, count: map[byte]int{}, equation: equation}
	for i := range terms {
		if err := e.take(terms[i], i); err != nil {
			return nil, err
		}
	}
	if !explicit {
		right = e.implicitOutput()
	}
	shape, err := e.output(right)
	return one(n.dtype(0), shape), err
}

func dropSpace(r rune) rune {
	if r == ' ' {
		return -1
	}
	return r
}

// summation collects what the terms of an equation say.
type summation struct {
	n        *node
	equation string
	extents  map[byte]int64
	count    map[byte]int
	// broadcast is the common shape of the axes under ellipses, nil when no term has one.
	broadcast graph.Shape
}

// parse returns the names of a term, an ellipsis as one of them.
func (e *summation) parse(term string) ([]byte, error) {
	before, after, dots := strings.Cut(term, "...")
	for _, name := range []byte(before + after) {
		if (name < 'a' || name > 'z') && (name < 'A' || name > 'Z') {
			return nil, e.n.fault(diag.InvalidAttribute, "has the equation %q; its terms may hold letters and one ellipsis. Correct the equation.", e.equation)
		}
	}
	names := []byte(before)
	if dots {
		names = append(names, ellipsis)
	}
	return append(names, after...), nil
}

// take matches a term with the shape of input i.
func (e *summation) take(term string, i int) error {
	names, err := e.parse(term)
	if err != nil {
		return err
	}
	shape := e.n.shape(i)
	dots := slices.Index(names, ellipsis)
	covered := len(shape) - len(names)
	if dots >= 0 {
		covered++
	}
	if covered < 0 || dots < 0 && covered != 0 {
		return e.n.fault(diag.RankMismatch, "reads %s, but the term %q of its equation names another number of axes. Correct the equation.", e.n.operand(i), term)
	}
	axis := 0
	for _, name := range names {
		if name == ellipsis {
			if err := e.cover(shape[axis:axis+covered], i); err != nil {
				return err
			}
			axis += covered
			continue
		}
		if err := e.name(name, shape[axis], i, axis); err != nil {
			return err
		}
		axis++
	}
	return nil
}

// name gives a letter its extent; an axis of 1 broadcasts.
func (e *summation) name(name byte, extent int64, i, axis int) error {
	e.count[name]++
	known, ok := e.extents[name]
	if ok && known != extent && known != 1 && extent != 1 {
		return e.n.fault(diag.ExtentMismatch, "reads %s, whose axis %d, called %q in the equation %q, has %d elements where another input has %d. Correct one of the shapes.",
			e.n.operand(i), axis, string(name), e.equation, extent, known)
	}
	if !ok || known == 1 {
		e.extents[name] = extent
	}
	return nil
}

func (e *summation) cover(shape graph.Shape, i int) error {
	if e.broadcast == nil {
		e.broadcast = graph.Shape{}
	}
	out, axis := broadcastShapes(e.broadcast, shape)
	if axis >= 0 {
		return e.n.fault(diag.BroadcastMismatch, "cannot broadcast the axes of %s under the ellipsis of %q, %s, to %s. Make the extents equal, or one of them 1.",
			e.n.operand(i), e.equation, shape, e.broadcast)
	}
	e.broadcast = out
	return nil
}

func (e *summation) implicitOutput() string {
	var once []byte
	for name, count := range e.count {
		if count == 1 {
			once = append(once, name)
		}
	}
	slices.Sort(once)
	if e.broadcast != nil {
		return "..." + string(once)
	}
	return string(once)
}

func (e *summation) output(term string) (graph.Shape, error) {
	names, err := e.parse(term)
	if err != nil {
		return nil, err
	}
	shape := graph.Shape{}
	for i, name := range names {
		extent, ok := e.extents[name]
		switch {
		case name == ellipsis:
			shape = append(shape, e.broadcast...)
		case !ok || slices.Contains(names[:i], name):
			return nil, e.n.fault(diag.InvalidAttribute, "has the equation %q, whose output names the axis %q that no input has, or twice. Correct the equation.", e.equation, string(name))
		default:
			shape = append(shape, extent)
		}
	}
	return shape, nil
}
