package main

import (
	"fmt"
	"sync"

	"github.com/memplan/memplan/lang/units"
)

// found is what the search for a placement has reached so far, for somebody who waits. Bytes are sums over pools.
type found struct {
	sync.Mutex
	peak, bound int64
	better      int
}

// note takes a better placement.
func (f *found) note(peak, bound int64) {
	f.Lock()
	defer f.Unlock()
	f.peak, f.bound, f.better = peak, bound, f.better+1
}

// text says what the best is, "" before anything was found.
func (f *found) text() string {
	f.Lock()
	defer f.Unlock()
	if f.better == 0 {
		return ""
	}
	return fmt.Sprintf(": best %s, bound %s, %d placements", units.FormatBytes(f.peak), units.FormatBytes(f.bound), f.better)
}
