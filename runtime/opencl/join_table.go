package opencl

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// table is launches as a joined launch takes them: an entry for each, as kernels/joined_items.cl has it, and the buffers that
// their arguments are in.
type table struct {
	launches int
	entries  []byte
	memories []cl.Mem
	// held is the local memory of a work-group in bytes.
	held int64
}

// tableOf is the table of the first launches of a list, as many as can be parts of one joined launch.
func (d *Device) tableOf(all []launch) (*table, error) {
	t := &table{}
	for i := range all {
		task, ok := all[i].task()
		if !ok || !t.hasRoom(&all[i]) {
			break
		}
		if err := t.add(&all[i], task, ticketsOf(all[i].work(), d.ticketWork, d.lanes())); err != nil {
			return nil, fmt.Errorf("kernel %s: %w", all[i].name, err)
		}
	}
	return t, nil
}

// hasRoom reports whether a launch can be added: its buffers are no more than there can be, and its items can be counted.
func (t *table) hasRoom(l *launch) bool {
	if t.launches == stretchLaunches {
		return false
	}
	memories := len(t.memories)
	seen := t.memories[:memories:memories]
	for _, arg := range l.args {
		if f, ok := arg.(*flat); ok && !slices.Contains(seen, f.mem) {
			seen = append(seen, f.mem)
		}
	}
	items := int64(1)
	for _, n := range l.items {
		if items *= int64(n); items > maxElements {
			return false
		}
	}
	return len(seen) <= joinedBuffers
}

// ticketWork is the least work of a ticket that a session begins with: a few microseconds, of which taking it is a small part.
const ticketWork = 15e3

// ticketsPerLane is how many tickets a lane has at most: another processor takes over what a slow one leaves.
const ticketsPerLane = 8

// add adds the entry of a launch, whose items are divided into so many tickets at most.
func (t *table) add(l *launch, task numberedTask, tickets int) error {
	extents := l.items
	if task.grouped {
		for axis := range extents {
			extents[axis] = l.global[axis] / l.local[axis]
		}
	}
	items := extents[0] * extents[1] * extents[2]
	each := ceilDiv(items, min(tickets, items))
	arguments, kinds, err := t.arguments(l.args)
	if err != nil {
		return err
	}
	if kinds != task.takes {
		return fmt.Errorf("arguments %q, and %q are those of joined launches", kinds, task.takes)
	}
	header := []int{headerWords + len(arguments)/4, task.number, extents[0], extents[1], extents[2], ceilDiv(items, each), each}
	for _, n := range header {
		t.entries = binary.NativeEndian.AppendUint32(t.entries, uint32(n))
	}
	t.entries = append(t.entries, arguments...)
	t.launches++
	return nil
}

// ticketsOf is how many tickets work is divided into, each of at least some work: as many for each lane where there is enough for
// all of them.
func ticketsOf(work, least float64, lanes int) int {
	n := int(min(math.Ceil(work/least), float64(ticketsPerLane*lanes)))
	if n > lanes {
		n = ceilDiv(n, lanes) * lanes
	}
	return max(n, 1)
}

// headerWords is the words of an entry before its arguments.
const headerWords = 7

// arguments encodes the arguments of a launch and returns their letters, those of task.takes.
func (t *table) arguments(args []any) (data []byte, kinds string, err error) {
	for _, arg := range args {
		switch v := arg.(type) {
		case *flat:
			kinds += "m"
			data = binary.NativeEndian.AppendUint32(data, uint32(t.memory(v.mem)))
			data = append(data, number(uint64(v.at))...)
			continue
		case local:
			kinds += "l"
			t.held = max(t.held, int64(v))
			continue
		case int:
			kinds += "i"
		case float32:
			kinds += "f"
		case [4]float32:
			kinds += "4"
		case [8]int32:
			kinds += "8"
		case scalar:
			if v.dtype != graph.Float32 {
				return nil, "", fmt.Errorf("a number of type %v is no argument of joined launches", v.dtype)
			}
			kinds += "f"
		default:
			return nil, "", fmt.Errorf("a value of type %T is no argument of joined launches", arg)
		}
		value, err := encode(arg)
		if err != nil {
			return nil, "", err
		}
		data = append(data, value...)
	}
	return data, kinds, nil
}

// memory is the number of a buffer.
func (t *table) memory(m cl.Mem) int {
	at := slices.Index(t.memories, m)
	if at < 0 {
		at = len(t.memories)
		t.memories = append(t.memories, m)
	}
	return at
}

// keepTable returns the table and its counters in memory that lasts.
func (d *Device) keepTable(t *table) (kept [2]*flat, err error) {
	counters := int64(2+t.launches*(d.lanes()+1)) * counterBytes
	for i, bytes := range []int64{int64(len(t.entries)), counters} {
		mem, at, err := d.keep(bytes)
		if err != nil {
			return kept, err
		}
		kept[i] = &flat{mem, at / 4, graph.Int32, graph.Shape{bytes / 4}}
	}
	if err := d.write(kept[0], t.entries); err != nil {
		return kept, err
	}
	return kept, d.api.FillBuffer(d.queue, kept[1].mem, 0, kept[1].at*4, counters)
}
