package graph

// IsReshape reports whether the op's first output has the elements of its first input in the same order, so that both may
// be the same bytes. in and out are these two tensors; false for tensors without a known size. An op with others fused to
// it computes something.
func (o *Op) IsReshape(in, out *Tensor) bool {
	if in == nil || out == nil || !o.hasKnownMeaning() || len(o.Fused) > 1 || in.DType != out.DType {
		return false
	}
	size, ok := in.Shape.Bytes(in.DType)
	if after, known := out.Shape.Bytes(out.DType); !ok || !known || size != after {
		return false
	}
	switch o.Op {
	case "Reshape", "Flatten", "Squeeze", "Unsqueeze", "Identity", "Dropout", "Cast":
		return true
	case "Transpose":
		return keepsOrder(in.Shape, o.Attrs.Ints("perm"))
	}
	return false
}

// hasKnownMeaning reports whether the op is one of ONNX's, or a reshape of a TVM graph, all other ops of which are compiled
// code. TFLite reshapes quantised tensors as it does others: it moves the stored integers, whatever their scales.
func (o *Op) hasKnownMeaning() bool {
	switch o.Domain {
	case "", "ai.onnx", "tflite.quantized":
		return true
	case "tvm":
		return o.Op == "Reshape"
	}
	return false
}

// keepsOrder reports whether a transposition moves nothing but axes of extent 1. Without a permutation ONNX reverses the
// axes.
func keepsOrder(shape Shape, perm []int64) bool {
	if perm == nil {
		for i := range shape {
			perm = append(perm, int64(len(shape)-1-i))
		}
	}
	previous := int64(-1)
	for _, axis := range perm {
		if axis < 0 || axis >= int64(len(shape)) {
			return false
		}
		if shape[axis] == 1 {
			continue
		}
		if axis < previous {
			return false
		}
		previous = axis
	}
	return len(perm) == len(shape)
}
