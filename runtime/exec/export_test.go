package exec

import (
	"fmt"

	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/device"
)

// Read returns the present content of any placed tensor, nil when the name is not placed. A tensor that is not live any
// more has unspecified content.
func (r *Runner) Read(name string) (*array.Array, error) {
	t := r.tensors[name]
	if t == nil {
		return nil, nil
	}
	a := &array.Array{DType: t.DType, Shape: t.Shape.Clone(), Data: make([]byte, t.LogicalBytes)}
	if err := r.dev.Read(t, a.Data); err != nil {
		return nil, fmt.Errorf("read tensor: %w", err)
	}
	return a, nil
}

// Counters says what the device has allocated: the count after the first run is the count after the last.
func (r *Runner) Counters() device.Counters { return r.dev.Counters() }
