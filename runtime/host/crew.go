package host

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// crew is a fixed set of goroutines that share loops. Steps run one after the other, so one loop is active at a time.
type crew struct {
	workers int
	wake    chan struct{}
	ended   chan struct{}
	once    sync.Once

	// The loop being worked on.
	body func(worker, lo, hi int)
	n    int
	size int
	next atomic.Int64
}

// newCrew starts workers-1 goroutines: the caller of Split is the last worker. 0 means one worker per usable core.
func newCrew(workers int) *crew {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	c := &crew{workers: workers, wake: make(chan struct{}, workers), ended: make(chan struct{}, workers)}
	for w := 1; w < workers; w++ {
		go func() {
			for range c.wake {
				c.pull(w)
				c.ended <- struct{}{}
			}
		}()
	}
	return c
}

// Split calls body for chunks that together cover [0, n) exactly once, each with the number of the worker that runs it.
// A chunk has at least grain items, except the last. It allocates nothing.
//
// The bounds of chunks depend on the number of workers: body must give an item the same result wherever a chunk ends.
func (c *crew) Split(n, grain int, body func(worker, lo, hi int)) {
	if grain < 1 {
		grain = 1
	}
	helpers := min(c.workers, (n+grain-1)/grain) - 1
	if helpers <= 0 {
		if n > 0 {
			body(0, 0, n)
		}
		return
	}
	// Four chunks a worker keep the last one short when a core is busy with something else.
	c.body, c.n, c.size = body, n, max(grain, n/(4*c.workers))
	c.next.Store(0)
	for range helpers {
		c.wake <- struct{}{}
	}
	c.pull(0)
	for range helpers {
		<-c.ended
	}
	c.body = nil
}

func (c *crew) pull(worker int) {
	for {
		hi := int(c.next.Add(int64(c.size)))
		lo := hi - c.size
		if lo >= c.n {
			return
		}
		c.body(worker, lo, min(hi, c.n))
	}
}

// stop ends the goroutines. It may be called more than once.
func (c *crew) stop() { c.once.Do(func() { close(c.wake) }) }
