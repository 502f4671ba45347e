package host

import "github.com/memplan/memplan/runtime/form"

// taps says for each output position and kernel element of one axis which input position they meet: at[o*kernel+k],
// -1 for padding.
type taps struct {
	kernel int
	at     []int32
}

// of returns the input positions of the output position o.
func (t taps) of(o int) []int32 { return t.at[o*t.kernel : (o+1)*t.kernel] }

// newTaps fills the table of an axis; transposed is the gather form of a transposed convolution.
func newTaps(w *form.Window, axis, in, out int, transposed bool) taps {
	t := taps{w.Kernel[axis], make([]int32, out*w.Kernel[axis])}
	for o := range out {
		row := t.of(o)
		for k := range row {
			row[k] = int32(w.Meets(axis, o, k, in, transposed))
		}
	}
	return t
}

// newTapTables returns the tables of the three axes. Their size is that of the output's axes times the kernel's.
func newTapTables(w *form.Window, in, out form.Dims, transposed bool) ([form.Spatial]taps, error) {
	var tables [form.Spatial]taps
	for i := range form.Spatial {
		if out[i] > 0 && w.Kernel[i] > 1<<28/out[i] {
			return tables, form.Refuse("a kernel of %d over %d positions is too large", w.Kernel[i], out[i])
		}
		tables[i] = newTaps(w, i, in[i], out[i], transposed)
	}
	return tables, nil
}
