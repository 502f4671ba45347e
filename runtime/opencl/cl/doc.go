// Package cl binds the part of OpenCL 1.2 that the device needs, without cgo. Start from [Load], which opens the system's
// OpenCL library, and [Count], which counts what is created through it.
//
// [API] is the whole binding as an interface in Go's types, so that a test can put a driver of its own in its place. The
// package knows no tensors and no plans; its errors name the call and OpenCL's word for the failure.
//
// Numbers and meanings are those of the OpenCL specification and of its header CL/cl.h.
package cl
