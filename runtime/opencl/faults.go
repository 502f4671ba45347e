package opencl

import (
	"encoding/binary"
	"errors"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/device"
)

// faults are flags that kernels raise when the content of an operand has no meaning for them, such as an index out of
// range: a kernel cannot fail by itself.
type faults struct {
	flags []*flat
	steps []faulty
	words []byte
}

// faulty is a step that may raise a flag, and what that says.
type faulty struct {
	step   *device.Step
	reason string
}

// faultsPerBuffer is the number of flags in one buffer.
const faultsPerBuffer = 1024

// fault returns the flag of a step, an int that the kernel sets to something else than 0 for the reason given; the run
// fails then. The kernel must not write out of bounds meanwhile.
func (b *site) fault(reason string) (*flat, error) {
	f := &b.d.faults
	at := len(f.steps) % faultsPerBuffer
	if at == 0 {
		mem, err := b.d.workspaceBytes(4 * faultsPerBuffer)
		if err != nil {
			return nil, err
		}
		if err := b.d.api.FillBuffer(b.d.queue, mem, 0, 0, 4*faultsPerBuffer); err != nil {
			return nil, err
		}
		f.flags = append(f.flags, &flat{mem: mem, dtype: graph.Int32, shape: graph.Shape{faultsPerBuffer}})
		f.words = make([]byte, 4*faultsPerBuffer)
	}
	f.steps = append(f.steps, faulty{b.step, reason})
	last := *f.flags[len(f.flags)-1]
	last.at, last.shape = int64(at), graph.Shape{1}
	return &last, nil
}

// report returns the failure of the first step whose flag is raised, and lowers all flags.
func (f *faults) report(d *Device) error {
	var first error
	for i, flags := range f.flags {
		if err := d.api.ReadBuffer(d.queue, flags.mem, 0, f.words); err != nil {
			return err
		}
		raised := false
		for at := range min(faultsPerBuffer, len(f.steps)-i*faultsPerBuffer) {
			if binary.NativeEndian.Uint32(f.words[4*at:]) == 0 {
				continue
			}
			raised = true
			if first == nil {
				s := f.steps[i*faultsPerBuffer+at]
				first = &device.StepError{Step: s.step, Err: errors.New(s.reason)}
			}
		}
		if raised {
			if err := d.api.FillBuffer(d.queue, flags.mem, 0, 0, 4*faultsPerBuffer); err != nil {
				return err
			}
		}
	}
	return first
}
