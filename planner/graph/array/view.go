package array

import (
	"encoding/binary"
	"runtime"
	"unsafe"
)

// Element is a type whose memory is that of an array's elements: uint8 also serves bool, uint16 float16 and bfloat16,
// uint64 complex64, and [2]uint64 complex128.
type Element interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | [2]uint64
}

// hostLittleEndian says that the memory of a number is its little-endian form.
var hostLittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// unalignedLoads says that the processor reads numbers at any address.
const unalignedLoads = runtime.GOARCH == "amd64" || runtime.GOARCH == "arm64" || runtime.GOARCH == "386"

// View returns the elements of a as a slice that shares its memory, in O(1). The element size of a must be T's. The
// host must be little-endian, as every host is for which Lookup finds kernels. Where the processor cannot read numbers
// at any address and Data is not aligned, the slice is a copy: outputs must be aligned, inputs need not be.
func View[T Element](a *Array) []T { return viewBytes[T](a.Data) }

func viewBytes[T Element](data []byte) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	n := len(data) / size
	if n == 0 {
		return nil
	}
	p := unsafe.Pointer(unsafe.SliceData(data))
	if unalignedLoads || uintptr(p)%unsafe.Alignof(zero) == 0 {
		return unsafe.Slice((*T)(p), n)
	}
	aligned := make([]T, n)
	copy(unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(aligned))), n*size), data)
	return aligned
}

// aligned returns a, or a copy of it when View would copy on each call.
func aligned(a *Array) *Array {
	if unalignedLoads || len(a.Data) == 0 || uintptr(unsafe.Pointer(unsafe.SliceData(a.Data)))%8 == 0 {
		return a
	}
	words := make([]uint64, len(a.Data)/8+1)
	data := unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), len(a.Data))
	copy(data, a.Data)
	return &Array{DType: a.DType, Shape: a.Shape, Data: data}
}
