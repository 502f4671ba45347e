// Package plan is the artifact: where every tensor lives and why, as canonical JSON. Start from [Plan].
//
// The same plan has the same bytes on any machine: no clock, host, user, seed or absolute path is in it. The package
// knows the artifact, its digest, its comparison with another plan and the lock file; it does not make plans.
package plan
