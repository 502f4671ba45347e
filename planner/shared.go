package planner

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"hash/fnv"
	"slices"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/liveness"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/planner/scope"
)

// alias says that a buffer is in the bytes of another, its base, from a byte of it on.
type alias struct {
	base  int
	shift int64
	// because is plan.SharesInput or plan.SharesContent.
	because string
	// tensor is the one of the base's graph whose bytes they are.
	tensor graph.TensorID
	of     *planned
}

// findAliases decides which buffers are in the bytes of others: inputs in those of the outputs that they come from, and
// constants in those of equal ones. Graphs and buffers have their numbers.
func (p *pipeline) findAliases() diag.Diagnostics {
	p.aliases, p.readers, p.narrowed = map[int]alias{}, map[int][]int{}, map[int][]int{}
	var diags diag.Diagnostics
	for _, l := range p.links {
		diags = append(diags, p.aliasInput(l)...)
	}
	if p.err == nil {
		p.aliasConstants()
	}
	return diags
}

// aliasInput puts the buffer of an input into that of the output it comes from.
func (p *pipeline) aliasInput(l *link) diag.Diagnostics {
	input := slices.IndexFunc(l.to.buffers, func(b liveness.Buffer) bool { return b.Tensor == l.input })
	output, shift := l.from.holder(l.output)
	if input < 0 || output < 0 {
		p.err = fmt.Errorf("the input %q of graph %q and the output %q of graph %q are not both tensors with bytes", l.block.Tensor, l.to.block.Name, l.block.Output, l.from.block.Name)
		return nil
	}
	base := l.from.first + output
	if earlier, ok := p.aliases[base]; ok {
		base, shift = earlier.base, shift+earlier.shift
	}
	index := l.to.first + input
	p.aliases[index] = alias{base: base, shift: shift, because: plan.SharesInput, tensor: l.output, of: l.from}
	p.readers[base] = append(p.readers[base], index)
	return p.narrow(l, base, input)
}

// holder returns the buffer that has the bytes of a tensor, and where they begin in it; -1 when none does.
func (g *planned) holder(id graph.TensorID) (buffer int, offset int64) {
	for i := range g.buffers {
		b := &g.buffers[i]
		if b.Tensor == id {
			return i, 0
		}
		for _, view := range b.Views {
			if view.Tensor == id {
				return i, view.Offset
			}
		}
	}
	return -1, 0
}

// narrow leaves the bytes those pools that suit both the output and the input.
func (p *pipeline) narrow(l *link, base, input int) diag.Diagnostics {
	g, i := p.bufferOf(base)
	pools := p.narrowed[base]
	if pools == nil {
		pools = g.decision(&g.buffers[i]).Pools
	}
	suits := l.to.decision(&l.to.buffers[input]).Pools
	both := slices.DeleteFunc(slices.Clone(pools), func(pool int) bool { return !slices.Contains(suits, pool) })
	if len(both) == 0 {
		return diag.Diagnostics{at(diag.New(diag.ConnectedPools, "Input %q of graph %q is in the bytes of output %q of graph %q, and no pool may hold both: the output may be in %s, the input in %s. Add the missing role to the holds of one of the pools.",
			l.block.Tensor, l.to.block.Name, l.block.Output, l.from.block.Name, p.namesOf(pools), p.namesOf(suits)), l.to.block.Name, l.block.Range)}
	}
	p.narrowed[base] = both
	return nil
}

func (p *pipeline) namesOf(pools []int) string {
	names := make([]string, len(pools))
	for i, pool := range pools {
		names[i] = p.pools[pool].name
	}
	return diag.Quoted(names)
}

// constantKind is what equal constants have in common besides their content. Images of the same bytes differ by the shape and
// the layout that they are cut by.
type constantKind struct {
	device *config.Device
	size   int64
	scope  string
	image  string
	pools  string
	print  uint64
}

// aliasConstants puts constants into the bytes of the first equal one of the same device, scope and candidate pools. A
// constant that is pinned, or that the caller sees, has bytes of its own. What is not of equal size and beginning is not
// read.
func (p *pipeline) aliasConstants() {
	firsts := map[constantKind][]int{}
	for _, g := range p.graphs {
		for i := range g.buffers {
			b := &g.buffers[i]
			data := g.contentOf(b)
			if data == nil {
				continue
			}
			kind := p.kindOf(g, g.decision(b), b, data)
			index := g.first + i
			same := slices.IndexFunc(firsts[kind], func(first int) bool {
				other, k := p.bufferOf(first)
				return sameContent(data, other.contentOf(&other.buffers[k]))
			})
			if same < 0 {
				firsts[kind] = append(firsts[kind], index)
				continue
			}
			other, k := p.bufferOf(firsts[kind][same])
			p.aliases[index] = alias{base: firsts[kind][same], because: plan.SharesContent, tensor: other.buffers[k].Tensor, of: other}
		}
	}
}

// contentOf is the content of a constant that may be in the bytes of another, nil for every other buffer.
func (g *planned) contentOf(b *liveness.Buffer) graph.Data {
	if b.Role != graph.Constant || b.Tensor == graph.NoTensor || b.External || b.Size == 0 {
		return nil
	}
	for _, id := range g.members(b) {
		if _, pinned := g.pins[id]; pinned {
			return nil
		}
	}
	// A copy of a constant into another scope has no content of its own.
	if data := g.graph.Tensors[b.Tensor].Data; graph.HasContent(data) && data.Size() == b.Size || graph.DigestOf(data) != "" {
		return data
	}
	return nil
}

func (p *pipeline) kindOf(g *planned, d *scope.Decision, b *liveness.Buffer, data graph.Data) constantKind {
	out := constantKind{device: g.block.Device, size: b.Size, scope: d.Scope, pools: fmt.Sprint(d.Pools, d.Images, b.Alignment), print: fingerprint(data)}
	if d.Geometry != nil {
		t := &g.graph.Tensors[b.Tensor]
		out.image = fmt.Sprintf("%+v %s %v %s", *d.Geometry, t.DType, t.Shape, t.Layout)
		out.pools += fmt.Sprint(g.unstored[g.original(b.Tensor)])
	}
	return out
}

// sampled is how many bytes at the beginning, in the middle and at the end of a content tell most contents apart.
const sampled = 64

// fingerprint is equal for equal contents of the same form. It reads a few bytes of contents in memory or in mapped files,
// and of those that are computed from others the few of these.
func fingerprint(data graph.Data) uint64 {
	h := fnv.New64a()
	switch d := data.(type) {
	case graph.Bytes:
		n := len(d)
		h.Write(d[:min(n, sampled)])
		h.Write(d[n/2 : min(n, n/2+sampled)])
		h.Write(d[max(0, n-sampled):])
	case *graph.Lazy:
		if d.Recipe == nil {
			return 1
		}
		h.Write([]byte(d.Recipe.Op))
		for _, in := range d.Recipe.Inputs {
			var part [8]byte
			if in != nil {
				binary.LittleEndian.PutUint64(part[:], fingerprint(in))
			}
			h.Write(part[:])
		}
	default:
		h.Write([]byte(graph.DigestOf(data)))
	}
	return h.Sum64()
}

// sameContent reports whether two contents of equal size are the same bytes: those of the same form that are computed in the
// same way from the same bytes are, and those that were left out of their files with equal digests.
func sameContent(a, b graph.Data) bool {
	x, lazy := a.(*graph.Lazy)
	y, other := b.(*graph.Lazy)
	if lazy && other && x.Recipe != nil && y.Recipe != nil {
		return x == y || x.Recipe.Op == y.Recipe.Op && slices.EqualFunc(x.Recipe.Inputs, y.Recipe.Inputs, sameInput)
	}
	if digest := graph.DigestOf(a); digest != "" {
		return digest == graph.DigestOf(b)
	}
	left, err := a.Read()
	if err != nil {
		return false // who reads the constant to run it reports this
	}
	right, err := b.Read()
	return err == nil && bytes.Equal(left, right)
}

func sameInput(a, b graph.Data) bool {
	if a == nil || b == nil {
		return a == nil && b == nil
	}
	return a.Size() == b.Size() && sameContent(a, b)
}

// share is what the plan says of a buffer that is in the bytes of another, nil for one that has its own.
func (p *pipeline) share(g *planned, i int) *plan.Share {
	a, ok := p.aliases[g.first+i]
	if !ok {
		return nil
	}
	return &plan.Share{Graph: a.of.block.Name, Tensor: a.of.graph.Tensors[a.tensor].Name, Because: a.because}
}
