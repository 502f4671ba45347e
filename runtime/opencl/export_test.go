package opencl

import (
	"maps"
	"slices"
)

// Operators lists the operators that have kernels.
func Operators() []string { return slices.Sorted(maps.Keys(builders)) }

// UnaryOperators lists the functions of one number.
func UnaryOperators() []string { return slices.Sorted(maps.Keys(unaryBuilders)) }
