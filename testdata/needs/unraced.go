//go:build !race

package needs

// Raced says that the race detector watches.
const Raced = false
