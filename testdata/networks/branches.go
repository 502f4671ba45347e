package networks

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph"
)

// inceptionV3 is that of Szegedy et al. 2015, 299 x 299, without the auxiliary head.
func inceptionV3() *graph.Graph {
	b, x := start("inception_v3", 3, 299, 299)
	valid := func(k, stride int64) window { return window{k, k, stride, 0, 0, 1} }
	x = b.convRelu(x, 32, valid(3, 2))
	x = b.convRelu(x, 32, valid(3, 1))
	x = b.convRelu(x, 64, square(3, 1))
	x = b.maxPool(x, 3, 2, 0)
	x = b.convRelu(x, 80, valid(1, 1))
	x = b.maxPool(b.convRelu(x, 192, valid(3, 1)), 3, 2, 0)
	for _, c := range []int64{32, 64, 64} {
		x = b.inceptionA(x, c)
	}
	one := func(v value, c int64) value { return b.convRelu(v, c, square(1, 1)) }
	x = b.concat(b.convRelu(x, 384, valid(3, 2)), b.convRelu(b.convRelu(one(x, 64), 96, square(3, 1)), 96, valid(3, 2)), b.maxPool(x, 3, 2, 0))
	for _, c := range []int64{128, 160, 160, 192} {
		x = b.inceptionC(x, c)
	}
	long := b.along(b.along(one(x, 192), 192, 1, 7), 192, 7, 1)
	x = b.concat(b.convRelu(one(x, 192), 320, valid(3, 2)), b.convRelu(long, 192, valid(3, 2)), b.maxPool(x, 3, 2, 0))
	for range 2 {
		x = b.inceptionE(x)
	}
	return b.classifier(x, 1000)
}

// along is a convolution with a kernel of kh x kw that keeps the extents.
func (b *builder) along(x value, c, kh, kw int64) value {
	return b.convRelu(x, c, window{kh, kw, 1, kh / 2, kw / 2, 1})
}

func (b *builder) average3(x value) value {
	return b.pool("AveragePool", x, window{3, 3, 1, 1, 1, 1})
}

func (b *builder) inceptionA(x value, pooled int64) value {
	one := square(1, 1)
	return b.concat(b.convRelu(x, 64, one), b.convRelu(b.convRelu(x, 48, one), 64, square(5, 1)),
		b.convRelu(b.convRelu(b.convRelu(x, 64, one), 96, square(3, 1)), 96, square(3, 1)), b.convRelu(b.average3(x), pooled, one))
}

func (b *builder) inceptionC(x value, c int64) value {
	one := square(1, 1)
	short := b.along(b.along(b.convRelu(x, c, one), c, 1, 7), 192, 7, 1)
	long := b.along(b.along(b.along(b.along(b.convRelu(x, c, one), c, 7, 1), c, 1, 7), c, 7, 1), 192, 1, 7)
	return b.concat(b.convRelu(x, 192, one), short, long, b.convRelu(b.average3(x), 192, one))
}

func (b *builder) inceptionE(x value) value {
	one := square(1, 1)
	y := b.convRelu(x, 384, one)
	z := b.convRelu(b.convRelu(x, 448, one), 384, square(3, 1))
	return b.concat(b.convRelu(x, 320, one), b.concat(b.along(y, 384, 1, 3), b.along(y, 384, 3, 1)),
		b.concat(b.along(z, 384, 1, 3), b.along(z, 384, 3, 1)), b.convRelu(b.average3(x), 192, one))
}

// uNet is that of Ronneberger et al. 2015 with padding, 256 x 256.
func uNet() *graph.Graph {
	b, x := start("unet", 3, 256, 256)
	double := func(v value, c int64) value {
		return b.convRelu(b.convRelu(v, c, square(3, 1)), c, square(3, 1))
	}
	var skips []value
	for _, c := range []int64{64, 128, 256, 512} {
		x = double(x, c)
		skips = append(skips, x)
		x = b.maxPool(x, 2, 2, 0)
	}
	x = double(x, 1024)
	for i := len(skips) - 1; i >= 0; i-- {
		x = double(b.concat(skips[i], b.transposed(x, skips[i].c)), skips[i].c)
	}
	return b.finish(b.conv(x, 2, square(1, 1)))
}

// uNetPlusPlus is that of Zhou et al. 2018, filters from 32, 256 x 256, one output.
func uNetPlusPlus() *graph.Graph {
	b, x := start("unet_plus_plus", 3, 256, 256)
	const depth = 5
	var nodes [depth][depth]value
	double := func(v value, c int64) value {
		return b.convRelu(b.convRelu(v, c, square(3, 1)), c, square(3, 1))
	}
	for i := range depth {
		if i > 0 {
			x = b.maxPool(nodes[i-1][0], 2, 2, 0)
		}
		nodes[i][0] = double(x, 32<<i)
		for j := 1; j <= i; j++ {
			row := i - j
			parts := append([]value{}, nodes[row][:j]...)
			nodes[row][j] = double(b.concat(append(parts, b.transposed(nodes[row+1][j-1], 32<<row))...), 32<<row)
		}
	}
	return b.finish(b.conv(nodes[0][depth-1], 1, square(1, 1)))
}

// ssd300 is the detector of Liu et al. 2016 on VGG-16, 300 x 300, 21 classes.
func ssd300() *graph.Graph {
	b, x := start("ssd300_vgg16", 3, 300, 300)
	several := func(v value, n int, c int64) value {
		for range n {
			v = b.convRelu(v, c, square(3, 1))
		}
		return v
	}
	x = b.maxPool(several(x, 2, 64), 2, 2, 0)
	x = b.maxPool(several(x, 2, 128), 2, 2, 0)
	x = b.maxPool(several(x, 3, 256), 2, 2, 1)
	x = several(x, 3, 512)
	maps := []value{x}
	x = b.maxPool(several(b.maxPool(x, 2, 2, 0), 3, 512), 3, 1, 1)
	x = b.convRelu(b.convRelu(x, 1024, square(3, 1)), 1024, square(1, 1))
	maps = append(maps, x)
	for _, l := range []struct{ narrow, wide, stride, pad int64 }{{256, 512, 2, 1}, {128, 256, 2, 1}, {128, 256, 1, 0}, {128, 256, 1, 0}} {
		x = b.convRelu(b.convRelu(x, l.narrow, square(1, 1)), l.wide, window{3, 3, l.stride, l.pad, l.pad, 1})
		maps = append(maps, x)
	}
	var places, scores []value
	for i, boxes := range []int64{4, 6, 6, 6, 4, 4} {
		places = append(places, b.flat(b.conv(maps[i], boxes*4, square(3, 1)), 4))
		scores = append(scores, b.flat(b.conv(maps[i], boxes*21, square(3, 1)), 21))
	}
	return b.finish(b.rows(places), b.rows(scores))
}

// flat moves the channels last and makes rows of n numbers: [1, rows, n], kept as [1, 1, rows, n].
func (b *builder) flat(x value, n int64) value {
	last := b.op("Transpose", graph.Attrs{"perm": []int64{0, 2, 3, 1}}, x.h, x.w, x.c, x.id)
	rows := x.c * x.h * x.w / n
	shape := b.tensor(fmt.Sprintf("shape_%d", b.n+1), graph.Constant, 4)
	b.g.Tensors[shape].DType, b.g.Tensors[shape].Data = graph.Int64, integers(1, 1, rows, n)
	return b.op("Reshape", nil, 1, rows, n, last.id, shape)
}

// rows joins lists of rows.
func (b *builder) rows(list []value) value {
	total, ids := int64(0), []graph.TensorID{}
	for _, v := range list {
		total += v.h
		ids = append(ids, v.id)
	}
	return b.op("Concat", graph.Attrs{"axis": int64(2)}, 1, total, list[0].w, ids...)
}
