package config

import (
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/schema"
)

// decodeCapabilities decodes the capability blocks of a device. One that says the same as an earlier one is left out.
func (l *loader) decodeCapabilities(d *Device, blocks []*block) []Capability {
	var found []Capability
	for _, b := range blocks {
		c := l.decodeCapability(d, b)
		earlier := slices.IndexFunc(found, func(e Capability) bool { return sameCapability(e, c) })
		if earlier < 0 {
			found = append(found, c)
			continue
		}
		repeat := diag.New(diag.ListedTwice, "Device %q has this capability already. Remove one of the two.", d.Name).At(b.header)
		repeat.Related = []diag.Related{{Message: "the first one is here", Range: found[earlier].Range}}
		l.report(repeat)
	}
	return found
}

func (l *loader) decodeCapability(d *Device, b *block) Capability {
	f := l.fields(b)
	c := Capability{Scopes: map[string][]string{}, Range: b.header}
	if ops, ranges, ok := f.someTexts("op"); ok {
		c.Op = f.distinctTexts("op", ops, ranges)
	}
	for _, operand := range schema.Operands {
		if !f.has(operand.Name) {
			continue
		}
		scopes, ranges, ok := f.spelled(operand.Name, canonicalScope)
		if !ok {
			continue
		}
		if len(scopes) == 0 {
			l.report(diag.New(diag.EmptyList, "%q is an empty list, so that the operators could never run. Leave it out for global, or list scopes.", operand.Name).At(b.attrs[operand.Name].expr.Range()))
			continue
		}
		c.Scopes[operand.Name] = f.distinctTexts(operand.Name, scopes, ranges)
		f.checkImages(d, scopes, ranges)
	}
	return c
}

// checkImages warns of the first texture scope on a device without textures.
func (f fields) checkImages(d *Device, scopes []string, ranges []hcl.Range) {
	at := slices.IndexFunc(scopes, func(scope string) bool { return strings.HasPrefix(scope, "global.texture") })
	if d.Image2D == nil && at >= 0 {
		f.report(diag.New(diag.CapabilityWithoutImages, "Device %q has no image2d block, so no tensor of it can be %q. Add the block, or remove the scope.", d.Name, scopes[at]).At(ranges[at]))
	}
}

// distinctTexts drops repeats, with a warning for each.
func (f fields) distinctTexts(name string, list []string, ranges []hcl.Range) []string {
	var kept []string
	for i, text := range list {
		if slices.Contains(kept, text) {
			f.reportValue(diag.New(diag.ListedTwice, "%q lists %q twice. Remove one of the two.", name, text), ranges[i])
			continue
		}
		kept = append(kept, text)
	}
	return kept
}

// sameCapability compares without regard to order, in which nothing is meant.
func sameCapability(a, b Capability) bool {
	return len(a.Op) > 0 && slices.Equal(sorted(a.Op), sorted(b.Op)) &&
		!slices.ContainsFunc(schema.Operands, func(operand schema.Value) bool {
			return !slices.Equal(sorted(a.Scopes[operand.Name]), sorted(b.Scopes[operand.Name]))
		})
}
