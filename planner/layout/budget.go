package layout

import "context"

// neighboursPerNode is how many looked-at neighbours cost as much as one placement.
const neighboursPerNode = 32

// budget counts search effort. Work is measured in nodes, never in seconds, so that the same input gives the same
// result on any machine; only a cancelled context stops earlier.
type budget struct {
	ctx       context.Context
	spent     int64
	limit     int64
	checkedAt int64
	cancelled bool
	// standard says that the limit is the algorithm's default; first is what the first attempts of the scene took.
	standard bool
	first    int64
	// report is told of better placements, nil when nobody asks.
	report func(peak, bound int64)
	// told is told how much is spent, nil when nobody asks.
	told func(nodes int64)
}

// tell reports the present placement of a scene.
func (b *budget) tell(s *scene) {
	if b.report == nil {
		return
	}
	floors := score{peaks: s.floor}
	b.report(s.score(0, s.len()).sum(), floors.sum())
}

// mostExtended bounds the first attempts that extend pays for, in nodes.
const mostExtended = 1 << 24

// extend raises a default limit so far that the first attempts can be repeated some 20 times: the other orders then get their
// turn on problems of which one attempt exceeds the limit.
func (b *budget) extend() {
	if b.standard && b.first <= mostExtended {
		b.limit = max(b.limit, b.spent+20*b.first)
	}
}

// spend counts one placement that looked at n neighbours.
func (b *budget) spend(n int) { b.spent += 1 + int64(n)/neighboursPerNode }

// stop reports whether the context was cancelled. It asks the context once in a thousand nodes.
func (b *budget) stop() bool {
	if !b.cancelled && (b.spent-b.checkedAt >= 1000 || b.checkedAt == 0) {
		b.checkedAt = max(b.spent, 1)
		b.cancelled = b.ctx.Err() != nil
		if b.told != nil {
			b.told(b.spent)
		}
	}
	return b.cancelled
}

// over reports whether the effort is used up or the context was cancelled.
func (b *budget) over() bool { return b.spent >= b.limit || b.stop() }

// left is the effort that remains.
func (b *budget) left() int64 { return max(0, b.limit-b.spent) }

// within runs f with the limit lowered to the given share of the remaining effort, one of n equal ones.
func (b *budget) within(n int, f func()) { b.upTo(b.left()/int64(max(1, n)), f) }

// upTo runs f with at most that many nodes of the remaining effort.
func (b *budget) upTo(nodes int64, f func()) { b.further(min(nodes, b.left()), f) }

// further runs f with that many nodes, whatever remains.
func (b *budget) further(nodes int64, f func()) {
	limit := b.limit
	b.limit = b.spent + nodes
	f()
	b.limit = limit
}
