package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/opencl"
)

// held reports what a plan needs of a run's device and the real one does not have, as errors, and what the
// configuration declares of it beyond the truth, as warnings.
func (r *runner) held(run *config.Run, facts opencl.Facts) diag.Diagnostics {
	c := &comparison{plan: r.result.Plan, facts: facts, declared: run.Graph.Device, pools: map[string]bool{}}
	for i := range c.plan.Pools {
		pool := &c.plan.Pools[i]
		c.pools[pool.Name] = pool.Device == deviceName(run) || c.declared == nil
	}
	c.allocations()
	c.images()
	if c.declared != nil && c.declared.Driver == openclDriver && !c.found.HasErrors() {
		c.declarations()
	}
	return c.found
}

// comparison is a plan's device beside a real one.
type comparison struct {
	plan  *plan.Plan
	facts opencl.Facts
	// declared is nil for a graph file.
	declared *config.Device
	// pools are those of the device.
	pools map[string]bool
	found diag.Diagnostics
}

// at gives a diagnostic the place of a device's attribute, or of the device where that is not given.
func (c *comparison) at(d diag.Diagnostic, attribute string) {
	if c.declared == nil {
		c.found = append(c.found, d)
		return
	}
	place, given := c.declared.Attributes[attribute]
	if im := c.declared.Image2D; !given && im != nil && isImageLimit(attribute) {
		if place, given = im.Attributes[attribute]; !given {
			place, given = im.Range, true
		}
	}
	if !given {
		place = c.declared.Range
	}
	c.found = append(c.found, placed(d, place))
}

// placed gives a diagnostic a place, unless the device is made up.
func placed(d diag.Diagnostic, at hcl.Range) diag.Diagnostic {
	if at.Filename == "" {
		return d
	}
	return d.At(at)
}

func isImageLimit(attribute string) bool {
	return slices.Contains([]string{"max_width", "max_height", "max_layers", "pitch_alignment", "from_buffer"}, attribute)
}

// allocations compares the pools with the largest allocation.
func (c *comparison) allocations() {
	for i := range c.plan.Pools {
		p := &c.plan.Pools[i]
		if c.pools[p.Name] && p.Type != "texture" && p.Peak > c.facts.MaxAlloc {
			c.at(diag.New(diag.PlanBeyondDevice,
				"Pool %q takes %s in one allocation, and %s allocates at most %s. Declare max_alloc = %q for the device, and a second pool, and plan again.",
				p.Name, units.FormatBoth(p.Peak), c.facts.Name, units.FormatBoth(c.facts.MaxAlloc), units.Literal(c.facts.MaxAlloc)), "max_alloc")
		}
	}
}

// images compares the planned image objects with the sides and formats of the device. Images over the bytes of a flat
// pool are used as bytes, so nothing limits them.
func (c *comparison) images() {
	var objects []*plan.Storage
	for i := range c.plan.Storages {
		s := &c.plan.Storages[i]
		if c.pools[s.Pool] && s.Offset == nil && s.Width > 0 {
			objects = append(objects, s)
		}
	}
	if len(objects) == 0 {
		return
	}
	real := c.facts.Image2D
	if real == nil {
		c.at(diag.New(diag.PlanBeyondDevice, "The plan has %s, and %s has no images. Leave image2d out of the device, and plan again.",
			counted(len(objects), "image"), c.facts.Name), "max_width")
		return
	}
	c.side(objects, "max_width", "wide", real.MaxWidth, func(s *plan.Storage) int64 { return s.Width })
	c.side(objects, "max_height", "high", real.MaxHeight, func(s *plan.Storage) int64 { return s.Height })
	for _, s := range objects {
		if !slices.Contains(real.Texels, s.Texel) {
			c.at(diag.New(diag.PlanBeyondDevice, "Image %d of pool %q, which holds %s, has texels of %s, and images of %s have %s. Keep these tensors flat with a scope_rule, and plan again.",
				s.ID, s.Pool, c.tensorsIn(s), s.Texel, c.facts.Name, diag.Enumerate(real.Texels, "or")), "max_width")
			return
		}
	}
}

// side reports the largest image beyond a limit, with the number of the others.
func (c *comparison) side(objects []*plan.Storage, attribute, word string, limit int64, of func(*plan.Storage) int64) {
	var worst *plan.Storage
	beyond := 0
	for _, s := range objects {
		if of(s) <= limit {
			continue
		}
		if beyond++; worst == nil || of(s) > of(worst) {
			worst = s
		}
	}
	if worst == nil {
		return
	}
	others := ""
	if beyond > 1 {
		others = fmt.Sprintf(" Of %d images this is the largest beyond the limit.", beyond)
	}
	c.at(diag.New(diag.PlanBeyondDevice, "Image %d of pool %q, which holds %s, is %d texels %s, and images of %s at most %d.%s Declare %s = %d for the device, and plan again.",
		worst.ID, worst.Pool, c.tensorsIn(worst), of(worst), word, c.facts.Name, limit, others, attribute, limit), attribute)
}

// tensorsIn names up to three tensors of a storage.
func (c *comparison) tensorsIn(s *plan.Storage) string {
	var names []string
	for i := range c.plan.Graphs {
		for j := range c.plan.Graphs[i].Tensors {
			if t := &c.plan.Graphs[i].Tensors[j]; t.Storage == s.ID && t.Pool == s.Pool {
				names = append(names, fmt.Sprintf("%q", t.Name))
			}
		}
	}
	if len(names) > 3 {
		names = append(names[:3], fmt.Sprintf("%d more", len(names)-3))
	}
	return strings.Join(names, ", ")
}

// declarations warns of what is declared and not true of the device: the plan fits all the same, the next one may not.
func (c *comparison) declarations() {
	var untrue []string
	tell := func(attribute, declared, real string) {
		untrue = append(untrue, attribute+" "+declared+" where it has "+real)
	}
	more := func(attribute string, declared, real int64) {
		if declared > real {
			tell(attribute, plainNumber(declared), plainNumber(real))
		}
	}
	d, real := c.declared, c.facts.Image2D
	if _, given := d.Attributes["base_alignment"]; given && d.BaseAlignment < c.facts.BaseAlignment {
		tell("base_alignment", plainNumber(d.BaseAlignment), plainNumber(c.facts.BaseAlignment))
	}
	if d.MaxAlloc > c.facts.MaxAlloc {
		tell("max_alloc", units.Literal(d.MaxAlloc), units.Literal(c.facts.MaxAlloc))
	}
	if d.Image2D != nil && real != nil {
		more("max_width", d.Image2D.MaxWidth, real.MaxWidth)
		more("max_height", d.Image2D.MaxHeight, real.MaxHeight)
		if real.FromBuffer && d.Image2D.PitchAlignment < real.PitchAlignment {
			tell("pitch_alignment", plainNumber(d.Image2D.PitchAlignment), plainNumber(real.PitchAlignment))
		}
	}
	c.overBuffers()
	if len(untrue) > 0 {
		c.at(diag.New(diag.DeviceDiffers, "Device %q is declared with more than %s has: %s. The plan fits all the same; \"memplan device show -hcl\" writes the true values.",
			d.Name, c.facts.Name, strings.Join(untrue, ", ")), "")
	}
}

// overBuffers warns of planned images over the bytes of a flat pool where the device cannot show them as images: kernels read and
// write these bytes at the planned rows, to the same results, but not through the units for textures.
func (c *comparison) overBuffers() {
	real, n := c.facts.Image2D, 0
	for i := range c.plan.Storages {
		if s := &c.plan.Storages[i]; c.pools[s.Pool] && s.Offset != nil && s.Width > 0 {
			n++
		}
	}
	if n > 0 && (real == nil || !real.FromBuffer) {
		c.at(diag.New(diag.DeviceDiffers, "The plan has %s over buffers, which %s does not have (cl_khr_image2d_from_buffer). They are used as the bytes that they are, to the same results. Declare from_buffer = false to plan without them.",
			counted(n, "image"), c.facts.Name), "from_buffer")
	}
}

func plainNumber(n int64) string { return fmt.Sprint(n) }
