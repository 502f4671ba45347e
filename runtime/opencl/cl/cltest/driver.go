package cltest

import (
	"encoding/binary"

	"github.com/memplan/memplan/runtime/opencl/cl"
)

// Driver implements cl.API. Its zero object is none.
type Driver struct {
	// FailAt is the number of the call that fails with Code, from 1; 0 for none. Questions count as calls too.
	FailAt int
	Code   cl.Code
	// Calls is the number of calls so far.
	Calls int
	// Failed is the call that failed, "" before.
	Failed string
	// MaxAlloc is the largest allocation in bytes, MaxSide the largest side of an image in texels.
	MaxAlloc, MaxSide int64

	last   uintptr
	memory map[cl.Mem][]byte
}

// New returns a driver with one device, of which no call fails.
func New() *Driver {
	return &Driver{Code: cl.OutOfResources, MaxAlloc: 1 << 30, MaxSide: 1 << 12, memory: map[cl.Mem][]byte{}}
}

// call counts a call and fails it when it is its turn.
func (d *Driver) call(name string) error {
	d.Calls++
	if d.Calls != d.FailAt {
		return nil
	}
	d.Failed = name
	return &cl.Error{Call: name, Code: d.Code}
}

// object makes a new object unless the call fails.
func object[T ~uintptr](d *Driver, name string) (T, error) {
	if err := d.call(name); err != nil {
		return 0, err
	}
	d.last++
	return T(d.last), nil
}

func number(v int64) []byte { return binary.NativeEndian.AppendUint64(nil, uint64(v)) }

// Platforms implements cl.API.
func (d *Driver) Platforms() ([]cl.Platform, error) {
	return []cl.Platform{1}, d.call("clGetPlatformIDs")
}

// PlatformInfo implements cl.API.
func (d *Driver) PlatformInfo(cl.Platform, cl.Info) ([]byte, error) {
	return []byte("test platform\x00"), d.call("clGetPlatformInfo")
}

// Devices implements cl.API.
func (d *Driver) Devices(cl.Platform) ([]cl.Device, error) {
	return []cl.Device{1}, d.call("clGetDeviceIDs")
}

// DeviceInfo implements cl.API.
func (d *Driver) DeviceInfo(_ cl.Device, what cl.Info) ([]byte, error) {
	err := d.call("clGetDeviceInfo")
	switch what {
	case cl.DeviceMaxAllocSize:
		return number(d.MaxAlloc), err
	case cl.DeviceImage2DMaxWidth, cl.DeviceImage2DMaxHeight:
		return number(d.MaxSide), err
	case cl.DeviceBaseAlignment, cl.DeviceMaxWorkGroupSize:
		return number(1024), err
	case cl.DeviceImageSupport:
		return number(1), err
	case cl.DeviceName:
		return []byte("test device\x00"), err
	case cl.DeviceType:
		return number(cl.TypeCPU), err
	case cl.DeviceVersion:
		return []byte("OpenCL 3.0 test\x00"), err
	case cl.DeviceAtomics:
		return number(cl.AtomicOrders | cl.AtomicDevice), err
	}
	return number(0), err
}

// ImageFormats implements cl.API.
func (d *Driver) ImageFormats(cl.Context) ([]cl.Format, error) {
	return []cl.Format{cl.RGBA(cl.TypeFloat32)}, d.call("clGetSupportedImageFormats")
}

// CreateContext implements cl.API.
func (d *Driver) CreateContext(cl.Device) (cl.Context, error) {
	return object[cl.Context](d, "clCreateContext")
}

// ReleaseContext implements cl.API.
func (d *Driver) ReleaseContext(cl.Context) error { return d.call("clReleaseContext") }

// CreateQueue implements cl.API.
func (d *Driver) CreateQueue(cl.Context, cl.Device, bool) (cl.Queue, error) {
	return object[cl.Queue](d, "clCreateCommandQueue")
}

// ReleaseQueue implements cl.API.
func (d *Driver) ReleaseQueue(cl.Queue) error { return d.call("clReleaseCommandQueue") }

// CreateBuffer implements cl.API.
func (d *Driver) CreateBuffer(_ cl.Context, bytes int64) (cl.Mem, error) {
	m, err := object[cl.Mem](d, "clCreateBuffer")
	if err == nil {
		d.memory[m] = make([]byte, bytes)
	}
	return m, err
}

// CreateImage implements cl.API.
func (d *Driver) CreateImage(cl.Context, cl.Format, int64, int64) (cl.Mem, error) {
	return object[cl.Mem](d, "clCreateImage")
}

// ReleaseMem implements cl.API.
func (d *Driver) ReleaseMem(cl.Mem) error { return d.call("clReleaseMemObject") }

// CreateProgram implements cl.API.
func (d *Driver) CreateProgram(cl.Context, string) (cl.Program, error) {
	return object[cl.Program](d, "clCreateProgramWithSource")
}

// BuildProgram implements cl.API.
func (d *Driver) BuildProgram(cl.Program, cl.Device, string) error { return d.call("clBuildProgram") }

// BuildLog implements cl.API.
func (d *Driver) BuildLog(cl.Program, cl.Device) (string, error) {
	return "what the compiler said", d.call("clGetProgramBuildInfo")
}

// ReleaseProgram implements cl.API.
func (d *Driver) ReleaseProgram(cl.Program) error { return d.call("clReleaseProgram") }

// CreateKernel implements cl.API.
func (d *Driver) CreateKernel(cl.Program, string) (cl.Kernel, error) {
	return object[cl.Kernel](d, "clCreateKernel")
}

// SetArg implements cl.API.
func (d *Driver) SetArg(cl.Kernel, int, []byte) error { return d.call("clSetKernelArg") }

// SetLocal implements cl.API.
func (d *Driver) SetLocal(cl.Kernel, int, int64) error { return d.call("clSetKernelArg") }

// ReleaseKernel implements cl.API.
func (d *Driver) ReleaseKernel(cl.Kernel) error { return d.call("clReleaseKernel") }

// EnqueueKernel implements cl.API.
func (d *Driver) EnqueueKernel(_ cl.Queue, _ cl.Kernel, _, _ cl.Size, timed bool) (cl.Event, error) {
	if timed {
		return object[cl.Event](d, "clEnqueueNDRangeKernel")
	}
	return 0, d.call("clEnqueueNDRangeKernel")
}

// WriteBuffer implements cl.API.
func (d *Driver) WriteBuffer(_ cl.Queue, m cl.Mem, offset int64, data []byte) error {
	copy(d.memory[m][offset:], data)
	return d.call("clEnqueueWriteBuffer")
}

// ReadBuffer implements cl.API.
func (d *Driver) ReadBuffer(_ cl.Queue, m cl.Mem, offset int64, data []byte) error {
	copy(data, d.memory[m][offset:])
	return d.call("clEnqueueReadBuffer")
}

// FillBuffer implements cl.API.
func (d *Driver) FillBuffer(_ cl.Queue, m cl.Mem, value byte, offset, bytes int64) error {
	for i := range d.memory[m][offset : offset+bytes] {
		d.memory[m][offset+int64(i)] = value
	}
	return d.call("clEnqueueFillBuffer")
}

// WriteImage implements cl.API.
func (d *Driver) WriteImage(cl.Queue, cl.Mem, cl.Area, int64, []byte) error {
	return d.call("clEnqueueWriteImage")
}

// ReadImage implements cl.API.
func (d *Driver) ReadImage(cl.Queue, cl.Mem, cl.Area, int64, []byte) error {
	return d.call("clEnqueueReadImage")
}

// Flush implements cl.API.
func (d *Driver) Flush(cl.Queue) error { return d.call("clFlush") }

// Finish implements cl.API.
func (d *Driver) Finish(cl.Queue) error { return d.call("clFinish") }

// EventTimes implements cl.API.
func (d *Driver) EventTimes(cl.Event) (cl.Times, error) {
	n := uint64(d.Calls)
	return cl.Times{Queued: 10 * n, Submitted: 10 * n, Started: 10 * n, Ended: 10*n + 5}, d.call("clGetEventProfilingInfo")
}

// ReleaseEvent implements cl.API.
func (d *Driver) ReleaseEvent(cl.Event) error { return d.call("clReleaseEvent") }
