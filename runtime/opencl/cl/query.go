package cl

import (
	"bytes"
	"encoding/binary"
	"runtime"
	"unsafe"
)

// maxAnswer bounds what a driver may claim to answer, in bytes or objects.
const maxAnswer = 1 << 20

// Platforms implements API.
func (d *driver) Platforms() ([]Platform, error) {
	var n uint32
	if err := failure(getPlatformIDs, call(d.f[getPlatformIDs], 0, 0, uintptr(unsafe.Pointer(&n)))); err != nil || n == 0 {
		return nil, err
	}
	list := make([]Platform, min(n, maxAnswer))
	err := failure(getPlatformIDs, call(d.f[getPlatformIDs], uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])), 0))
	return list, err
}

// Devices implements API.
func (d *driver) Devices(p Platform) ([]Device, error) {
	var n uint32
	err := failure(getDeviceIDs, call(d.f[getDeviceIDs], uintptr(p), typeAll, 0, 0, uintptr(unsafe.Pointer(&n))))
	if isCode(err, DeviceNotFound) {
		return nil, nil
	}
	if err != nil || n == 0 {
		return nil, err
	}
	list := make([]Device, min(n, maxAnswer))
	err = failure(getDeviceIDs, call(d.f[getDeviceIDs], uintptr(p), typeAll, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])), 0))
	return list, err
}

func isCode(err error, code Code) bool {
	e, ok := err.(*Error)
	return ok && e.Code == code
}

// PlatformInfo implements API.
func (d *driver) PlatformInfo(p Platform, what Info) ([]byte, error) {
	return d.answer(getPlatformInfo, uintptr(p), 0, what)
}

// DeviceInfo implements API.
func (d *driver) DeviceInfo(dev Device, what Info) ([]byte, error) {
	return d.answer(getDeviceInfo, uintptr(dev), 0, what)
}

// BuildLog implements API.
func (d *driver) BuildLog(p Program, dev Device) (string, error) {
	text, err := d.answer(getProgramBuildInfo, uintptr(p), uintptr(dev), programBuildLog)
	return Text(text), err
}

// answer asks for the size of an answer, then for the answer. of and with are the objects that the question is about.
func (d *driver) answer(function int, of, with uintptr, what Info) ([]byte, error) {
	var n uintptr
	ask := func(size uintptr, data unsafe.Pointer, got *uintptr) error {
		if with != 0 {
			return failure(function, call(d.f[function], of, with, uintptr(what), size, uintptr(data), uintptr(unsafe.Pointer(got))))
		}
		return failure(function, call(d.f[function], of, uintptr(what), size, uintptr(data), uintptr(unsafe.Pointer(got))))
	}
	if err := ask(0, nil, &n); err != nil || n == 0 {
		return nil, err
	}
	data := make([]byte, min(n, maxAnswer))
	err := ask(uintptr(len(data)), unsafe.Pointer(&data[0]), nil)
	runtime.KeepAlive(data)
	return data, err
}

// ImageFormats implements API.
func (d *driver) ImageFormats(c Context) ([]Format, error) {
	const function = getSupportedImageFormats
	var n uint32
	err := failure(function, call(d.f[function], uintptr(c), memReadWrite, memObjectImage2D, 0, 0, uintptr(unsafe.Pointer(&n))))
	if err != nil || n == 0 {
		return nil, err
	}
	list := make([]Format, min(n, maxAnswer))
	err = failure(function, call(d.f[function], uintptr(c), memReadWrite, memObjectImage2D, uintptr(len(list)), uintptr(unsafe.Pointer(&list[0])), 0))
	return list, err
}

// Text reads an answer that is a text.
func Text(answer []byte) string {
	if at := bytes.IndexByte(answer, 0); at >= 0 {
		answer = answer[:at]
	}
	return string(bytes.TrimSpace(answer))
}

// Number reads an answer that is a number of 4 or 8 bytes, the first where it is a list; 0 for others.
func Number(answer []byte) uint64 {
	switch {
	case len(answer) >= 8:
		return binary.NativeEndian.Uint64(answer)
	case len(answer) == 4:
		return uint64(binary.NativeEndian.Uint32(answer))
	}
	return 0
}
