//go:build darwin || linux

package cl

import (
	"runtime"

	"github.com/ebitengine/purego"
)

// libraries are the names to try, in order.
var libraries = map[bool][]string{
	true:  {"/System/Library/Frameworks/OpenCL.framework/OpenCL"},
	false: {"libOpenCL.so.1", "libOpenCL.so"},
}[runtime.GOOS == "darwin"]

func openLibrary(name string) (uintptr, error) {
	return purego.Dlopen(name, purego.RTLD_NOW|purego.RTLD_GLOBAL)
}

func lookUp(handle uintptr, symbol string) (uintptr, error) { return purego.Dlsym(handle, symbol) }

// call calls a function of the library. Pointers among the arguments must be converted in the call itself.
//
//go:uintptrescapes
func call(f uintptr, args ...uintptr) uintptr {
	r, _, _ := purego.SyscallN(f, args...)
	return r
}
