// Package networks generates well-known networks as graphs, for tests and measurements: shapes and connections, without the
// content of weights. Start from [All].
//
// They are as an exporter writes them for inference: float32, NCHW or, with nhwc in the name, NHWC, batch 1, batch normalisations folded into the convolution
// before them where there is one, activations as ops of their own. Sources: the papers named at each function; channel
// counts are those of the reference implementations.
package networks

import (
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// Network is one generated network.
type Network struct {
	Name  string
	Build func() *graph.Graph
}

// All lists the networks by name.
func All() []Network {
	return list(func(build func() *graph.Graph) func() *graph.Graph { return build })
}

// Small lists the same networks with smaller pictures and fewer channels, which run in a moment.
func Small() []Network { return list(small) }

// list makes each network in a size.
func list(sized func(build func() *graph.Graph) func() *graph.Graph) []Network {
	out := []Network{
		{"densenet121", denseNet121},
		{"densenet121_nhwc", denseNet121},
		{"hrnet_w18_small", hrNet},
		{"inception_v3", inceptionV3},
		{"inception_v3_nhwc", inceptionV3},
		{"mobilenet_v1", mobileNetV1},
		{"mobilenet_v1_nhwc", mobileNetV1},
		{"mobilenet_v2", mobileNetV2},
		{"mobilenet_v2_nhwc", mobileNetV2},
		{"randwire_1", func() *graph.Graph { return randomlyWired("randwire_1", 1) }},
		{"randwire_2", func() *graph.Graph { return randomlyWired("randwire_2", 2) }},
		{"resnet50", resNet50},
		{"resnet50_nhwc", resNet50},
		{"ssd300_vgg16", ssd300},
		{"ssd300_vgg16_nhwc", ssd300},
		{"unet", uNet},
		{"unet_nhwc", uNet},
		{"unet_plus_plus", uNetPlusPlus},
	}
	for i := range out {
		n := &out[i]
		n.Build = sized(n.Build)
		if strings.HasSuffix(n.Name, "_nhwc") {
			n.Build = channelsLast(n.Build)
		}
	}
	return out
}

// builder adds ops to a graph. Tensors are [1, C, H, W].
type builder struct {
	g *graph.Graph
	n int
}

// value is a tensor with its extents.
type value struct {
	id      graph.TensorID
	c, h, w int64
}

func start(name string, c, h, w int64) (*builder, value) {
	b := &builder{g: &graph.Graph{Name: name, Format: "json"}}
	x := b.tensor("image", graph.Input, 1, c, h, w)
	b.g.Inputs = []graph.TensorID{x}
	return b, value{x, c, h, w}
}

func (b *builder) tensor(name string, role graph.Role, shape ...int64) graph.TensorID {
	b.g.Tensors = append(b.g.Tensors, graph.Tensor{Name: name, Role: role, DType: graph.Float32, Shape: shape})
	return graph.TensorID(len(b.g.Tensors) - 1)
}

// op adds an op with one result.
func (b *builder) op(kind string, attrs graph.Attrs, c, h, w int64, inputs ...graph.TensorID) value {
	b.n++
	name := fmt.Sprintf("%s_%d", kind, b.n)
	out := b.tensor(name+":0", graph.Activation, 1, c, h, w)
	b.g.Ops = append(b.g.Ops, graph.Op{Name: name, Op: kind, Inputs: inputs, Outputs: []graph.TensorID{out}, Attrs: attrs})
	return value{out, c, h, w}
}

// window is a kernel with its stride and the padding on all sides.
type window struct{ kh, kw, stride, ph, pw, groups int64 }

// square is a kernel that keeps the extents at stride 1.
func square(k, stride int64) window { return window{k, k, stride, k / 2, k / 2, 1} }

func (w window) out(h, width int64) (int64, int64) {
	return (h+2*w.ph-w.kh)/w.stride + 1, (width+2*w.pw-w.kw)/w.stride + 1
}

func (w window) attrs() graph.Attrs {
	return graph.Attrs{"kernel_shape": []int64{w.kh, w.kw}, "strides": []int64{w.stride, w.stride}, "pads": []int64{w.ph, w.pw, w.ph, w.pw}}
}

// conv is a convolution with a bias.
func (b *builder) conv(x value, c int64, w window) value {
	attrs := w.attrs()
	attrs["group"] = w.groups
	name := fmt.Sprintf("w_%d", b.n+1)
	weights := b.tensor(name, graph.Constant, c, x.c/w.groups, w.kh, w.kw)
	bias := b.tensor(name+"_bias", graph.Constant, c)
	h, width := w.out(x.h, x.w)
	return b.op("Conv", attrs, c, h, width, x.id, weights, bias)
}

func (b *builder) relu(x value) value { return b.op("Relu", nil, x.c, x.h, x.w, x.id) }

func (b *builder) convRelu(x value, c int64, w window) value { return b.relu(b.conv(x, c, w)) }

func (b *builder) depthwise(x value, k, stride int64) value {
	w := square(k, stride)
	w.groups = x.c
	return b.conv(x, x.c, w)
}

// norm is a batch normalisation that no convolution stands before.
func (b *builder) norm(x value) value {
	var constants []graph.TensorID
	for _, part := range []string{"scale", "offset", "mean", "variance"} {
		constants = append(constants, b.tensor(fmt.Sprintf("bn_%d_%s", b.n+1, part), graph.Constant, x.c))
	}
	return b.op("BatchNormalization", nil, x.c, x.h, x.w, append([]graph.TensorID{x.id}, constants...)...)
}

func (b *builder) add(x, y value) value { return b.op("Add", nil, x.c, x.h, x.w, x.id, y.id) }

func (b *builder) pool(kind string, x value, w window) value {
	h, width := w.out(x.h, x.w)
	return b.op(kind, w.attrs(), x.c, h, width, x.id)
}

func (b *builder) maxPool(x value, k, stride, pad int64) value {
	return b.pool("MaxPool", x, window{k, k, stride, pad, pad, 1})
}

func (b *builder) concat(list ...value) value {
	c, ids := int64(0), []graph.TensorID{}
	for _, v := range list {
		c += v.c
		ids = append(ids, v.id)
	}
	return b.op("Concat", graph.Attrs{"axis": int64(1)}, c, list[0].h, list[0].w, ids...)
}

// up repeats pixels.
func (b *builder) up(x value, factor int64) value {
	sizes := b.tensor(fmt.Sprintf("sizes_%d", b.n+1), graph.Constant, 4)
	b.g.Tensors[sizes].DType = graph.Int64
	b.g.Tensors[sizes].Data = integers(1, x.c, x.h*factor, x.w*factor)
	return b.op("Resize", graph.Attrs{"mode": "nearest"}, x.c, x.h*factor, x.w*factor, x.id, graph.NoTensor, graph.NoTensor, sizes)
}

// integers is the content of a constant.
func integers(values ...int64) graph.Data {
	var data []byte
	for _, v := range values {
		data = binary.LittleEndian.AppendUint64(data, uint64(v))
	}
	return graph.Bytes(data)
}

// transposed is a transposed convolution that doubles the extents.
func (b *builder) transposed(x value, c int64) value {
	weights := b.tensor(fmt.Sprintf("w_%d", b.n+1), graph.Constant, x.c, c, 2, 2)
	return b.op("ConvTranspose", graph.Attrs{"kernel_shape": []int64{2, 2}, "strides": []int64{2, 2}}, c, 2*x.h, 2*x.w, x.id, weights)
}

// classifier is a global mean and one product.
func (b *builder) classifier(x value, classes int64) *graph.Graph {
	mean := b.op("GlobalAveragePool", nil, x.c, 1, 1, x.id)
	return b.finish(b.conv(mean, classes, square(1, 1)))
}

// finish makes values the outputs.
func (b *builder) finish(outputs ...value) *graph.Graph {
	for _, v := range outputs {
		b.g.Tensors[v.id].Role = graph.Output
		b.g.Outputs = append(b.g.Outputs, v.id)
	}
	return b.g
}
