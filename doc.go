// Package memplan is the root of the module. It holds no code, only tests about the repository as a whole: who may import
// whom, what is tracked, and what the tests install. The commands are in cmd.
package memplan
