package host

import (
	"maps"
	"slices"
)

// OwnOperators lists the operators that have kernels of the device's own.
func OwnOperators() []string { return slices.Sorted(maps.Keys(builders)) }

// HoldRows sets about how many bytes of a result are computed before they are written over an operand.
func (d *Device) HoldRows(bytes int) { d.held = bytes }
