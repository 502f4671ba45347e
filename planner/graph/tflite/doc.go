// Package tflite imports TensorFlow Lite models (schema version 3) as neutral graphs. Start from [Import].
//
// Operators become ONNX ones with layout attributes, since TFLite keeps channels last; one that ONNX has no word for
// stays as it is in the domain [Domain], and a custom one in [CustomDomain]: both can be planned, because the file gives
// every shape, and run only where a kernel exists for them. Operators that compute on quantised integers carry the
// domain [QuantizedDomain], so that no kernel for plain integers is ever taken for one of them.
//
// Shapes are those of the file's "shape" field, which is what an interpreter allocates when nobody resizes an input;
// "shape_signature" is not used. Constants alias the file's bytes.
//
// The package reads the flatbuffer itself, with each offset checked, and knows nothing of scopes, pools or kernels.
package tflite
