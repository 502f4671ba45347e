package config

import "github.com/memplan/memplan/lang/diag"

// decodeDevice decodes a device block. What is at fault has its default.
func (l *loader) decodeDevice(b *block) *Device {
	f := l.fields(b)
	d := &Device{Address: l.full(b), Name: l.full(b).FullName(), Range: b.header, Attributes: b.ranges(), Driver: "host", BaseAlignment: 64}
	if driver, ok := f.text("driver"); ok {
		d.Driver = driver
	}
	if alignment, ok := f.size("base_alignment"); ok {
		d.BaseAlignment = alignment
	}
	if limit, ok := f.size("max_alloc"); ok {
		d.MaxAlloc = limit
	}
	d.Ordered = f.boolean("keeps_order")
	if at, given := d.Attributes["keeps_order"]; given && d.Driver != "none" {
		f.report(diag.New(diag.OrderIsKnown, "Device %q has the driver %q, whose kernels are memplan's own: whether they keep an order is known. Remove keeps_order, which is for the driver \"none\".", d.Name, d.Driver).At(at))
	}
	if image := b.first("image2d"); image != nil {
		d.Image2D = l.decodeImage2D(image)
	}
	d.Capabilities = l.decodeCapabilities(d, b.of("capability"))
	l.checkPreconditions(b)
	return d
}

func (l *loader) decodeImage2D(b *block) *Image2D {
	f := l.fields(b)
	image := &Image2D{Range: b.header, Attributes: b.ranges(), PitchAlignment: 1, FromBuffer: f.boolean("from_buffer")}
	image.MaxWidth, _ = f.whole("max_width")
	image.MaxHeight, _ = f.whole("max_height")
	image.MaxLayers, _ = f.whole("max_layers")
	if alignment, ok := f.whole("pitch_alignment"); ok {
		image.PitchAlignment = alignment
	}
	return image
}

// defaultHolds is every role but constants: activation peaks never count weights.
func defaultHolds() []string { return []string{"input", "output", "activation", "scratch", "state"} }

// decodePool decodes a pool block. Its device is decoded before; nil when there is none to be found.
func (l *loader) decodePool(b *block) *Pool {
	f := l.fields(b)
	p := &Pool{Address: l.full(b), Name: l.full(b).FullName(), Range: b.header, Attributes: b.ranges(), Type: "flat", Holds: defaultHolds(), Size: Unlimited, Alignment: 64}
	if device, ok := f.reference("device"); ok {
		p.Device = l.device(device)
	}
	if p.Device != nil {
		p.Alignment = p.Device.BaseAlignment
	}
	if kind, ok := f.text("type"); ok {
		p.Type = kind
	}
	if holds, _, ok := f.someTexts("holds"); ok {
		p.Holds = holds
	}
	if size, ok := f.size("size"); ok {
		p.Size = size
	}
	if alignment, ok := f.size("alignment"); ok {
		p.Alignment = alignment
	}
	p.Images = f.boolean("images")
	f.checkPool(p)
	l.checkPreconditions(b)
	return p
}

// checkPool checks a pool against its device.
func (f fields) checkPool(p *Pool) {
	d := p.Device
	if d == nil {
		return
	}
	if at, given := p.Attributes["alignment"]; given && p.Alignment < d.BaseAlignment {
		f.report(diag.New(diag.AlignmentBelowBase, "The alignment of %q is %d bytes, and device %q has a base_alignment of %d. Raise it, unless the device is known to take such offsets.", p.Name, p.Alignment, d.Name, d.BaseAlignment).At(at))
	}
	if at := p.Attributes["type"]; p.Type == "texture" && d.Image2D == nil {
		report := diag.New(diag.TexturePoolWithoutImages, "Pool %q is of type \"texture\", and device %q has no image2d block. Add one with the device's max_width and max_height.", p.Name, d.Name).At(at)
		report.Related = []diag.Related{{Message: "the device is declared here", Range: d.Range}}
		f.report(report)
	}
	if at := p.Attributes["images"]; p.Images && p.Type != "flat" {
		f.report(diag.New(diag.ImagesInTexturePool, "Pool %q is of type %q, which holds images as they are; images = true is for flat pools, which hold them over their bytes. Remove it, or write type = \"flat\".", p.Name, p.Type).At(at))
	} else if p.Images && (d.Image2D == nil || !d.Image2D.FromBuffer) {
		f.report(diag.New(diag.ImagesNeedBuffers, "Pool %q is to hold images over its bytes, and device %q has no image2d block with from_buffer = true. Add it if the device can, or remove images.", p.Name, d.Name).At(at))
	}
}
