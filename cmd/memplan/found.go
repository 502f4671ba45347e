package main

import (
	"fmt"
	"sync"

	"github.com/memplan/memplan/cmd/memplan/internal/view"
	"github.com/memplan/memplan/lang/units"
)

// found is how far reading and the search for a placement have come, for somebody who waits. Bytes are sums over pools.
type found struct {
	sync.Mutex
	peak, bound int64
	better      int
	// nodes are those of the search that is under way, before those of the searches that ended.
	nodes, before int64
	// source is the graph file that is being read, "" once all are; number is from 0.
	source     string
	number, of int
}

// read takes a graph file that is about to be read.
func (f *found) read(path string, number, of int) {
	f.Lock()
	defer f.Unlock()
	f.source, f.number, f.of = path, number, of
}

// note takes a better placement.
func (f *found) note(peak, bound int64) {
	f.Lock()
	defer f.Unlock()
	f.peak, f.bound, f.better, f.source = peak, bound, f.better+1, ""
}

// spent takes how many nodes a search has spent. One that has spent fewer than the last is another.
func (f *found) spent(nodes int64) {
	f.Lock()
	defer f.Unlock()
	if nodes < f.nodes {
		f.before += f.nodes
	}
	f.nodes, f.source = nodes, ""
}

// text says what is being read, and then what the best placement is, how near it comes to the bound and at what effort; "" between.
func (f *found) text() string {
	f.Lock()
	defer f.Unlock()
	switch {
	case f.source != "":
		text := ": reading " + f.source
		if f.of > 1 {
			text += fmt.Sprintf(", %d of %d  %s", f.number+1, f.of, view.Bar(int64(f.number), int64(f.of)))
		}
		return text
	case f.better == 0:
		return ""
	}
	return fmt.Sprintf(": best %s, bound %s  %s  %d nodes", units.FormatBytes(f.peak), units.FormatBytes(f.bound), view.Bar(f.bound, f.peak), f.before+f.nodes)
}
