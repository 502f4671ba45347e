// Package opencltest gives tests an OpenCL device. Start from [Connect].
package opencltest
