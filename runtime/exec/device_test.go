package exec_test

import (
	"testing"

	"github.com/memplan/memplan/runtime/device"
	"github.com/memplan/memplan/runtime/host"
	"github.com/memplan/memplan/runtime/opencl/opencltest"
)

// opener makes a new device.
type opener func() (device.Device, error)

// hostDevice makes a host device.
func hostDevice() (device.Device, error) { return host.New(host.Options{Workers: 2}) }

// openclDevice makes devices in the one OpenCL session of the tests, which are skipped without OpenCL.
func openclDevice(t testing.TB) opener {
	session := opencltest.Connect(t)
	return func() (device.Device, error) { return session.NewDevice(), nil }
}
