package cl

import (
	"runtime"
	"unsafe"
)

// create calls a function that returns an object and reports its code through a pointer, which must be the last argument.
// The caller keeps what the arguments point at alive.
func (d *driver) create(function int, code *int32, object uintptr) (uintptr, error) {
	if *code != 0 {
		return 0, &Error{Call: symbols[function], Code: Code(*code)}
	}
	return object, nil
}

func (d *driver) release(function int, object uintptr) error {
	return failure(function, call(d.f[function], object))
}

// CreateContext implements API.
func (d *driver) CreateContext(dev Device) (Context, error) {
	var code int32
	c, err := d.create(createContext, &code, call(d.f[createContext], 0, 1, uintptr(unsafe.Pointer(&dev)), 0, 0, uintptr(unsafe.Pointer(&code))))
	return Context(c), err
}

// ReleaseContext implements API.
func (d *driver) ReleaseContext(c Context) error { return d.release(releaseContext, uintptr(c)) }

// CreateQueue implements API.
func (d *driver) CreateQueue(c Context, dev Device, timed bool) (Queue, error) {
	var code int32
	properties := uintptr(0)
	if timed {
		properties = queueProfiling
	}
	q, err := d.create(createCommandQueue, &code, call(d.f[createCommandQueue], uintptr(c), uintptr(dev), properties, uintptr(unsafe.Pointer(&code))))
	return Queue(q), err
}

// ReleaseQueue implements API.
func (d *driver) ReleaseQueue(q Queue) error { return d.release(releaseCommandQueue, uintptr(q)) }

// CreateBuffer implements API.
func (d *driver) CreateBuffer(c Context, bytes int64) (Mem, error) {
	var code int32
	m, err := d.create(createBuffer, &code, call(d.f[createBuffer], uintptr(c), memReadWrite, uintptr(bytes), 0, uintptr(unsafe.Pointer(&code))))
	return Mem(m), err
}

// imageDescription is cl_image_desc on a 64-bit machine, 72 bytes.
type imageDescription struct {
	kind                         uint32
	_                            uint32
	width, height, depth, layers uintptr
	rowPitch, slicePitch         uintptr
	mipLevels, samples           uint32
	buffer                       uintptr
}

// CreateImage implements API.
func (d *driver) CreateImage(c Context, f Format, width, height int64) (Mem, error) {
	var code int32
	description := imageDescription{kind: memObjectImage2D, width: uintptr(width), height: uintptr(height)}
	m, err := d.create(createImage, &code, call(d.f[createImage], uintptr(c), memReadWrite, uintptr(unsafe.Pointer(&f)),
		uintptr(unsafe.Pointer(&description)), 0, uintptr(unsafe.Pointer(&code))))
	return Mem(m), err
}

// ReleaseMem implements API.
func (d *driver) ReleaseMem(m Mem) error { return d.release(releaseMemObject, uintptr(m)) }

// CreateProgram implements API.
func (d *driver) CreateProgram(c Context, source string) (Program, error) {
	var code int32
	var pinner runtime.Pinner
	defer pinner.Unpin()
	text := []byte(source + "\x00")
	pinner.Pin(&text[0])
	first, length := &text[0], uintptr(len(source))
	p, err := d.create(createProgramWithSource, &code, call(d.f[createProgramWithSource], uintptr(c), 1,
		uintptr(unsafe.Pointer(&first)), uintptr(unsafe.Pointer(&length)), uintptr(unsafe.Pointer(&code))))
	return Program(p), err
}

// BuildProgram implements API.
func (d *driver) BuildProgram(p Program, dev Device, options string) error {
	text := []byte(options + "\x00")
	return failure(buildProgram, call(d.f[buildProgram], uintptr(p), 1, uintptr(unsafe.Pointer(&dev)), uintptr(unsafe.Pointer(&text[0])), 0, 0))
}

// ReleaseProgram implements API.
func (d *driver) ReleaseProgram(p Program) error { return d.release(releaseProgram, uintptr(p)) }

// CreateKernel implements API.
func (d *driver) CreateKernel(p Program, name string) (Kernel, error) {
	var code int32
	text := []byte(name + "\x00")
	k, err := d.create(createKernel, &code, call(d.f[createKernel], uintptr(p), uintptr(unsafe.Pointer(&text[0])), uintptr(unsafe.Pointer(&code))))
	return Kernel(k), err
}

// SetArg implements API.
func (d *driver) SetArg(k Kernel, index int, value []byte) error {
	return failure(setKernelArg, call(d.f[setKernelArg], uintptr(k), uintptr(index), uintptr(len(value)), uintptr(unsafe.Pointer(unsafe.SliceData(value)))))
}

// SetLocal implements API.
func (d *driver) SetLocal(k Kernel, index int, bytes int64) error {
	return failure(setKernelArg, call(d.f[setKernelArg], uintptr(k), uintptr(index), uintptr(bytes), 0))
}

// ReleaseKernel implements API.
func (d *driver) ReleaseKernel(k Kernel) error { return d.release(releaseKernel, uintptr(k)) }
