package cl

import (
	"errors"
	"os"
	"strconv"
	"sync"
)

// LibraryVariable names the environment variable that replaces the system's library.
const LibraryVariable = "MEMPLAN_OPENCL_LIBRARY"

// driver calls the functions of a library.
type driver struct {
	library string
	f       [functions]uintptr
}

var loaded struct {
	sync.Mutex
	drivers map[string]*driver
}

// Load opens the OpenCL library of the system, or the one that MEMPLAN_OPENCL_LIBRARY names, once in a process. It fails
// with a *LoadError. Nothing is opened before.
func Load() (API, error) {
	candidates := libraries
	if name := os.Getenv(LibraryVariable); name != "" {
		candidates = []string{name}
	}
	loaded.Lock()
	defer loaded.Unlock()
	var first error
	for _, name := range candidates {
		if d := loaded.drivers[name]; d != nil {
			return d, nil
		}
		d, err := load(name)
		if err == nil {
			if loaded.drivers == nil {
				loaded.drivers = map[string]*driver{}
			}
			loaded.drivers[name] = d
			return d, nil
		}
		if first == nil {
			first = err
		}
	}
	return nil, first
}

func load(name string) (*driver, error) {
	if strconv.IntSize != 64 {
		return nil, &LoadError{Library: name, Err: errors.New("only 64-bit systems are supported")}
	}
	if err := prepareEnvironment(); err != nil {
		return nil, &LoadError{Library: name, Err: err}
	}
	handle, err := openLibrary(name)
	if err != nil {
		return nil, &LoadError{Library: name, Err: err}
	}
	d := &driver{library: name}
	for i, symbol := range symbols {
		address, err := lookUp(handle, symbol)
		if err != nil || address == 0 {
			return nil, &LoadError{Library: name, Symbol: symbol, Err: err}
		}
		d.f[i] = address
	}
	return d, nil
}
