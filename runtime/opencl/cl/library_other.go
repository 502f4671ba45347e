//go:build !(darwin || linux || windows)

package cl

import (
	"errors"
	"runtime"
)

// libraries are the names to try, in order.
var libraries = []string{"libOpenCL"}

func openLibrary(string) (uintptr, error) {
	return 0, errors.New("libraries cannot be opened on " + runtime.GOOS)
}

func lookUp(uintptr, string) (uintptr, error) { return 0, errors.New("no library is open") }

func call(uintptr, ...uintptr) uintptr { return 0 }
