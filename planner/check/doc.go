// Package check verifies a plan against the graphs it was made for: every placement is held against the definitions,
// recomputed here from the graphs and the plan's own pools. Start from [Verify]; [Placement] does the same for a bare
// layout problem.
//
// The package shares no code with what it checks and must not import layout, liveness, scope, texture or the planner: a
// fault there must not hide itself here. The geometry of images is computed here once more. It repairs nothing.
package check
