// Command memplan plans a neural network's memory from a declarative configuration: which tensor lives where and why,
// accepted into a lock file, and run with exactly those placements. Start from [main] and newRoot; each verb has a file
// of its own name, and everything that is printed is in internal/view.
package main
