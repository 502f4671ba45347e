// Package device is what the executor asks of a device, in few methods: memory once, constants once, a preparation for
// each step, then runs that allocate nothing. Start from [Device]; the host device and the OpenCL device both meet it.
//
// The package holds types only. It knows no planner: offsets and sizes come to it as numbers that were decided before.
package device
