package config

import "slices"

// runs reports whether memplan runs graphs on the device. Of others it does not know what their kernels allow.
func (d *Device) runs() bool { return d.Driver == "host" || d.Driver == "opencl" }

// OrderOn is the one order in effect for graphs on a device, in a list.
func (p *Planner) OrderOn(d *Device) []string {
	switch {
	case p.Order != "":
		return []string{p.Order}
	case d.runs():
		return []string{"memory"}
	}
	return []string{"source"}
}

// RewriteOn are the rewrites in effect for graphs on a device. Ops are fused where kernels run the fused forms.
func (p *Planner) RewriteOn(d *Device) []string {
	switch {
	case p.Rewrite != nil:
		return p.Rewrite
	case d.runs():
		return []string{"fold", "fuse"}
	}
	return []string{"fold"}
}

// ViewsOn are the views in effect for graphs on a device. Results that overwrite operands and pieces that lie in their wholes
// are a capability of kernels, which those of memplan's own devices have; that a kernel of an OpenCL device does not write the image
// that it reads is up to the tensors that become images. No setting gives results over operands from below to a device that does
// not keep the order they need.
func (p *Planner) ViewsOn(d *Device) []string {
	switch {
	case p.Views != nil && !d.KeepsOrder():
		return slices.DeleteFunc(slices.Clone(p.Views), func(view string) bool { return view == diagonalView })
	case p.Views != nil:
		return p.Views
	case d.runs():
		return []string{"reshape", "inplace", "concat"}
	}
	return []string{"reshape"}
}

// everywhere is the value of a setting that depends on the device, when all devices agree.
func (w *effectiveWriter) everywhere(on func(*Device) []string) (value []string, ok bool) {
	if len(w.cfg.Devices) == 0 {
		return on(&Device{}), true
	}
	value = on(w.cfg.Devices[0])
	return value, !slices.ContainsFunc(w.cfg.Devices, func(d *Device) bool { return !slices.Equal(on(d), value) })
}
