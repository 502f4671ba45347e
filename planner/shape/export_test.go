package shape

import (
	"maps"
	"slices"
)

// RuleNames lists the operators that have a rule: those of ONNX, then those of TFLite.
func RuleNames() (onnx, tflite []string) {
	return slices.Sorted(maps.Keys(onnxRules)), slices.Sorted(maps.Keys(tfliteRules))
}
