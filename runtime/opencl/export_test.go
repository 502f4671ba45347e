package opencl

import (
	"maps"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// FlushEvery is the number of launches after which the driver is told to begin.
const FlushEvery = flushEvery

// MaxLaunches is the number of launches that a step may have.
const MaxLaunches = maxLaunches

// Encode is an argument of an element type as the bytes of a kernel's argument.
func Encode(dtype graph.DType, value float64) ([]byte, error) { return scalar{dtype, value}.encode() }

// Operators lists the operators that have kernels.
func Operators() []string { return slices.Sorted(maps.Keys(builders)) }

// UnaryOperators lists the functions of one number.
func UnaryOperators() []string { return slices.Sorted(maps.Keys(unaryBuilders)) }

// Launches is the number of kernels that a prepared step runs.
func Launches(d *Device, h device.Handle) int { return len(d.steps[h].launches) }
