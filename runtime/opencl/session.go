package opencl

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

// Options adjust a session; the zero value is right for most uses.
type Options struct {
	// API is the binding, nil for the system's library.
	API cl.API
	// Timed measures every step.
	Timed bool
	// JoinFrom is how many launches a graph must save for its launches to be joined, 0 for what the compilation is worth to a user.
	JoinFrom int
}

// Session is an OpenCL device with a context, one queue that works in order, and the programs compiled so far. Several
// devices may run on it, one after the other.
type Session struct {
	api      *cl.Counter
	found    Found
	facts    Facts
	ctx      cl.Context
	queue    cl.Queue
	timed    bool
	programs map[source]cl.Program
	// waiting is the number of launches since the last flush.
	waiting int
	// joins says that a joined launch has run, unjoined why the driver compiles or runs none, "" where that is not known. joinFrom is
	// that of the options.
	joins    bool
	unjoined string
	joinFrom int
	// patience is how often a work-group of a joined launch looks at a counter before it ends, ticketWork the least work of a ticket.
	patience   int
	ticketWork float64
}

// Connect opens an OpenCL device. Diagnostics say what the machine lacks, and the session is nil then.
func Connect(o Options) (*Session, diag.Diagnostics, error) {
	api := o.API
	if api == nil {
		var diags diag.Diagnostics
		var err error
		if api, diags, err = load(); err != nil || len(diags) > 0 {
			return nil, diags, err
		}
	}
	all, diags, err := Find(api)
	if err != nil || len(diags) > 0 {
		return nil, diags, openFailure(err)
	}
	found, diags := choose(all)
	if len(diags) > 0 {
		return nil, diags, nil
	}
	s := &Session{api: cl.Count(api), found: found, timed: o.Timed, programs: map[source]cl.Program{}, joinFrom: cmp.Or(o.JoinFrom, worthJoining), patience: patience, ticketWork: ticketWork}
	if err := s.connect(); err != nil {
		return nil, nil, errors.Join(openFailure(err), s.Close())
	}
	return s, nil, nil
}

func openFailure(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("open OpenCL device: %w", err)
}

func (s *Session) connect() (err error) {
	if s.ctx, err = s.api.CreateContext(s.found.Device); err != nil {
		return err
	}
	if s.facts, err = readFacts(s.api, s.found, s.ctx); err != nil {
		return err
	}
	s.queue, err = s.api.CreateQueue(s.ctx, s.found.Device, s.timed)
	return err
}

// Name is the name of the device and of its platform.
func (s *Session) Name() string { return s.found.Name + " (" + s.found.PlatformName + ")" }

// Facts are what the device says of itself.
func (s *Session) Facts() Facts { return s.facts }

// Launches is the number of kernels that were ever started in the session.
func (s *Session) Launches() int64 { return s.api.Launches() }

// Counts are what the session and its devices have created.
func (s *Session) Counts() cl.Counts { return s.api.Counts() }

// Close frees everything that can be freed and says what is left. The devices are to be closed before.
func (s *Session) Close() error {
	var failed []error
	for _, key := range slices.SortedFunc(maps.Keys(s.programs), source.compare) {
		failed = append(failed, s.api.ReleaseProgram(s.programs[key]))
	}
	if s.queue != 0 {
		failed = append(failed, s.api.ReleaseQueue(s.queue))
	}
	if s.ctx != 0 {
		failed = append(failed, s.api.ReleaseContext(s.ctx))
	}
	s.programs, s.queue, s.ctx = map[source]cl.Program{}, 0, 0
	err := errors.Join(failed...)
	if left := s.api.Counts().Left(); left != "" {
		return fmt.Errorf("close OpenCL device: %s left: %w", left, orNothing(err))
	}
	return err
}

// errNotFreed is why objects are left where no call failed.
var errNotFreed = errors.New("never freed")

func orNothing(err error) error {
	if err == nil {
		return errNotFreed
	}
	return err
}
