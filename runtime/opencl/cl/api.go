package cl

// Objects of the driver. Zero is none of them.
type (
	Platform uintptr
	Device   uintptr
	Context  uintptr
	Queue    uintptr
	Program  uintptr
	Kernel   uintptr
	Mem      uintptr
	Event    uintptr
)

// Size is the extent of a grid of work items along three axes, the fastest first.
type Size [3]int

// Format is the form of an image's texels: a channel order and a channel type of OpenCL.
type Format struct{ Order, Type uint32 }

// Area is a rectangle of an image in texels.
type Area struct{ X, Y, Width, Height int }

// Times are the moments of a command on the device's clock, in nanoseconds.
type Times struct{ Queued, Submitted, Started, Ended uint64 }

// API is OpenCL as the device uses it. Every method fails with an [*Error]. Queues work in order. Data is read and
// written before a transfer returns; other enqueued commands may end later.
type API interface {
	Platforms() ([]Platform, error)
	// PlatformInfo returns the bytes of an answer.
	PlatformInfo(p Platform, what Info) ([]byte, error)
	// Devices lists the devices of all types.
	Devices(p Platform) ([]Device, error)
	// DeviceInfo returns the bytes of an answer, numbers in the machine's order.
	DeviceInfo(d Device, what Info) ([]byte, error)
	// ImageFormats lists what two-dimensional images that kernels read and write may be made of.
	ImageFormats(c Context) ([]Format, error)

	CreateContext(d Device) (Context, error)
	ReleaseContext(c Context) error
	// CreateQueue makes a queue whose commands have times when it is timed.
	CreateQueue(c Context, d Device, timed bool) (Queue, error)
	ReleaseQueue(q Queue) error

	// CreateBuffer makes memory that kernels read and write.
	CreateBuffer(c Context, bytes int64) (Mem, error)
	// CreateImage makes a two-dimensional image that kernels read and write, sides in texels.
	CreateImage(c Context, f Format, width, height int64) (Mem, error)
	ReleaseMem(m Mem) error

	CreateProgram(c Context, source string) (Program, error)
	BuildProgram(p Program, d Device, options string) error
	// BuildLog says what the compiler said.
	BuildLog(p Program, d Device) (string, error)
	ReleaseProgram(p Program) error
	CreateKernel(p Program, name string) (Kernel, error)
	// SetArg sets an argument to the bytes of a value, of which the driver keeps a copy.
	SetArg(k Kernel, index int, value []byte) error
	// SetLocal gives an argument bytes of local memory.
	SetLocal(k Kernel, index int, bytes int64) error
	ReleaseKernel(k Kernel) error

	// EnqueueKernel starts a kernel. It returns an event when it is timed, to be released, and else none.
	EnqueueKernel(q Queue, k Kernel, global, local Size, timed bool) (Event, error)
	WriteBuffer(q Queue, m Mem, offset int64, data []byte) error
	ReadBuffer(q Queue, m Mem, offset int64, data []byte) error
	// FillBuffer sets bytes to a value.
	FillBuffer(q Queue, m Mem, value byte, offset, bytes int64) error
	// WriteImage writes rows of texels that lie rowPitch bytes apart.
	WriteImage(q Queue, m Mem, a Area, rowPitch int64, data []byte) error
	ReadImage(q Queue, m Mem, a Area, rowPitch int64, data []byte) error
	// Flush hands what is enqueued to the device, Finish waits for it.
	Flush(q Queue) error
	Finish(q Queue) error
	EventTimes(e Event) (Times, error)
	ReleaseEvent(e Event) error
}
