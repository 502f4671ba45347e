package cl

// Indexes of the functions in driver.f.
const (
	getPlatformIDs = iota
	getPlatformInfo
	getDeviceIDs
	getDeviceInfo
	getSupportedImageFormats
	createContext
	releaseContext
	createCommandQueue
	releaseCommandQueue
	createBuffer
	createImage
	releaseMemObject
	createProgramWithSource
	buildProgram
	getProgramBuildInfo
	releaseProgram
	createKernel
	setKernelArg
	releaseKernel
	enqueueNDRangeKernel
	enqueueWriteBuffer
	enqueueReadBuffer
	enqueueFillBuffer
	enqueueWriteImage
	enqueueReadImage
	flush
	finish
	getEventProfilingInfo
	releaseEvent
	functions
)

// symbols are the names of the functions, all of OpenCL 1.2.
var symbols = [functions]string{
	getPlatformIDs:           "clGetPlatformIDs",
	getPlatformInfo:          "clGetPlatformInfo",
	getDeviceIDs:             "clGetDeviceIDs",
	getDeviceInfo:            "clGetDeviceInfo",
	getSupportedImageFormats: "clGetSupportedImageFormats",
	createContext:            "clCreateContext",
	releaseContext:           "clReleaseContext",
	createCommandQueue:       "clCreateCommandQueue",
	releaseCommandQueue:      "clReleaseCommandQueue",
	createBuffer:             "clCreateBuffer",
	createImage:              "clCreateImage",
	releaseMemObject:         "clReleaseMemObject",
	createProgramWithSource:  "clCreateProgramWithSource",
	buildProgram:             "clBuildProgram",
	getProgramBuildInfo:      "clGetProgramBuildInfo",
	releaseProgram:           "clReleaseProgram",
	createKernel:             "clCreateKernel",
	setKernelArg:             "clSetKernelArg",
	releaseKernel:            "clReleaseKernel",
	enqueueNDRangeKernel:     "clEnqueueNDRangeKernel",
	enqueueWriteBuffer:       "clEnqueueWriteBuffer",
	enqueueReadBuffer:        "clEnqueueReadBuffer",
	enqueueFillBuffer:        "clEnqueueFillBuffer",
	enqueueWriteImage:        "clEnqueueWriteImage",
	enqueueReadImage:         "clEnqueueReadImage",
	flush:                    "clFlush",
	finish:                   "clFinish",
	getEventProfilingInfo:    "clGetEventProfilingInfo",
	releaseEvent:             "clReleaseEvent",
}

// failure turns the result of a function into an error.
func failure(function int, result uintptr) error {
	if code := Code(int32(result)); code != 0 {
		return &Error{Call: symbols[function], Code: code}
	}
	return nil
}
