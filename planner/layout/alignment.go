package layout

// Alignment returns the least common multiple of a buffer's alignment and a pool's, both positive: what the offset of
// the buffer in the pool is a multiple of. The second result is false when it exceeds 2^63-1.
func Alignment(buffer, pool int64) (int64, bool) { return lcm(buffer, pool) }
