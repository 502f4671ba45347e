package cl

// Info names a question about a platform or a device.
type Info uint32

// Questions, from CL/cl.h. What is answered is in the comment.
const (
	PlatformVersion Info = 0x0901 // text
	PlatformName    Info = 0x0902 // text
	PlatformVendor  Info = 0x0903 // text

	DeviceType             Info = 0x1000 // bit set of 8 bytes
	DeviceMaxComputeUnits  Info = 0x1002 // uint32
	DeviceMaxWorkGroupSize Info = 0x1004 // size
	DeviceMaxWorkItemSizes Info = 0x1005 // sizes
	DeviceMaxAllocSize     Info = 0x1010 // uint64, bytes
	DeviceImage2DMaxWidth  Info = 0x1011 // size, texels
	DeviceImage2DMaxHeight Info = 0x1012 // size, texels
	DeviceImageSupport     Info = 0x1016 // uint32
	DeviceBaseAlignment    Info = 0x1019 // uint32, BITS
	DeviceGlobalMemSize    Info = 0x101F // uint64, bytes
	DeviceLocalMemSize     Info = 0x1023 // uint64, bytes
	DeviceAvailable        Info = 0x1027 // uint32
	DeviceCompiler         Info = 0x1028 // uint32
	DeviceName             Info = 0x102B // text
	DeviceVendor           Info = 0x102C // text
	DriverVersion          Info = 0x102D // text
	DeviceVersion          Info = 0x102F // text
	DeviceExtensions       Info = 0x1030 // text
	DeviceCLanguage        Info = 0x103D // text
	DeviceImageMaxLayers   Info = 0x1041 // size, layers of an image array
	DeviceImagePitch       Info = 0x104A // uint32, texels; 0 without images over buffers
	DeviceAtomics          Info = 0x1063 // bit set of 8 bytes, since OpenCL 3.0
)

// Bits of DeviceAtomics: orders of memory, and the scope of all work-groups of a device.
const (
	AtomicOrders = 1 << 1
	AtomicDevice = 1 << 5
)

// Bits of DeviceType.
const (
	TypeCPU         = 1 << 1
	TypeGPU         = 1 << 2
	TypeAccelerator = 1 << 3
	typeAll         = 0xFFFFFFFF
)

// Parts of a Format.
const (
	OrderRGBA = 0x10B5

	TypeInt8    = 0x10D7
	TypeInt16   = 0x10D8
	TypeInt32   = 0x10D9
	TypeUint8   = 0x10DA
	TypeUint16  = 0x10DB
	TypeUint32  = 0x10DC
	TypeFloat16 = 0x10DD
	TypeFloat32 = 0x10DE
)

const (
	memReadWrite     = 1
	memObjectImage2D = 0x10F1
	queueProfiling   = 2
	programBuildLog  = 0x1183
	eventQueued      = 0x1280
	eventSubmitted   = 0x1281
	eventStarted     = 0x1282
	eventEnded       = 0x1283
)
