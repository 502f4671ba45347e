package texture

import "context"

// budget counts search effort in nodes, never in seconds; only a cancelled context stops earlier.
type budget struct {
	ctx context.Context
	// looked counts storages, and limit and checkedAt are nodes.
	looked           int64
	limit, checkedAt int64
	cancelled        bool
}

// looksPerNode is how many storages looked at make a node.
const looksPerNode = 32

// look counts one placement that looked at n storages.
func (b *budget) look(n int) { b.looked += looksPerNode + int64(n) }

func (b *budget) nodes() int64 { return b.looked / looksPerNode }

// stop reports whether the context was cancelled. It asks the context once in a thousand nodes.
func (b *budget) stop() bool {
	if !b.cancelled && (b.nodes()-b.checkedAt >= 1000 || b.checkedAt == 0) {
		b.checkedAt = max(b.nodes(), 1)
		b.cancelled = b.ctx.Err() != nil
	}
	return b.cancelled
}

// over reports whether the effort is used up or the context was cancelled.
func (b *budget) over() bool { return b.nodes() >= b.limit || b.stop() }

// within runs f with the limit lowered to one of n equal shares of what remains.
func (b *budget) within(n int, f func()) {
	limit := b.limit
	b.limit = b.nodes() + max(0, limit-b.nodes())/int64(max(1, n))
	f()
	b.limit = limit
}
