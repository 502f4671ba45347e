package cl

import "syscall"

// libraries are the names to try, in order.
var libraries = []string{"OpenCL.dll"}

func openLibrary(name string) (uintptr, error) {
	handle, err := syscall.LoadLibrary(name)
	return uintptr(handle), err
}

func lookUp(handle uintptr, symbol string) (uintptr, error) {
	return syscall.GetProcAddress(syscall.Handle(handle), symbol)
}

// call calls a function of the library. Pointers among the arguments must be converted in the call itself.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := syscall.SyscallN(f, args...)
	return r
}
