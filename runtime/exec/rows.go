package exec

import (
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/device"
)

// rows refuses a step with a strided operand or result where the device has no kernel that finds its rows.
func (r *Runner) rows(s *device.Step) *diag.Diagnostic {
	all := slices.Concat(s.Inputs, s.Outputs)
	at := slices.IndexFunc(all, func(t *device.Tensor) bool { return t != nil && t.Strided() })
	if at < 0 {
		return nil
	}
	if strider, ok := r.dev.(device.Strider); ok && strider.TakesRows(s) {
		return nil
	}
	out := diag.New(diag.RowsNotTaken,
		"Step %d, op %q (%s), touches %q, rows of %d bytes at a stride of %d with other bytes between them, and this device has no kernel that reads or writes it so. Plan for this device, or without the view \"concat\".",
		s.Index, s.Op.Name, s.Op.Op, all[at].Name, all[at].Row, all[at].Stride)
	return &out
}
