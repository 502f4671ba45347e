package exact

import (
	"cmp"
	"slices"
)

// sweep cuts the lifetimes of the buffers ids into sections: each returned set is live together, no set is part of a
// neighbour, and sets are in order of time. O(n log n + total size of the sets).
func sweep(p *Problem, ids []int32) [][]int32 {
	events := lifeEvents(p, ids)
	var sections [][]int32
	var live []int32
	grew := false
	for i := 0; i < len(events); {
		at := events[i].at
		for ; i < len(events) && events[i].at == at && !events[i].start; i++ {
			if grew {
				sections, grew = append(sections, slices.Clone(live)), false
			}
			live = without(live, events[i].buffer)
		}
		for ; i < len(events) && events[i].at == at; i++ {
			live, grew = append(live, events[i].buffer), true
		}
	}
	return sections
}

// event is a buffer's span starting or ending.
type event struct {
	at     int64
	start  bool
	buffer int32
}

// lifeEvents lists starts and ends by time, ends first: a span that ends where another starts does not meet it.
func lifeEvents(p *Problem, ids []int32) []event {
	var events []event
	for k, id := range ids {
		for _, span := range merged(p.Buffers[id].Live) {
			events = append(events, event{span.First, true, int32(k)}, event{span.Last, false, int32(k)})
		}
	}
	slices.SortFunc(events, func(a, b event) int {
		if c := cmp.Compare(a.at, b.at); c != 0 {
			return c
		}
		if a.start != b.start {
			if b.start {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.buffer, b.buffer)
	})
	return events
}

// merged joins spans that touch and drops empty ones.
func merged(spans []Span) []Span {
	var out []Span
	for _, s := range spans {
		if s.First >= s.Last {
			continue
		}
		if n := len(out); n > 0 && out[n-1].Last >= s.First {
			out[n-1].Last = max(out[n-1].Last, s.Last)
		} else {
			out = append(out, s)
		}
	}
	return out
}

func without(live []int32, buffer int32) []int32 {
	for i, b := range live {
		if b == buffer {
			return append(live[:i], live[i+1:]...)
		}
	}
	return live
}
