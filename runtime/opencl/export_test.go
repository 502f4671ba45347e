package opencl

import (
	"maps"
	"slices"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// FlushEvery is the number of launches after which the driver is told to begin.
const FlushEvery = flushEvery

// MaxLaunches is the number of launches that a step may have.
const MaxLaunches = maxLaunches

// Encode is an argument of an element type as the bytes of a kernel's argument.
func Encode(dtype graph.DType, value float64) ([]byte, error) { return scalar{dtype, value}.encode() }

// Operators lists the operators that have kernels.
func Operators() []string { return slices.Sorted(maps.Keys(builders)) }

// UnaryOperators lists the functions of one number.
func UnaryOperators() []string { return slices.Sorted(maps.Keys(unaryBuilders)) }

// JoinedBuffers is the number of buffers that a joined launch can use.
const JoinedBuffers = joinedBuffers

// WorthJoining is how many launches a graph must save for them to be joined.
const WorthJoining = worthJoining

// LeastKept is the size of the first piece of what is kept.
const LeastKept = leastKept

// Keep takes bytes that live as long as the device.
func Keep(d *Device, bytes int64) error {
	_, _, err := d.keep(bytes)
	return err
}

// Stage takes bytes for a step.
func Stage(d *Device, bytes int64) error {
	_, _, err := d.stage(bytes)
	return err
}

// Launches is the number of kernels that a prepared step runs.
func Launches(d *Device, h device.Handle) int { return len(d.steps[h]) }

// Staged reports whether steps have operands in staging.
func Staged(d *Device) bool { return d.work.piece != 0 }

// TicketWork is that of a new session.
const TicketWork = ticketWork

// JoinAlone returns a handle that runs a step by joined launches of tickets of so much work, also where one launch is all of it; false
// if it has none that can be joined.
func JoinAlone(d *Device, h device.Handle, work float64) (device.Handle, bool, error) {
	defer func(before float64) { d.ticketWork = before }(d.ticketWork)
	d.ticketWork = work
	launches, err := d.joinLaunches(d.steps[h], 1)
	d.steps = append(d.steps, launches)
	joined := slices.ContainsFunc(launches, func(l launch) bool { return l.joined > 0 })
	return device.Handle(len(d.steps) - 1), joined, err
}

// Patience is that of a new session.
const Patience = patience

// SetPatience sets how often groups of launches that are joined from now on look at a counter, and returns what it was.
func SetPatience(s *Session, patience int) int {
	before := s.patience
	s.patience = patience
	return before
}

// TicketsOf is how many tickets work is divided into.
func TicketsOf(work float64, lanes int) int { return ticketsOf(work, ticketWork, lanes) }
