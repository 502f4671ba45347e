package view

import (
	"fmt"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/units"
	"github.com/memplan/memplan/runtime/opencl"
)

// Devices shows OpenCL devices.
type Devices interface {
	Verb
	// List shows all of them in short, Show those given with every fact. ds are warnings.
	List(devices []opencl.Facts, ds diag.Diagnostics)
	Show(devices []opencl.Facts, ds diag.Diagnostics)
}

// NewDevices returns the renderer for people, the JSON one, or the one of configurations.
func NewDevices(asJSON, asHCL bool, term *Terminal, sources Sources) Devices {
	switch {
	case asJSON:
		return devicesJSON{document{term.Out, sources}}
	case asHCL:
		return devicesHCL{human{term, sources}}
	}
	return devicesHuman{human{term, sources}}
}

type devicesHuman struct{ human }

// List writes a line for each device.
func (v devicesHuman) List(devices []opencl.Facts, ds diag.Diagnostics) {
	v.diagnostics(ds)
	out := grid{header: []string{"device", "platform", "type", "version", "memory", "largest", "images"}, names: []int{0}, width: v.term.OutWidth}
	for _, d := range devices {
		images := "none"
		if d.Image2D != nil {
			images = fmt.Sprintf("%d x %d", d.Image2D.MaxWidth, d.Image2D.MaxHeight)
		}
		out.add(d.Name, d.Platform, d.Type, shortVersion(d.Version), units.FormatBytes(d.GlobalBytes), units.FormatBytes(d.MaxAlloc), images)
	}
	v.print(out.render(v.out()))
}

// shortVersion is the part of a version that the specification fixes, as in "OpenCL 3.0".
func shortVersion(version string) string {
	words := strings.Fields(version)
	return strings.Join(words[:min(len(words), 2)], " ")
}

// Show writes a paragraph for each device.
func (v devicesHuman) Show(devices []opencl.Facts, ds diag.Diagnostics) {
	v.diagnostics(ds)
	var b strings.Builder
	for i, d := range devices {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "%s\n", v.out().bold(d.Name))
		for _, fact := range factsOf(d) {
			fmt.Fprintf(&b, "  %-16s %s\n", fact[0], fact[1])
		}
	}
	v.print(b.String())
}

// factsOf lists the facts of a device as names and texts.
func factsOf(d opencl.Facts) [][2]string {
	facts := [][2]string{
		{"platform", d.Platform}, {"vendor", d.Vendor}, {"type", d.Type}, {"version", d.Version}, {"language", d.Language}, {"driver", d.Driver},
		{"compute units", fmt.Sprint(d.ComputeUnits)}, {"work-group", fmt.Sprintf("at most %d items", d.MaxGroup)},
		{"global memory", units.FormatBoth(d.GlobalBytes)}, {"local memory", units.FormatBoth(d.LocalBytes)},
		{"allocation", "at most " + units.FormatBoth(d.MaxAlloc)},
		{"base alignment", fmt.Sprintf("%d bytes (%d bits)", d.BaseAlignment, 8*d.BaseAlignment)},
		{"computes in", arithmetic(d)}, {"launches", launches(d)},
	}
	im := d.Image2D
	if im == nil {
		return append(facts, [2]string{"images", "none"})
	}
	overBuffers := "no"
	if im.FromBuffer {
		overBuffers = fmt.Sprintf("yes, rows at multiples of %d texels", im.PitchAlignment)
	}
	return append(facts,
		[2]string{"images", fmt.Sprintf("at most %d x %d texels, arrays of %d layers", im.MaxWidth, im.MaxHeight, im.MaxLayers)},
		[2]string{"over buffers", overBuffers}, [2]string{"texels", strings.Join(im.Texels, ", ")})
}

func launches(d opencl.Facts) string {
	if d.Joins {
		return "joined where a graph has many"
	}
	return "one or more for each step"
}

func arithmetic(d opencl.Facts) string {
	types := []string{"float32"}
	if d.Float16 {
		types = append(types, "float16")
	}
	if d.Float64 {
		types = append(types, "float64")
	}
	return strings.Join(types, ", ")
}

type devicesHCL struct{ human }

// List writes a device block for each device.
func (v devicesHCL) List(devices []opencl.Facts, ds diag.Diagnostics) { v.Show(devices, ds) }

// Show writes a device block for each device, as "memplan fmt" would.
func (v devicesHCL) Show(devices []opencl.Facts, ds diag.Diagnostics) {
	v.diagnostics(ds)
	var b strings.Builder
	for i := range devices {
		if i > 0 {
			b.WriteByte('\n')
		}
		writeDeviceBlock(&b, blockName(devices, i), &devices[i])
	}
	v.print(b.String())
}

func writeDeviceBlock(b *strings.Builder, name string, d *opencl.Facts) {
	fmt.Fprintf(b, "# %s, %s\n", commentText(d.Name), commentText(d.Platform))
	if d.Type == "cpu" {
		b.WriteString("# max_alloc and the sides of images may follow the memory that is free: declare the least that a run must get.\n")
	}
	fmt.Fprintf(b, "device %q {\n  driver         = \"opencl\"\n  base_alignment = %d\n  max_alloc      = %q\n", name, d.BaseAlignment, units.Literal(d.MaxAlloc))
	if im := d.Image2D; im != nil {
		fmt.Fprintf(b, "\n  image2d {\n    max_width       = %d\n    max_height      = %d\n", im.MaxWidth, im.MaxHeight)
		if im.MaxLayers > 0 {
			fmt.Fprintf(b, "    max_layers      = %d\n", im.MaxLayers)
		}
		fmt.Fprintf(b, "    pitch_alignment = %d\n    from_buffer     = %t\n  }\n", im.PitchAlignment, im.FromBuffer)
	}
	b.WriteString("}\n")
}

// commentText is a driver's text on one line.
func commentText(text string) string { return strings.Join(strings.Fields(text), " ") }

// blockName is the type of a device, with its number where there are several of that type.
func blockName(devices []opencl.Facts, at int) string {
	number, all := 0, 0
	for i := range devices {
		if devices[i].Type != devices[at].Type {
			continue
		}
		if all++; i <= at {
			number++
		}
	}
	if all == 1 {
		return devices[at].Type
	}
	return fmt.Sprintf("%s%d", devices[at].Type, number)
}

type devicesJSON struct{ document }

// devicesDocument is the document of device.
type devicesDocument struct {
	report
	Devices []opencl.Facts `json:"devices"`
}

// List writes the document.
func (v devicesJSON) List(devices []opencl.Facts, ds diag.Diagnostics) { v.Show(devices, ds) }

// Show writes the document.
func (v devicesJSON) Show(devices []opencl.Facts, ds diag.Diagnostics) {
	v.write(devicesDocument{reportOf(v.sources, ds), devices})
}
