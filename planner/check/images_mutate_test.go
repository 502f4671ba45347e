package check_test

import (
	"slices"

	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/plan"
)

func inImage(_ *plan.Plan, t *plan.Tensor) bool  { return t.Scope != "global" }
func inBytes(_ *plan.Plan, t *plan.Tensor) bool  { return t.Scope == "global" && t.ViewOf == nil }
func isObject(_ *plan.Plan, t *plan.Tensor) bool { return t.Offset == nil && t.ViewOf == nil }
func overBytes(_ *plan.Plan, t *plan.Tensor) bool {
	return t.Offset != nil && t.Scope != "global" && t.ViewOf == nil
}
func copies(p *plan.Plan, t *plan.Tensor) bool { return madeBy(p, t) == "Copy" }

// resize gives the tensor's image other sides, with the bytes that these give.
func resize(p *plan.Plan, t *plan.Tensor, width, height int64) {
	s, align := storage(p, t), p.Devices[0].Image2D.PitchAlignment
	texel := s.RowPitch / ((s.Width + align - 1) / align * align)
	s.Width, s.Height, s.RowPitch = width, height, (width+align-1)/align*align*texel
	s.Size = s.RowPitch * height
}

// companion finds an image in the same pool, and over bytes as t is, that is needed while t is.
func companion(p *plan.Plan, t *plan.Tensor) *plan.Tensor {
	for i := range p.Graphs[0].Tensors {
		o := &p.Graphs[0].Tensors[i]
		together := max(o.First, t.First) < min(o.Last, t.Last)
		if o != t && o.ViewOf == nil && o.Scope != "global" && o.Pool == t.Pool && o.Storage != t.Storage && together {
			return o
		}
	}
	return nil
}

var imageMutations = []mutation{
	{"a type that no texel holds", "MP0629", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.DType = "int64" }},
	{"a layout that nobody knows", "MP0629", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Layout = "ABCD" }},
	{"a rank without channels", "MP0629", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Shape = t.Shape[1:] }},
	{"another layout than the graph's", "MP0614", func(_ *plan.Plan, t *plan.Tensor) bool { return t.Layout != "" },
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Layout = "HWIO" }},
	{"a narrower image", "MP0630", func(p *plan.Plan, t *plan.Tensor) bool { return inImage(p, t) && storage(p, t).Width > 1 },
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			resize(p, t, storage(p, t).Width-1, storage(p, t).Height)
		}},
	{"a lower image", "MP0630", func(p *plan.Plan, t *plan.Tensor) bool { return inImage(p, t) && storage(p, t).Height > 1 },
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			resize(p, t, storage(p, t).Width, storage(p, t).Height-1)
		}},
	{"other texels of the same size", "MP0631", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		s := storage(p, t)
		s.Texel = map[string]string{"rgba_float32": "rgba_int32", "rgba_float16": "rgba_int16"}[s.Texel]
	}},
	{"a longer row", "MP0632", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).RowPitch += 16 }},
	{"more bytes than rows", "MP0632", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).Size++ }},
	{"texels of no format", "MP0632", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).Texel = "argb" }},
	{"texels of no type", "MP0632", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).Texel = "rgba_bool" }},
	{"an image without width", "MP0632", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { storage(p, t).Width = 0 }},
	{"another pitch of the device", "MP0632", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, _ *plan.Tensor) {
		p.Devices[0].Image2D.PitchAlignment = 257
	}},
	{"a device with narrower images", "MP0633", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		p.Devices[0].Image2D.MaxWidth = storage(p, t).Width - 1
	}},
	{"a device with lower images", "MP0633", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		p.Devices[0].Image2D.MaxHeight = storage(p, t).Height - 1
	}},
	{"a device without images", "MP0634", inImage, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, _ *plan.Tensor) { p.Devices[0].Image2D = nil }},
	{"a device without images over bytes", "MP0634", overBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, _ *plan.Tensor) { p.Devices[0].Image2D.FromBuffer = false }},
	{"a pool without images over its bytes", "MP0634", overBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { pool(p, t.Pool).Images = false }},
	{"two live tensors in one image", "MP0635", func(p *plan.Plan, t *plan.Tensor) bool {
		return inImage(p, t) && t.ViewOf == nil && companion(p, t) != nil
	},
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			o := companion(p, t)
			t.Storage, t.Offset = o.Storage, o.Offset
		}},
	{"two live images at one offset", "MP0619", func(p *plan.Plan, t *plan.Tensor) bool { return overBytes(p, t) && companion(p, t) != nil },
		func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) { move(p, t, *companion(p, t).Offset) }},
	{"bytes as a view of an image", "MP0636", func(p *plan.Plan, t *plan.Tensor) bool { return inImage(p, t) && t.ViewOf != nil },
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Scope = "global" }},
	{"a view of another order of elements", "MP0636", func(p *plan.Plan, t *plan.Tensor) bool {
		return inImage(p, t) && t.ViewOf != nil && t.Shape[2]*t.Shape[3] > 1
	},
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
			t.Layout = map[string]string{"NCHW": "NHWC", "": "NHWC"}[t.Layout]
			t.Shape = []int64{t.Shape[0], t.Shape[2], t.Shape[3], t.Shape[1]}
		}},
	{"a view in another scope", "MP0636", func(p *plan.Plan, t *plan.Tensor) bool {
		return t.Scope == "global.texture" && t.ViewOf != nil && t.Shape[1] > 4
	},
		func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Scope = "global.texture-weight" }},
	{"more bytes than the tensor's rows", "MP0637", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Size++ }},
	{"no bytes at all", "MP0637", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Size = 0 }},
	{"a flat tensor in an image", "MP0638", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Scope = "global" }},
	{"an image's tensor in bytes", "MP0638", overBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		s := storage(p, t)
		s.Width, s.Height, s.RowPitch, s.Texel = 0, 0, 0, ""
	}},
	{"an image object with an offset", "MP0638", isObject, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		t.Offset, storage(p, t).Offset = pointer(int64(0)), pointer(int64(0))
	}},
	{"bytes without an offset", "MP0638", inBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		t.Offset, storage(p, t).Offset = nil, nil
	}},
	{"an image object in a pool of bytes", "MP0638", isObject, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		t.Pool, storage(p, t).Pool = "arena", "arena"
	}},
	{"bytes in a pool of images", "MP0616", inBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		t.Pool, storage(p, t).Pool = "images", "images"
	}},
	{"a scope that sounds like an image's", "MP0616", inImage, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) { t.Scope = "global.texture-nchw" }},
	{"an image between two texels", "MP0617", overBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		pool(p, t.Pool).Alignment = 1
		move(p, t, *t.Offset+4)
	}},
	{"a tensor not at its image's start", "MP0627", overBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		resize(p, t, storage(p, t).Width, 2*storage(p, t).Height)
		t.Offset = pointer(*t.Offset + storage(p, t).RowPitch)
	}},
	{"an image that ends beyond its pool", "MP0618", overBytes, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		pool(p, t.Pool).Capacity = pointer(*t.Offset + t.Size - 1)
	}},
	{"more images than the pool holds", "MP0618", isObject, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		pool(p, t.Pool).Capacity = pointer(pool(p, t.Pool).Used - 1)
	}},
	{"an image larger than an allocation", "MP0625", isObject, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		p.Devices[0].MaxAlloc = pointer(storage(p, t).Size - 1)
	}},
	{"another sum of images", "MP0626", isObject, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		q := pool(p, t.Pool)
		q.Peak, q.Gap = q.Peak+1, q.Gap+1
	}},
	{"a bound below the live images", "MP0626", isObject, func(_ *rapid.T, p *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		q := pool(p, t.Pool)
		q.Bound, q.Gap = 0, q.Peak
	}},
	{"a copy left out", "MP0639", copies, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) {
		g.Copies = slices.DeleteFunc(g.Copies, func(c plan.Copy) bool { return c.To == t.Name })
	}},
	{"a copy of nothing", "MP0639", inImage, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) {
		g.Copies = append(g.Copies, plan.Copy{Tensor: t.Name, To: t.Name})
	}},
	{"a copy twice", "MP0639", copies, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, _ *plan.Tensor) {
		g.Copies = append(g.Copies, g.Copies[0])
	}},
	{"a sum of copied bytes that is not theirs", "MP0639", copies, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, _ *plan.Tensor) {
		g.Scopes = &plan.Scopes{Policy: "mincopy", CopiedBytes: 1}
	}},
	{"a copy at another step", "MP0639", copies, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, _ *plan.Tensor) { g.Copies[0].Step++ }},
	{"a copy of more bytes", "MP0639", copies, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, _ *plan.Tensor) { g.Copies[0].Bytes += 4 }},
	{"a copy that stays in its scope", "MP0640", copies, func(_ *rapid.T, _ *plan.Plan, g *plan.Graph, t *plan.Tensor) {
		for _, c := range g.Copies {
			if c.To == t.Name {
				from := slices.IndexFunc(g.Tensors, func(x plan.Tensor) bool { return x.Name == c.Tensor })
				g.Tensors[from].Scope = t.Scope
			}
		}
	}},
	{"a copy into another scope", "MP0640", copies, func(_ *rapid.T, _ *plan.Plan, _ *plan.Graph, t *plan.Tensor) {
		t.Scope = map[string]string{"global": "global.texture", "global.texture": "global.texture-nhwc"}[t.Scope]
	}},
}
