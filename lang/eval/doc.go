// Package eval evaluates expressions: functions, variables and where their values come from, the order in which
// references can be followed, and values that are unknown until the plan is made. Start from [Scope] and [Inspector].
// The package knows kinds and names of blocks but not what the blocks mean.
package eval
