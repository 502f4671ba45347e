package config

import (
	"reflect"
	"slices"

	"github.com/hashicorp/hcl/v2"
)

// likeness stands for what a device or pool is. Two with the same one are equal in everything but the places where they are
// written, so that what was decoded with one of them holds with the other.
type likeness struct{ _ byte }

// deviceOf decodes a device.
func (l *loader) deviceOf(b *block) *Device {
	d := decoded(l, b, l.decodeDevice)
	if d.like == nil {
		d.like = &likeness{}
		if before := l.before(b).device; before != nil && reflect.DeepEqual(d.unplaced(), before.unplaced()) {
			d.like = before.like
		}
	}
	return d
}

// before is what the load before knew of the name of a block, or of this instance of it.
func (l *loader) before(b *block) state {
	if b.key == "" {
		return b.name.before
	}
	full := l.full(b)
	return state{device: l.session.before.devices[full], pool: l.session.before.pools[full]}
}

// unplaced is the device without ranges.
func (d *Device) unplaced() Device {
	out := *d
	out.Range, out.Attributes, out.like = hcl.Range{}, nil, nil
	if d.Image2D != nil {
		image := *d.Image2D
		image.Range, image.Attributes = hcl.Range{}, nil
		out.Image2D = &image
	}
	out.Capabilities = slices.Clone(d.Capabilities)
	for i := range out.Capabilities {
		out.Capabilities[i].Range = hcl.Range{}
	}
	return out
}

// poolOf decodes a pool. One that was decoded before may have the device of then.
func (l *loader) poolOf(b *block) *Pool {
	p := decoded(l, b, l.decodePool)
	if p.Device != nil {
		if d := l.session.device(p.Device.Address); d != p.Device {
			moved := *p
			moved.Device = d
			p = &moved
			replaceDecoded(b, p)
		}
	}
	if p.like == nil {
		p.like = &likeness{}
		if before := l.before(b).pool; before != nil && p.equals(before) {
			p.like = before.like
		}
	}
	return p
}

// equals compares all but ranges.
func (p *Pool) equals(other *Pool) bool {
	if (p.Device == nil) != (other.Device == nil) || p.Device != nil && p.Device.like != other.Device.like {
		return false
	}
	a, b := *p, *other
	for _, one := range []*Pool{&a, &b} {
		one.Device, one.Range, one.Attributes, one.like = nil, hcl.Range{}, nil, nil
	}
	return reflect.DeepEqual(a, b)
}

// ruleOf decodes a rule, with the pools of now.
func (l *loader) ruleOf(b *block) *ScopeRule {
	rule := decoded(l, b, l.decodeRule)
	if !slices.ContainsFunc(rule.Pools, func(p *Pool) bool { return l.session.pool(p.Address) != p }) {
		return rule
	}
	moved := *rule
	moved.Pools = slices.Clone(rule.Pools)
	for i, p := range moved.Pools {
		moved.Pools[i] = l.session.pool(p.Address)
	}
	replaceDecoded(b, &moved)
	return &moved
}

// replaceDecoded keeps another result of the same step.
func replaceDecoded(b *block, result any) {
	if b.kept == nil {
		return
	}
	if m := b.kept.made["decoded"]; m != nil {
		b.kept.made["decoded"] = &made{m.uses, result}
	}
}
