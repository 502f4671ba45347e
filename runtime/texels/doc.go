// Package texels moves elements between images as devices store them, rows of texels at a pitch, and dense arrays in the
// order that kernels and files read. Start from [New].
//
// The package knows the order of planner/texture and bytes: no device, no plan.
package texels
