package explain

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
)

// Fact is one thing that an explanation says: a label of one or two words and a text of one or more lines.
type Fact struct {
	Label string
	Lines []string
}

// mostSharers and mostReaders bound how many tensors and ops are listed before the rest is counted.
const (
	mostSharers = 24
	mostReaders = 24
)

// Facts says everything in words, in a fixed order. Names of tensors and ops stand in quotes.
func (e *Explanation) Facts() []Fact {
	facts := []Fact{
		fact("tensor", e.what()),
		fact("scope", e.Scope),
		fact("pool", e.pool()),
		fact("place", e.place()),
		fact("bytes", e.bytes()),
		fact("lifetime", e.life()+e.kept()),
		fact("made by", e.maker()),
		fact("read by", e.readers()),
		fact("decided by", e.decided()),
	}
	for _, list := range []Fact{
		{"excluded", e.excluded()}, {"spilled", e.spilled()}, {"copies", e.copies()}, {"views", e.views()}, {"free for others", e.gaps()}, {"shares with", e.sharing()},
	} {
		if len(list.Lines) > 0 {
			facts = append(facts, list)
		}
	}
	return facts
}

func fact(label, text string) Fact { return Fact{label, []string{text}} }

func (e *Explanation) what() string {
	parts := make([]string, len(e.Shape))
	for i, n := range e.Shape {
		parts[i] = strconv.FormatInt(n, 10)
	}
	out := fmt.Sprintf("%q of graph %q: %s %s [%s]", e.Tensor, e.Graph, e.Role, e.DType, strings.Join(parts, ", "))
	if e.Layout != "" {
		out += " " + e.Layout
	}
	if e.ComputeDType != "" {
		out += ", computed with as " + e.ComputeDType
	}
	return out
}

func (e *Explanation) pool() string {
	if e.Pool == "" {
		return "none: the caller owns the memory"
	}
	return e.Pool + " on device " + e.Device
}

func (e *Explanation) place() string {
	var parts []string
	switch {
	case e.Offset != nil && e.Alignment > 1:
		parts = append(parts, fmt.Sprintf("offset %d, a multiple of %d", *e.Offset, e.Alignment))
	case e.Offset != nil:
		parts = append(parts, fmt.Sprintf("offset %d", *e.Offset))
	}
	if i := e.Image; i != nil {
		parts = append(parts, fmt.Sprintf("image of %d × %d texels", i.Width, i.Height),
			fmt.Sprintf("storage %d of %d × %d texels %s, rows of %d bytes", e.Storage, i.StorageWidth, i.StorageHeight, i.Texel, i.RowPitch))
	}
	if parts == nil {
		return "where the caller says"
	}
	return strings.Join(parts, "; ")
}

func (e *Explanation) bytes() string {
	out := units.FormatBoth(e.Size)
	if e.LogicalSize != e.Size {
		out += ", of which its elements are " + units.FormatExact(e.LogicalSize)
	}
	if e.Image != nil {
		out += ", of a storage of " + units.FormatExact(e.Image.StorageSize)
	}
	if e.UpperBound {
		out += "; sized for the maximum of its dimensions"
	}
	return out
}

func (e *Explanation) life() string {
	l := &e.Lifetime
	span := fmt.Sprintf("[%d, %d)", l.First, l.Last)
	switch {
	case l.Always:
		return span + ", and between runs"
	case l.Start == nil:
		return span
	case l.End == nil || l.Last == l.First+1:
		return fmt.Sprintf("%s, from %s", span, l.Start)
	}
	return fmt.Sprintf("%s, from %s through %s", span, l.Start, l.End)
}

func (e *Explanation) kept() string {
	if e.Kept == "" {
		return ""
	}
	return "; kept to the end by " + e.Kept
}

// String is "step 3, Conv "conv1"".
func (s *Step) String() string { return fmt.Sprintf("step %d, %s %q", s.Step, s.Op, s.Name) }

func (e *Explanation) maker() string {
	switch {
	case e.Producer != nil:
		return e.Producer.String()
	case e.Role == "input" && e.Shares != nil:
		return fmt.Sprintf("graph %q: it is the output %q there, in the same bytes", e.Shares.Graph, e.Shares.Tensor)
	case e.Role == "constant" && e.Shares != nil:
		return fmt.Sprintf("nothing: a constant of the graph, stored once with %q of graph %q, which has the same content", e.Shares.Tensor, e.Shares.Graph)
	case e.Role == "input":
		return "nothing: an input of the graph"
	case e.Role == "constant":
		return "nothing: a constant of the graph"
	}
	return "nothing in the graph"
}

func (e *Explanation) readers() string {
	switch {
	case len(e.Consumers) == 0 && e.Role == "output":
		return "the caller, as an output of the graph"
	case len(e.Consumers) == 0 && e.Role == "scratch":
		return "the op itself"
	case len(e.Consumers) == 0:
		return "nothing"
	}
	var parts []string
	for i := range e.Consumers[:min(len(e.Consumers), mostReaders)] {
		parts = append(parts, e.Consumers[i].String())
	}
	if more := len(e.Consumers) - mostReaders; more > 0 {
		parts = append(parts, fmt.Sprintf("%d more", more))
	}
	return strings.Join(parts, "; ")
}

func (e *Explanation) decided() string {
	r := &e.Reason
	var by []string
	if r.Pinned != nil {
		by = append(by, *r.Pinned+", which pins it")
	}
	if r.Rule != nil {
		by = append(by, *r.Rule)
	}
	if r.Policy != nil && *r.Policy == "source" {
		by = append(by, "the source, which asks for the scope")
	} else if r.Policy != nil {
		by = append(by, "the policy "+*r.Policy)
	}
	if e.CopyOf != nil {
		by = append(by, fmt.Sprintf("a reader of %q: %s", e.CopyOf.Tensor, e.CopyOf.Because))
	}
	if by == nil {
		return "nothing: there was one possibility"
	}
	return diag.Enumerate(by, "and")
}

func (e *Explanation) excluded() (out []string) {
	for _, x := range e.Reason.Against() {
		out = append(out, diag.Enumerate(x.Alternatives, "and")+": "+x.Because)
	}
	return out
}

func (e *Explanation) spilled() []string {
	if s := e.Reason.Spill; s != nil {
		return []string{"from " + diag.Enumerate(s.From, "and") + ": " + s.Because}
	}
	return nil
}

func (e *Explanation) copies() (out []string) {
	if e.CopyOf != nil {
		out = append(out, copied("is", e.CopyOf))
	}
	for i := range e.Copies {
		out = append(out, copied("has", &e.Copies[i]))
	}
	return out
}

func copied(verb string, c *plan.Copy) string {
	return fmt.Sprintf("%s the copy %q of %q, made at step %d: %s, because %s", verb, c.To, c.Tensor, c.Step, units.FormatExact(c.Bytes), c.Because)
}

func (e *Explanation) gaps() (out []string) {
	for _, gap := range e.Gaps {
		out = append(out, fmt.Sprintf("bytes [%d, %d) in steps [%d, %d)", gap.From, gap.To, gap.First, gap.Last))
	}
	return out
}

func (e *Explanation) views() (out []string) {
	if e.ViewOf != nil {
		out = append(out, fmt.Sprintf("is %q from byte %d on%s", *e.ViewOf, e.ViewOffset, inRows(e.Rows)))
	}
	if d := e.Diagonal; d != nil {
		out = append(out, fmt.Sprintf("is written over %q from below, row by row: that starts %s above it at least", d.Operand, units.FormatExact(d.Distance)))
	}
	if a := e.Apart; a != nil {
		out = append(out, fmt.Sprintf("gets copies of %s: %s", diag.Quoted(a.Tensors), a.Because))
	}
	for _, v := range e.Views {
		out = append(out, fmt.Sprintf("%q from byte %d on%s, %s, live [%d, %d)", v.Tensor, v.Offset, inRows(v.Rows), units.FormatExact(v.Size), v.First, v.Last))
	}
	return out
}

// inRows goes on about a view with other bytes between its own.
func inRows(r *plan.Rows) string {
	if r == nil {
		return ""
	}
	return ", " + r.String()
}

func (e *Explanation) sharing() (out []string) {
	for i := range e.Sharers[:min(len(e.Sharers), mostSharers)] {
		s := &e.Sharers[i]
		name := strconv.Quote(s.Tensor)
		if s.Graph != e.Graph {
			name += " of graph " + strconv.Quote(s.Graph)
		}
		bytes := "the image"
		if s.From != nil {
			bytes = fmt.Sprintf("bytes [%d, %d)", *s.From, *s.To)
		}
		out = append(out, fmt.Sprintf("%s, live [%d, %d): %s", name, s.First, s.Last, bytes))
	}
	if more := max(0, len(e.Sharers)-mostSharers) + e.moreSharers; more > 0 {
		out = append(out, fmt.Sprintf("and %d more", more))
	}
	return out
}
