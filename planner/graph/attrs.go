package graph

import "sort"

// Attributes that formats other than ONNX need, beside ONNX's own.
const (
	// AttrDataLayout is a string attribute of Conv, ConvTranspose, MaxPool, AveragePool, GlobalAveragePool,
	// GlobalMaxPool, DepthToSpace and SpaceToDepth: the layout of the data input and of the output, "NCHW" (default) or
	// "NHWC" (also "NCW"/"NWC"...: the position of C is what counts).
	AttrDataLayout = "data_layout"
	// AttrKernelLayout is a string attribute of Conv and ConvTranspose: the axes of the weight input. "OIHW" is the
	// default for Conv and "IOHW" for ConvTranspose, as in ONNX; TFLite has "OHWI" and, depthwise, "IHWO" with I = 1.
	AttrKernelLayout = "kernel_layout"
	// AttrFlatten is an int attribute of Softmax, LogSoftmax and Hardmax: 1 when the axes from axis on are taken
	// together as one, as in ONNX before operator set 13; the shape does not change. Absent means 0.
	AttrFlatten = "flatten"
)

// Attr is the value of an attribute: one of int64, float32, string, []int64, []float32, []string, or Data-backed
// tensors as *AttrTensor.
type Attr any

// AttrTensor is a tensor given as an attribute.
type AttrTensor struct {
	DType DType
	Shape Shape
	Data  Data
}

// Attrs are the attributes of an op by name.
type Attrs map[string]Attr

// Names returns the names in ascending order.
func (a Attrs) Names() []string {
	names := make([]string, 0, len(a))
	for name := range a {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// Int returns the integer attribute, or def when it is absent or of another type.
func (a Attrs) Int(name string, def int64) int64 {
	if v, ok := a[name].(int64); ok {
		return v
	}
	return def
}

// Float returns the float attribute, or def when it is absent or of another type.
func (a Attrs) Float(name string, def float32) float32 {
	if v, ok := a[name].(float32); ok {
		return v
	}
	return def
}

// String returns the string attribute, or def when it is absent or of another type.
func (a Attrs) String(name, def string) string {
	if v, ok := a[name].(string); ok {
		return v
	}
	return def
}

// Ints returns the integer list, nil when it is absent or of another type.
func (a Attrs) Ints(name string) []int64 {
	v, _ := a[name].([]int64)
	return v
}

// Floats returns the float list, nil when it is absent or of another type.
func (a Attrs) Floats(name string) []float32 {
	v, _ := a[name].([]float32)
	return v
}

// Strings returns the string list, nil when it is absent or of another type.
func (a Attrs) Strings(name string) []string {
	v, _ := a[name].([]string)
	return v
}
