# builtin:adreno: a device like Qualcomm's Adreno GPUs under OpenCL, with textures for activations and weights.
#
#   module "adreno" {
#     source     = "builtin:adreno"
#     arena_size = "24MiB"
#   }
#   graph "net" {
#     source = "net.onnx"
#     device = module.adreno.device
#   }

variable "driver" {
  type        = string
  default     = "opencl"
  description = "What runs the graphs: opencl, host or none."
}
variable "base_alignment" {
  type        = any
  default     = 128
  description = "Alignment in bytes of the start of flat pools."
}
variable "max_alloc" {
  type        = any
  default     = "1GiB"
  description = "The largest single allocation."
}
variable "max_width" {
  type        = number
  default     = 16384
  description = "The largest width of an image in texels."
}
variable "max_height" {
  type        = number
  default     = 16384
  description = "The largest height of an image in texels."
}
variable "max_layers" {
  type        = number
  default     = 2048
  description = "The most layers of an image array."
}
variable "pitch_alignment" {
  type        = number
  default     = 64
  description = "Rows of images over buffers begin at multiples of this many texels."
}
variable "from_buffer" {
  type        = bool
  default     = true
  description = "Whether images can be made over buffers. Then the arena also takes images that the textures pool has no room for."
}
variable "arena_size" {
  type        = any
  default     = null
  description = "The size of the flat pool of everything but constants, null for unlimited, 0 for none: when the configuration declares its own."
}
variable "textures_size" {
  type        = any
  default     = null
  description = "The size of the pool of images of activations, null for unlimited, 0 for none."
}
variable "weights_size" {
  type        = any
  default     = null
  description = "The size of the pool of images of weights, null for unlimited, 0 for none."
}
variable "min_channels" {
  type        = number
  default     = 4
  description = "Activations with fewer channels stay flat: a texel holds four."
}
variable "penalty" {
  type        = any
  default     = null
  description = "When given, textures are a wish of this many bytes each, which the policy weighs against copies. Else they are an order."
}
variable "ops" {
  type = list(string)
  default = [
    "Conv", "ConvTranspose", "MaxPool", "AveragePool", "GlobalAveragePool", "GlobalMaxPool", "BatchNormalization", "Resize", "Pad", "Concat",
    "Add", "Sub", "Mul", "Div", "Max", "Min", "Relu", "Clip", "Sigmoid", "HardSigmoid", "HardSwish", "LeakyRelu", "PRelu", "Tanh"
  ]
  description = "The operators whose activations are textures."
}

device "gpu" {
  driver         = var.driver
  base_alignment = var.base_alignment
  max_alloc      = var.max_alloc

  image2d {
    max_width       = var.max_width
    max_height      = var.max_height
    max_layers      = var.max_layers
    pitch_alignment = var.pitch_alignment
    from_buffer     = var.from_buffer
  }
}

pool "textures" {
  device = device.gpu
  type   = "texture"
  holds  = ["activation"]
  size   = var.textures_size
}
pool "weights" {
  device = device.gpu
  type   = "texture"
  holds  = ["constant"]
  size   = var.weights_size
}
pool "arena" {
  device = device.gpu
  size   = var.arena_size
  images = var.from_buffer
}

# As TVM has it: weights of convolutions that are not float16 stay flat when the kernel covers more than one point.
scope_rule "spatial_weights" {
  match {
    op      = ["Conv", "ConvTranspose"]
    operand = ["weight"]
    role    = ["constant"]
    rank    = [4, 5]
    device  = [device.gpu]
  }
  condition = (
    tensor.dtype != "float16" && (
      contains(["HWIO", "HWOI"], tensor.layout) ? tensor.shape[0] * tensor.shape[1] :
      contains(["OHWI", "IHWO"], tensor.layout) ? tensor.shape[1] * tensor.shape[2] :
      tensor.shape[2] * tensor.shape[3]
    ) != 1
  )
  scope = "global"
}

scope_rule "weights" {
  match {
    op      = ["Conv", "ConvTranspose"]
    operand = ["weight"]
    role    = ["constant"]
    dtype   = ["float16", "float32"]
    rank    = [4, 5]
    device  = [device.gpu]
  }
  condition = tensor.texture_weight.width > 0
  scope     = "global.texture-weight"
  penalty   = var.penalty
}

# An image of a channels-last tensor is wide, so that padded rows waste little of it; one of a channels-first tensor would
# be wider than images may be.
scope_rule "activations_nhwc" {
  match {
    op      = var.ops
    operand = ["data", "output"]
    role    = ["activation"]
    dtype   = ["float16", "float32"]
    layout  = ["NHWC", "NHWC4c"]
    device  = [device.gpu]
  }
  condition = (tensor.rank == 5 || tensor.shape[3] >= var.min_channels) && tensor.texture_nhwc.width > 0
  scope     = "global.texture-nhwc"
  penalty   = var.penalty
}

scope_rule "activations" {
  match {
    op      = var.ops
    operand = ["data", "output"]
    role    = ["activation"]
    dtype   = ["float16", "float32"]
    rank    = [4, 5]
    device  = [device.gpu]
  }
  condition = (tensor.rank == 5 || tensor.shape[1] >= var.min_channels) && tensor.texture.width > 0
  scope     = "global.texture"
  penalty   = var.penalty
}

output "device" {
  value       = device.gpu
  description = "The device, for graphs and pools."
}
output "arena" {
  value       = pool.arena
  description = "The flat pool of everything but constants."
}
output "textures" {
  value       = pool.textures
  description = "The pool of images of activations."
}
output "weights" {
  value       = pool.weights
  description = "The pool of images of weights."
}
