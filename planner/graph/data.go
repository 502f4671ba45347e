package graph

// Bytes is Data held in memory, dense, row-major, little-endian.
type Bytes []byte

// Size returns the number of bytes.
func (b Bytes) Size() int64 { return int64(len(b)) }

// Read returns b itself.
func (b Bytes) Read() ([]byte, error) { return b, nil }

// Lazy is Data computed when it is read, such as a folded weight. Each Read computes it again: keep the result.
type Lazy struct {
	Bytes   int64
	Compute func() ([]byte, error)
	// Recipe says what is computed, nil when that is not told.
	Recipe *Recipe
}

// Recipe is what computed content follows from. Two contents of equal ops and equal inputs are equal.
type Recipe struct {
	// Op says everything about the computation but its inputs.
	Op string
	// Inputs has nil for those that are absent.
	Inputs []Data
}

// Size returns the bytes that Read will give.
func (l *Lazy) Size() int64 { return l.Bytes }

// Read computes the content.
func (l *Lazy) Read() ([]byte, error) { return l.Compute() }
