package opencl

import (
	"maps"
	"slices"

	"github.com/memplan/memplan/runtime/device"
)

// Operators lists the operators that have kernels.
func Operators() []string { return slices.Sorted(maps.Keys(builders)) }

// UnaryOperators lists the functions of one number.
func UnaryOperators() []string { return slices.Sorted(maps.Keys(unaryBuilders)) }

// Launches is the number of kernels that a prepared step runs.
func Launches(d *Device, h device.Handle) int { return len(d.steps[h].launches) }
