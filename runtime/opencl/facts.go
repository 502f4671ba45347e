package opencl

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/runtime/opencl/cl"
)

// Facts are what a device says of itself, as far as it matters for planning and running. Sizes are bytes, sides texels.
type Facts struct {
	Platform string `json:"platform"`
	Name     string `json:"name"`
	Vendor   string `json:"vendor"`
	// Type is "gpu", "accelerator", "cpu" or "other".
	Type string `json:"type"`
	// Version and Language are those of OpenCL and of OpenCL C, Driver that of the driver.
	Version  string `json:"version"`
	Language string `json:"language"`
	Driver   string `json:"driver"`

	ComputeUnits int64 `json:"compute_units"`
	// MaxGroup is the largest number of items in a work-group.
	MaxGroup    int64 `json:"max_work_group"`
	LocalBytes  int64 `json:"local_bytes"`
	GlobalBytes int64 `json:"global_bytes"`
	MaxAlloc    int64 `json:"max_alloc"`
	// BaseAlignment is bytes; OpenCL itself gives bits.
	BaseAlignment int64 `json:"base_alignment"`
	// Image2D is nil for a device without images.
	Image2D *ImageFacts `json:"image2d"`
	// Float16 and Float64 say that kernels may compute in these types; they are stored in any case.
	Float16 bool `json:"float16"`
	Float64 bool `json:"float64"`
	// Joins says that the launches of a graph that has many can be joined: the device is a processor, and has the atomic operations for it.
	Joins bool `json:"joins"`
}

// IsNamed reports whether the device is meant by a part of its name, its platform's or its version, in any case.
func (f *Facts) IsNamed(part string) bool { return isNamed(part, f.Name, f.Platform, f.Version) }

func isNamed(part string, names ...string) bool {
	for _, name := range names {
		if strings.Contains(strings.ToLower(name), strings.ToLower(part)) {
			return true
		}
	}
	return false
}

// ImageFacts are the limits of two-dimensional images.
type ImageFacts struct {
	MaxWidth  int64 `json:"max_width"`
	MaxHeight int64 `json:"max_height"`
	MaxLayers int64 `json:"max_layers"`
	// PitchAlignment is texels, 1 where the device gives none.
	PitchAlignment int64 `json:"pitch_alignment"`
	FromBuffer     bool  `json:"from_buffer"`
	// Texels are the planned formats that kernels read and write, in the order of texelNames.
	Texels []string `json:"texels"`
}

// deviceTypes are the words for the bits of cl.DeviceType, the first that is set decides.
var deviceTypes = []struct {
	bit  uint64
	word string
}{{cl.TypeGPU, "gpu"}, {cl.TypeAccelerator, "accelerator"}, {cl.TypeCPU, "cpu"}}

// Describe asks a device for its facts. It makes a context for a moment, since images are asked of one.
func Describe(api cl.API, f Found) (Facts, error) {
	ctx, err := api.CreateContext(f.Device)
	if err != nil {
		return Facts{}, err
	}
	facts, err := readFacts(api, f, ctx)
	if released := api.ReleaseContext(ctx); err == nil {
		err = released
	}
	return facts, err
}

// asker asks a device and remembers the first failure.
type asker struct {
	api    cl.API
	device cl.Device
	err    error
}

func (a *asker) ask(what cl.Info) []byte {
	if a.err != nil {
		return nil
	}
	var answer []byte
	answer, a.err = a.api.DeviceInfo(a.device, what)
	return answer
}

func (a *asker) text(what cl.Info) string  { return cl.Text(a.ask(what)) }
func (a *asker) number(what cl.Info) int64 { return int64(min(cl.Number(a.ask(what)), 1<<63-1)) }

// has reports whether all of some bits of an answer are set.
func (a *asker) has(what cl.Info, bits uint64) bool { return cl.Number(a.ask(what))&bits == bits }

func readFacts(api cl.API, found Found, ctx cl.Context) (Facts, error) {
	a := &asker{api: api, device: found.Device}
	extensions := strings.Fields(a.text(cl.DeviceExtensions))
	f := Facts{
		Platform: found.PlatformName, Name: found.Name, Vendor: a.text(cl.DeviceVendor), Type: "other",
		Version: a.text(cl.DeviceVersion), Language: a.text(cl.DeviceCLanguage), Driver: a.text(cl.DriverVersion),
		ComputeUnits: a.number(cl.DeviceMaxComputeUnits), MaxGroup: a.number(cl.DeviceMaxWorkGroupSize),
		LocalBytes: a.number(cl.DeviceLocalMemSize), GlobalBytes: a.number(cl.DeviceGlobalMemSize), MaxAlloc: a.number(cl.DeviceMaxAllocSize),
		BaseAlignment: max(a.number(cl.DeviceBaseAlignment)/8, 1),
		Float16:       slices.Contains(extensions, "cl_khr_fp16"), Float64: slices.Contains(extensions, "cl_khr_fp64"),
	}
	for _, t := range deviceTypes {
		if found.Type&t.bit != 0 {
			f.Type = t.word
			break
		}
	}
	f.Joins = f.Type == "cpu" && strings.HasPrefix(f.Version, "OpenCL 3.") && a.has(cl.DeviceAtomics, cl.AtomicOrders|cl.AtomicDevice)
	if a.number(cl.DeviceImageSupport) != 0 && a.err == nil {
		f.Image2D = a.images(ctx, slices.Contains(extensions, "cl_khr_image2d_from_buffer"))
	}
	return f, a.err
}

// images asks for what concerns images. The pitch is asked for where images over buffers exist: elsewhere drivers may
// not know the question.
func (a *asker) images(ctx cl.Context, fromBuffer bool) *ImageFacts {
	f := &ImageFacts{
		MaxWidth: a.number(cl.DeviceImage2DMaxWidth), MaxHeight: a.number(cl.DeviceImage2DMaxHeight),
		MaxLayers: a.number(cl.DeviceImageMaxLayers), PitchAlignment: 1, FromBuffer: fromBuffer, Texels: []string{},
	}
	if fromBuffer {
		f.PitchAlignment = max(a.number(cl.DeviceImagePitch), 1)
	}
	if a.err != nil {
		return nil
	}
	var formats []cl.Format
	formats, a.err = a.api.ImageFormats(ctx)
	for _, name := range texelNames {
		if slices.Contains(formats, texelFormats[name]) {
			f.Texels = append(f.Texels, name)
		}
	}
	return f
}
