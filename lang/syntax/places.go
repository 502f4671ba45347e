package syntax

import (
	"cmp"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// firstPlace is where a [Cache] begins to give items places of their own: beyond every offset in a text, so that a range
// tells by itself whether it is one of the text or one of an item.
const firstPlace = MaxFileSize + 2

// Places says where the items of a text stand. A tree that is used again keeps the ranges that it was given when it was
// parsed, which are in no other item of the texts of its [Cache], so that whatever was made of the tree stays as it is when
// text before it changes. It is never changed once made.
type Places struct{ spans func() []span }

// span is an item: the half-open range of bytes that its tree speaks of, its end included, and how far that is from where
// the item stands.
type span struct{ from, to, bytes, lines int }

func placesOf(p *parsed) *Places {
	return &Places{spans: sync.OnceValue(p.spans)}
}

// spans lists the items by their ranges.
func (p *parsed) spans() []span {
	spans := make([]span, len(p.items))
	for i, it := range p.items {
		c := p.chunks[i]
		spans[i] = span{from: it.at, to: it.at + c.end - c.start, bytes: c.start - it.at, lines: c.line - it.line}
	}
	slices.SortFunc(spans, func(a, b span) int { return cmp.Compare(a.from, b.from) })
	return spans
}

// now moves a range to where its item stands. The second result is false when the item is gone.
func (p *Places) now(r hcl.Range) (hcl.Range, bool) {
	if r.Start.Byte < firstPlace {
		return r, true
	}
	spans := p.spans()
	i, found := slices.BinarySearchFunc(spans, r.Start.Byte, func(s span, at int) int { return cmp.Compare(s.from, at) })
	if !found {
		i--
	}
	if i < 0 || r.Start.Byte > spans[i].to {
		return r, false
	}
	s := spans[i]
	r.Start.Byte, r.Start.Line = r.Start.Byte+s.bytes, r.Start.Line+s.lines
	if r.End.Byte >= firstPlace { // the parser leaves out some ends of what it could not read
		r.End.Byte, r.End.Line = r.End.Byte+s.bytes, r.End.Line+s.lines
	}
	return r, true
}

// Now returns where a range of a tree is in its file's text. For files that no [Cache] parsed that is the range itself. The
// second result is false when the range is of a text that the file does not have any more. It costs O(log items), and
// once for each file O(items).
func Now(files map[string]*hcl.File, r hcl.Range) (hcl.Range, bool) {
	if file := files[r.Filename]; file != nil {
		if places, ok := file.Nav.(*Places); ok {
			return places.now(r)
		}
	}
	return r, true
}

// Text returns the bytes of a range of a tree, nil when the file does not have them.
func Text(files map[string]*hcl.File, r hcl.Range) []byte {
	at, ok := Now(files, r)
	file := files[r.Filename]
	if !ok || file == nil || !at.CanSliceBytes(file.Bytes) {
		return nil
	}
	return at.SliceBytes(file.Bytes)
}

// NowAll moves diagnostics as [Now] does ranges. Those whose subject is gone are left out, and so are related ranges.
func NowAll(files map[string]*hcl.File, ds diag.Diagnostics) diag.Diagnostics {
	var kept diag.Diagnostics
	for _, d := range ds {
		ok := true
		if d.Subject, ok = nowOf(files, d.Subject); !ok {
			continue
		}
		if d.Context, ok = nowOf(files, d.Context); !ok {
			d.Context = nil
		}
		related := d.Related
		d.Related = nil
		for _, r := range related {
			if r.Range, ok = Now(files, r.Range); ok {
				d.Related = append(d.Related, r)
			}
		}
		kept = append(kept, d)
	}
	return kept
}

func nowOf(files map[string]*hcl.File, r *hcl.Range) (*hcl.Range, bool) {
	if r == nil {
		return nil, true
	}
	at, ok := Now(files, *r)
	return &at, ok
}
