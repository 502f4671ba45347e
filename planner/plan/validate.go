package plan

import (
	"fmt"
	"math"

	"github.com/memplan/memplan/lang/diag"
)

// validate reports where the parts of a decoded plan contradict one another, so that its readers may follow every
// name and every storage id without looking. Whether tensors overlap is the checker's business.
func validate(r *reader, p *Plan) {
	v := validator{reader: r, pools: map[string]*Pool{}, storages: map[int64]*Storage{}}
	v.devicesAndPools(p)
	v.allStorages(p)
	graphs := map[string]bool{}
	for i := range p.Graphs {
		g, at := &p.Graphs[i], fmt.Sprintf("graphs[%d]", i)
		if graphs[g.Name] {
			v.fault(at, "The graph %q stands in the plan twice.", g.Name)
		}
		graphs[g.Name] = true
		v.graph(g, at)
	}
}

type validator struct {
	*reader
	pools    map[string]*Pool
	storages map[int64]*Storage
}

func (v *validator) fault(at, detail string, args ...any) {
	start := v.starts[at]
	v.report(diag.InvalidPlan, start, start+1, detail, args...)
}

func (v *validator) devicesAndPools(p *Plan) {
	devices := map[string]bool{}
	for i, d := range p.Devices {
		if devices[d.Name] {
			v.fault(fmt.Sprintf("devices[%d]", i), "The device %q stands in the plan twice.", d.Name)
		}
		devices[d.Name] = true
	}
	for i := range p.Pools {
		pool, at := &p.Pools[i], fmt.Sprintf("pools[%d]", i)
		if v.pools[pool.Name] != nil {
			v.fault(at, "The pool %q stands in the plan twice.", pool.Name)
		}
		v.pools[pool.Name] = pool
		if !devices[pool.Device] {
			v.fault(at, "The pool %q belongs to the device %q, which is not in the plan.", pool.Name, pool.Device)
		}
		if pool.Type != "flat" && pool.Type != "texture" {
			v.fault(at, "The pool %q has type %q; a pool is \"flat\" or \"texture\".", pool.Name, pool.Type)
		}
		if pool.Images && pool.Type != "flat" {
			v.fault(at, "The pool %q of type %q has \"images\", which says of a flat pool that it also holds images.", pool.Name, pool.Type)
		}
		if min(pool.Alignment-1, pool.Bound, pool.Peak, pool.Used) < 0 || pool.Capacity != nil && *pool.Capacity < 0 {
			v.fault(at, "The pool %q has a negative number of bytes or an alignment below 1.", pool.Name)
		}
	}
}

func (v *validator) allStorages(p *Plan) {
	for i := range p.Storages {
		s, at := &p.Storages[i], fmt.Sprintf("storages[%d]", i)
		if v.storages[s.ID] != nil {
			v.fault(at, "The storage %d stands in the plan twice.", s.ID)
		}
		v.storages[s.ID] = s
		if v.pools[s.Pool] == nil {
			v.fault(at, "The storage %d is in the pool %q, which is not in the plan.", s.ID, s.Pool)
		}
		if !spans(s.Offset, s.Size) || min(s.Width, s.Height, s.RowPitch) < 0 {
			v.fault(at, "The storage %d has a negative offset or size, or ends beyond 2^63-1 bytes.", s.ID)
		}
	}
}

func (v *validator) graph(g *Graph, at string) {
	names := make(map[string]bool, len(g.Tensors))
	for i := range g.Tensors {
		if names[g.Tensors[i].Name] {
			v.fault(fmt.Sprintf("%s.tensors[%d]", at, i), "The tensor %q stands in the graph %q twice.", g.Tensors[i].Name, g.Name)
		}
		names[g.Tensors[i].Name] = true
	}
	for i := range g.Tensors {
		v.tensor(g, &g.Tensors[i], names, fmt.Sprintf("%s.tensors[%d]", at, i))
	}
	for i, s := range g.Steps {
		stepAt := fmt.Sprintf("%s.steps[%d]", at, i)
		if s.Step != int64(i) {
			v.fault(stepAt, "The step at place %d of the graph %q is numbered %d; steps count from 0 without gaps.", i, g.Name, s.Step)
		}
		v.known(stepAt, "step "+s.Name, s.Inputs, names)
		v.known(stepAt, "step "+s.Name, s.Outputs, names)
	}
	for i, w := range g.Rewrites {
		if min(w.HalfBytes, w.FloatBytes) < 0 {
			v.fault(fmt.Sprintf("%s.rewrites[%d]", at, i), "The rewrite of %q counts a negative number of bytes.", w.Op)
		}
	}
	if s := g.Scopes; s != nil && min(s.CopiedBytes, s.PenaltyBytes) < 0 {
		v.fault(at, "The graph %q copies or is charged a negative number of bytes.", g.Name)
	}
	if o := g.Order; o != nil && (o.Bound < 0 || o.Bound > o.Live || o.Source < 0) {
		v.fault(at, "The order of graph %q has a bound of %d bytes, %d live and %d in the model's order; the bound is 0 or more and not above what is live.", g.Name, o.Bound, o.Live, o.Source)
	}
	for i, c := range g.Copies {
		copyAt := fmt.Sprintf("%s.copies[%d]", at, i)
		v.known(copyAt, "copy of "+c.Tensor, []string{c.Tensor, c.To}, names)
		if c.Step < 0 || c.Step >= int64(len(g.Steps)) || c.Bytes < 0 {
			v.fault(copyAt, "The copy of the tensor %q has a step or a number of bytes out of range.", c.Tensor)
		}
	}
}

func (v *validator) tensor(g *Graph, t *Tensor, names map[string]bool, at string) {
	storage := v.storages[t.Storage]
	switch {
	case t.Pool == "": // the caller's own memory
	case v.pools[t.Pool] == nil:
		v.fault(at, "The tensor %q is in the pool %q, which is not in the plan.", t.Name, t.Pool)
	case storage == nil:
		v.fault(at, "The tensor %q uses the storage %d, which is not in the plan.", t.Name, t.Storage)
	case storage.Pool != t.Pool:
		v.fault(at, "The tensor %q is in the pool %q, but its storage %d is in %q.", t.Name, t.Pool, t.Storage, storage.Pool)
	}
	if !spans(t.Offset, t.Size) || min(t.LogicalSize, t.Alignment, t.ViewOffset) < 0 {
		v.fault(at, "The tensor %q has a negative offset, size or alignment, or ends beyond 2^63-1 bytes.", t.Name)
	}
	if t.First < 0 || t.Last < t.First {
		v.fault(at, "The tensor %q lives from step %d to %d, which is no half-open span of steps.", t.Name, t.First, t.Last)
	}
	v.gaps(t, at)
	if span, ok := t.Rows.Span(t.LogicalSize); t.Rows != nil && (!ok || span != t.Size || t.ViewOf == nil || t.Offset == nil && t.Pool != "") {
		v.fault(at, "The tensor %q has rows of %d bytes at a stride of %d, for %d bytes of elements in %d. Only a view in flat memory has rows, all of its elements are in them, and its bytes are those from the first of them to the last.",
			t.Name, t.Rows.Bytes, t.Rows.Stride, t.LogicalSize, t.Size)
	}
	for axis, n := range t.Shape {
		if n < 0 {
			v.fault(at, "The tensor %q has %d elements on axis %d.", t.Name, n, axis)
		}
	}
	if d := t.Diagonal; d != nil && (!names[d.Operand] || d.Distance < 0) {
		v.fault(at, "The tensor %q is written over %q at a distance of %d bytes: that tensor is not in the graph %q, or the distance is negative.", t.Name, d.Operand, d.Distance, g.Name)
	}
	if t.ViewOf != nil && !names[*t.ViewOf] {
		v.fault(at, "The tensor %q shares the bytes of %q, which is not in the graph %q.", t.Name, *t.ViewOf, g.Name)
	}
}

// mostGaps bounds the gaps of a tensor.
const mostGaps = 1024

// gaps checks that they are within the tensor and in order. That no two overlap costs too much to be checked here.
func (v *validator) gaps(t *Tensor, at string) {
	if len(t.Gaps) > mostGaps || len(t.Gaps) > 0 && (t.ViewOf != nil || t.Offset == nil) {
		v.fault(at, "The tensor %q has %d gaps. A tensor with bytes of its own in flat memory has up to %d, any other has none.", t.Name, len(t.Gaps), mostGaps)
		return
	}
	first := t.First
	for _, gap := range t.Gaps {
		if gap.First < first || gap.First >= gap.Last || gap.Last > t.Last || gap.From < 0 || gap.From >= gap.To || gap.To > t.Size {
			v.fault(at, "The tensor %q has a gap of the bytes [%d, %d) in the steps [%d, %d). Gaps are in order of their first step, within the tensor's bytes and its lifetime.",
				t.Name, gap.From, gap.To, gap.First, gap.Last)
		}
		first = max(first, gap.First)
	}
}

// known reports the names that no tensor of the graph has. An empty name is an optional input that is absent.
func (v *validator) known(at, who string, tensors []string, names map[string]bool) {
	for _, name := range tensors {
		if name != "" && !names[name] {
			v.fault(at, "The %s names the tensor %q, which is not in its graph.", who, name)
		}
	}
}

// spans reports whether [offset, offset+size) is a range of bytes; a nil offset counts as 0.
func spans(offset *int64, size int64) bool {
	start := int64(0)
	if offset != nil {
		start = *offset
	}
	return start >= 0 && size >= 0 && start <= math.MaxInt64-size
}
