// Package cltest is a driver for tests: memory as bytes, kernels that do nothing, and a call of choice that fails. Start from
// [New].
package cltest
