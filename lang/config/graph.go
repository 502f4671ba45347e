package config

import (
	"cmp"
	"fmt"
	"math/big"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"

	"github.com/memplan/memplan/lang/diag"
)

// decodeGraph decodes a graph block. Places come in order of tensor name.
func (l *loader) decodeGraph(b *block) *Graph {
	f, faults := l.fields(b), len(l.diags)
	g := &Graph{Address: l.full(b), Name: l.full(b).FullName(), Range: b.header, SourceRange: b.header, Attributes: b.ranges()}
	source, _ := f.text("source")
	g.Source = l.relative(source)
	if at, given := g.Attributes["source"]; given {
		g.SourceRange = at
	}
	if device, ok := f.reference("device"); ok {
		g.Device = l.session.device(device)
	}
	g.Dims = f.dims()
	g.Keep, g.KeepRanges, _ = f.texts("keep")
	g.KeepInputs = f.boolean("keep_inputs")
	for _, inner := range l.distinct(b.of("place")) {
		g.Places = append(g.Places, l.decodePlace(g, inner))
	}
	l.decodeGraphInputs(g, b)
	l.checkPreconditions(b)
	slices.SortFunc(g.Places, func(a, b *Place) int { return cmp.Compare(a.Tensor, b.Tensor) })
	g.Faulty = g.Device == nil || source == "" || b.isFaulty() || l.diags[faults:].HasErrors() ||
		b.attrs["dims"] != nil && g.Dims == nil || slices.ContainsFunc(g.Places, func(p *Place) bool { return p.Pool == nil })
	return g
}

// isFaulty reports whether something of a block, or of one inside it, was found to be at fault before it is decoded.
func (b *block) isFaulty() bool {
	broken := func(a *attribute) bool { return a.broken }
	return b.source != nil && b.kept == nil || len(b.unknown) > 0 || slices.ContainsFunc(b.order, broken) || slices.ContainsFunc(b.blocks, (*block).isFaulty)
}

// distinct drops blocks whose label is taken by an earlier one of the same type.
func (l *loader) distinct(blocks []*block) []*block {
	seen := map[string]hcl.Range{}
	return slices.DeleteFunc(blocks, func(b *block) bool {
		first, taken := seen[b.label]
		if taken {
			d := diag.New(diag.DuplicateName, "There is already a block %s %q here. Merge the two.", b.schema.Type, b.label).At(b.labelRange)
			d.Related = []diag.Related{{Message: "the first one is here", Range: first}}
			l.report(d)
		} else {
			seen[b.label] = b.labelRange
		}
		return taken
	})
}

// decodePlace decodes a pin and checks it against the pool.
func (l *loader) decodePlace(g *Graph, b *block) *Place {
	f := l.fields(b)
	p := &Place{Tensor: b.label, Offset: NoOffset, Range: b.header, Attributes: b.ranges()}
	if target, ok := f.reference("pool"); ok {
		p.Pool = l.session.pool(target)
	}
	if offset, ok := f.size("offset"); ok {
		p.Offset = offset
	}
	if p.Pool == nil {
		return p
	}
	if g.Device != nil && p.Pool.Device != nil && p.Pool.Device != g.Device {
		l.report(diag.New(diag.PoolOnOtherDevice, "Tensor %q of graph %q, which runs on device %q, is pinned to pool %q of device %q. Choose a pool of %q.", p.Tensor, g.Name, g.Device.Name, p.Pool.Name, p.Pool.Device.Name, g.Device.Name).At(p.Attributes["pool"]))
	}
	if p.Offset != NoOffset {
		f.checkOffset(p)
	}
	return p
}

func (f fields) checkOffset(p *Place) {
	at, pool := p.Attributes["offset"], p.Pool
	switch below := p.Offset - p.Offset%pool.Alignment; {
	case pool.Type == "texture":
		f.report(diag.New(diag.PinOffsetInTexturePool, "Pool %q is of type \"texture\", and images have no offset. Leave offset out to pin the pool alone.", pool.Name).At(at))
	case pool.Size != Unlimited && p.Offset >= pool.Size:
		f.reportValue(diag.New(diag.PinOffsetBeyondPool, "The offset %d is not within pool %q, which has %d bytes. Choose a smaller offset.", p.Offset, pool.Name, pool.Size), at)
	case below != p.Offset:
		next := fmt.Sprintf("Write %d", below)
		if above := below + pool.Alignment; above > below {
			next += fmt.Sprintf(" or %d", above)
		}
		f.reportValue(diag.New(diag.PinOffsetMisaligned, "The offset %d is not a multiple of the alignment of pool %q, %d bytes. %s.", p.Offset, pool.Name, pool.Alignment, next), at)
	}
}

// dims reads the bindings of symbolic dimensions.
func (f fields) dims() map[string]Dim {
	v, r, ok := f.value("dims")
	if !ok {
		return nil
	}
	if t := v.Type(); !t.IsObjectType() && !t.IsMapType() {
		f.wrongType("dims", "a map of dimensions", v, r)
		return nil
	}
	dims := map[string]Dim{}
	for it := v.ElementIterator(); it.Next(); {
		key, value := it.Element()
		name := key.AsString()
		at := f.itemRange(f.b.attrs["dims"].expr, name, r)
		if dim, ok := f.dim(name, value, at); ok {
			dims[name] = dim
		}
	}
	return dims
}

// itemRange is the range of the value of a key in a literal object, else r.
func (f fields) itemRange(expr hclsyntax.Expression, key string, r hcl.Range) hcl.Range {
	object, ok := expr.(*hclsyntax.ObjectConsExpr)
	if !ok {
		return r
	}
	for _, item := range object.Items {
		if k, hclDiags := item.KeyExpr.Value(nil); !hclDiags.HasErrors() && k.Type() == cty.String && !k.IsNull() && k.IsKnown() && k.AsString() == key {
			return item.ValueExpr.Range()
		}
	}
	return r
}

// dim reads a value, or { max = bound }.
func (f fields) dim(name string, v cty.Value, at hcl.Range) (Dim, bool) {
	t := v.Type()
	bound := !v.IsNull() && t.IsObjectType() && len(t.AttributeTypes()) == 1 && t.HasAttribute("max") ||
		!v.IsNull() && t.IsMapType() && v.LengthInt() == 1 && v.HasIndex(cty.StringVal("max")).True()
	if bound {
		v = v.AsValueMap()["max"]
	}
	number, err := convert.Convert(v, cty.Number)
	if err != nil || v.IsNull() {
		f.report(diag.New(diag.WrongType, "Dimension %q takes a whole number or { max = number }, not %s. Write it as in %s = 1.", name, typeName(v), name).At(at))
		return Dim{}, false
	}
	n, accuracy := number.AsBigFloat().Int64()
	if accuracy != big.Exact || n < 1 {
		f.report(diag.New(diag.NumberOutOfRange, "Dimension %q must be a whole number of 1 or more. Write one.", name).At(at))
		return Dim{}, false
	}
	return Dim{Value: n, Max: bound}, true
}
