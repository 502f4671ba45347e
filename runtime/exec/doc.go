// Package exec walks a plan over a device: every pool is allocated once, constants go up once, then the steps of a graph
// run any number of times without an allocation on the device. Start from [New] and [Runner.Run].
//
// It also reads and writes NumPy array files and makes reproducible inputs. With Options.Poison it overwrites every byte
// whose tensor has died, so that a placement or a kernel that reads too late shows as NaN.
//
// The package executes placements and never makes or changes one. It knows neither configurations nor model formats.
package exec
