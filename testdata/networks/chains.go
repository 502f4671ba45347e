package networks

import "github.com/memplan/memplan/planner/graph"

// mobileNetV1 is that of Howard et al. 2017, width 1, 224 x 224.
func mobileNetV1() *graph.Graph {
	b, x := start("mobilenet_v1", 3, 224, 224)
	x = b.convRelu(x, 32, square(3, 2))
	for _, l := range []struct{ c, stride int64 }{
		{64, 1}, {128, 2}, {128, 1}, {256, 2}, {256, 1}, {512, 2}, {512, 1}, {512, 1}, {512, 1}, {512, 1}, {512, 1}, {1024, 2}, {1024, 1},
	} {
		x = b.convRelu(b.relu(b.depthwise(x, 3, l.stride)), l.c, square(1, 1))
	}
	return b.classifier(x, 1000)
}

// mobileNetV2 is that of Sandler et al. 2018, width 1, 224 x 224.
func mobileNetV2() *graph.Graph {
	b, x := start("mobilenet_v2", 3, 224, 224)
	clip := func(v value) value {
		return b.op("Clip", graph.Attrs{"min": float32(0), "max": float32(6)}, v.c, v.h, v.w, v.id)
	}
	x = clip(b.conv(x, 32, square(3, 2)))
	for _, s := range []struct{ t, c, n, stride int64 }{
		{1, 16, 1, 1}, {6, 24, 2, 2}, {6, 32, 3, 2}, {6, 64, 4, 2}, {6, 96, 3, 1}, {6, 160, 3, 2}, {6, 320, 1, 1},
	} {
		for i := range s.n {
			stride, y := s.stride, x
			if i > 0 {
				stride = 1
			}
			if s.t > 1 {
				y = clip(b.conv(y, x.c*s.t, square(1, 1)))
			}
			y = b.conv(clip(b.depthwise(y, 3, stride)), s.c, square(1, 1))
			if stride == 1 && x.c == s.c {
				y = b.add(x, y)
			}
			x = y
		}
	}
	return b.classifier(clip(b.conv(x, 1280, square(1, 1))), 1000)
}

// resNet50 is that of He et al. 2015 with strides in the 3 x 3 convolutions, 224 x 224.
func resNet50() *graph.Graph {
	b, x := start("resnet50", 3, 224, 224)
	x = b.maxPool(b.convRelu(x, 64, square(7, 2)), 3, 2, 1)
	for s, n := range []int{3, 4, 6, 3} {
		c := int64(64) << s
		for i := range n {
			stride := int64(1)
			if s > 0 && i == 0 {
				stride = 2
			}
			x = b.bottleneck(x, c, stride)
		}
	}
	return b.classifier(x, 1000)
}

// bottleneck is a residual block of 1 x 1, 3 x 3 and 1 x 1 convolutions.
func (b *builder) bottleneck(x value, c, stride int64) value {
	y := b.convRelu(x, c, square(1, 1))
	y = b.convRelu(y, c, square(3, stride))
	y = b.conv(y, 4*c, square(1, 1))
	if stride != 1 || x.c != 4*c {
		x = b.conv(x, 4*c, square(1, stride))
	}
	return b.relu(b.add(y, x))
}

// denseNet121 is that of Huang et al. 2017, growth 32, 224 x 224. Its normalisations stand before the convolutions.
func denseNet121() *graph.Graph {
	b, x := start("densenet121", 3, 224, 224)
	x = b.maxPool(b.convRelu(x, 64, square(7, 2)), 3, 2, 1)
	for s, n := range []int{6, 12, 24, 16} {
		for range n {
			y := b.convRelu(b.relu(b.norm(x)), 128, square(1, 1))
			x = b.concat(x, b.conv(y, 32, square(3, 1)))
		}
		x = b.relu(b.norm(x))
		if s < 3 {
			x = b.pool("AveragePool", b.conv(x, x.c/2, square(1, 1)), window{2, 2, 2, 0, 0, 1})
		}
	}
	return b.classifier(x, 1000)
}
