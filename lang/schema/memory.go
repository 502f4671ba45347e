package schema

import "github.com/memplan/memplan/lang/addr"

// Roles is the enumeration of tensor roles.
var Roles = []Value{
	{"input", "what the caller gives"},
	{"output", "what the caller gets"},
	{"constant", "weights and other values that never change"},
	{"activation", "what one operator writes and others read"},
	{"scratch", "memory that an operator needs only while it runs"},
	{"state", "variables that are kept from run to run"},
}

var deviceBlock = Block{
	Type: "device", Kind: addr.Device,
	Label: &Label{Name: "name", Doc: "The name in `device.name`."},
	Doc:   "A device whose memory is planned. Refer to it as `device.name`.",
	Example: `device "gpu" {
  driver         = "opencl"
  base_alignment = 128
  max_alloc      = "1GiB"

  image2d {
    max_width       = 16384
    max_height      = 16384
    pitch_alignment = 64
    from_buffer     = true
  }
  capability {
    op     = ["Conv"]
    data   = ["global.texture"]
    weight = ["global", "global.texture-weight"]
    output = ["global.texture"]
  }
}`,
	Attributes: repeated([]Attribute{
		{Name: "driver", Type: Text, Default: `"host"`, Example: `"opencl"`, Doc: "What runs the graphs.", Values: []Value{
			{"host", "the embedded device: pure Go, always there"},
			{"opencl", "an OpenCL device"},
			{"none", "nothing: the memory is planned and no more"},
		}},
		{Name: "base_alignment", Type: Size, Default: "64", Min: 1, PowerOfTwo: true, Example: "128",
			Doc: "The alignment in bytes of every flat pool's start, and the default alignment of tensors in it. A power of two."},
		{Name: "max_alloc", Type: Size, Min: 1, DefaultDoc: "unlimited", Example: `"1GiB"`,
			Doc: "The largest single allocation. No pool becomes larger, constants included."},
		{Name: "keeps_order", Type: Bool, DefaultDoc: "`true` on the driver `host`, else `false`", Example: "true",
			Doc: "Whether kernels compute the rows of a result in the order of memory, and write none before all that it needs was read, as the view `\"diagonal\"` asks of them. " +
				"For the driver `none` alone, whose kernels memplan does not know."},
	}...),
	Blocks: withConditions(Block{
		Type: "image2d", Once: true,
		Doc: "The limits of the device's 2D textures. Without this block the device has none. A side equal to its limit is allowed.",
		Attributes: []Attribute{
			{Name: "max_width", Type: Whole, Required: true, Min: 1, Example: "16384", Doc: "The largest width in texels."},
			{Name: "max_height", Type: Whole, Required: true, Min: 1, Example: "16384", Doc: "The largest height in texels."},
			{Name: "max_layers", Type: Whole, Min: 1, DefaultDoc: "none", Example: "2048", Doc: "The most layers of an image array."},
			{Name: "pitch_alignment", Type: Whole, Default: "1", Min: 1, PowerOfTwo: true, Example: "64", Doc: "Rows begin at multiples of this many texels. A power of two."},
			{Name: "from_buffer", Type: Bool, Default: "false", Example: "true", Doc: "Whether the device makes images over buffers (`cl_khr_image2d_from_buffer`)."},
		},
	}, capabilityBlock),
}

// capabilityBlock describes one form of the kernels of some operators: an operand for each attribute but op.
var capabilityBlock = Block{
	Type: "capability",
	Doc: "One form of the device's kernels for some operators: the scopes that each operand may have in it. There may be several forms for an operator; " +
		"it may run when one of them allows the scope of every operand, or when all are `global`. For the operators that capabilities name they take the place of " +
		"what memplan's own OpenCL kernels do. An operator that no form names is `global` throughout.",
	Attributes: []Attribute{
		{Name: "op", Type: Texts, Required: true, Example: `["Conv", "ConvTranspose"]`, Doc: "The ONNX names of the operators; `\"*\"` is all of them."},
		operandScopes("output", "what the operator writes"),
		operandScopes("data", "its main inputs"),
		operandScopes("weight", "its weights"),
		operandScopes("bias", "its bias"),
		operandScopes("index", "its indexes, axes and shapes"),
		operandScopes("other", "its other inputs"),
	},
}

func operandScopes(operand, what string) Attribute {
	return Attribute{Name: operand, Type: Texts, Default: `["global"]`, Values: Scopes, Example: `["global.texture"]`, Doc: "The scopes that " + what + " may have."}
}

var poolBlock = Block{
	Type: "pool", Kind: addr.Pool,
	Label: &Label{Name: "name", Doc: "The name in `pool.name`."},
	Doc: "A piece of memory that tensors are placed in. Refer to it as `pool.name`. The order of declaration, files by name and then by position, " +
		"is the order of preference where nothing else decides. The graphs of a plan run one after the other and use the same pools.",
	Example: `pool "arena" {
  device    = device.gpu
  size      = "24MiB"
  alignment = 128
}`,
	Attributes: repeated([]Attribute{
		{Name: "device", Type: Reference, Refers: addr.Device, Required: true, Example: "device.gpu", Doc: "The device that has the memory."},
		{Name: "type", Type: Text, Default: `"flat"`, Example: `"texture"`, Doc: "The kind of memory.", Values: []Value{
			{"flat", "bytes with addresses"},
			{"texture", "2D images; the device needs an `image2d` block"},
		}},
		{Name: "holds", Type: Texts, DefaultDoc: "every role but `constant`", Values: Roles, Example: `["constant"]`,
			Doc: "The roles of the tensors that the pool takes by itself. A rule or a pin that names the pool overrides it; where `holds` is given that is a warning."},
		{Name: "size", Type: Size, DefaultDoc: "unlimited", Example: `"24MiB"`, Doc: "The capacity: a hard cap. A plan that needs more is an error, never a smaller promise."},
		{Name: "alignment", Type: Size, DefaultDoc: "the device's `base_alignment`", Min: 1, PowerOfTwo: true, Example: "128",
			Doc: "Each tensor's offset is a multiple of this many bytes. A power of two. Less than the device's `base_alignment` is legal, with a warning."},
		{Name: "images", Type: Bool, Default: "false", Example: "true", Doc: "Whether a flat pool also holds images over its bytes. The pool is of type `flat` and the device has `from_buffer`."},
	}...),
	Blocks: withConditions(),
}
