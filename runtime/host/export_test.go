package host

import (
	"maps"
	"slices"
)

// OwnOperators lists the operators that have kernels of the device's own.
func OwnOperators() []string { return slices.Sorted(maps.Keys(builders)) }
