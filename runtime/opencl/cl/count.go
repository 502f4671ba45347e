package cl

import (
	"fmt"
	"strings"
)

// Counts are what has been created through an API and not released, and what memory was ever created.
type Counts struct {
	// Live objects by kind.
	Contexts, Queues, Memories, Programs, Kernels, Events int
	// Created is the number of buffers and images ever created, and CreatedBytes the sum of their sizes, those of images
	// without the padding that a driver may add.
	Created, CreatedBytes int64
}

// Left says what is live, "" for nothing, as in "2 kernels, 1 buffer or image".
func (c Counts) Left() string {
	var parts []string
	for _, kind := range []struct {
		n         int
		one, many string
	}{
		{c.Contexts, "context", "contexts"}, {c.Queues, "queue", "queues"}, {c.Memories, "buffer or image", "buffers and images"},
		{c.Programs, "program", "programs"}, {c.Kernels, "kernel", "kernels"}, {c.Events, "event", "events"},
	} {
		switch {
		case kind.n == 1:
			parts = append(parts, "1 "+kind.one)
		case kind.n != 0:
			parts = append(parts, fmt.Sprintf("%d %s", kind.n, kind.many))
		}
	}
	return strings.Join(parts, ", ")
}

// Counter is an API that counts what is created through it.
type Counter struct {
	API
	counts   Counts
	launches int64
}

// Count returns an API that counts and leaves everything else to the given one.
func Count(api API) *Counter { return &Counter{API: api} }

// Counts returns the present counts.
func (c *Counter) Counts() Counts { return c.counts }

// Launches is the number of kernels ever enqueued.
func (c *Counter) Launches() int64 { return c.launches }

func counted[T any](n *int, object T, err error) (T, error) {
	if err == nil {
		*n++
	}
	return object, err
}

func discounted(n *int, err error) error {
	if err == nil {
		*n--
	}
	return err
}

// CreateContext implements API.
func (c *Counter) CreateContext(d Device) (Context, error) {
	object, err := c.API.CreateContext(d)
	return counted(&c.counts.Contexts, object, err)
}

// ReleaseContext implements API.
func (c *Counter) ReleaseContext(x Context) error {
	return discounted(&c.counts.Contexts, c.API.ReleaseContext(x))
}

// CreateQueue implements API.
func (c *Counter) CreateQueue(x Context, d Device, timed bool) (Queue, error) {
	object, err := c.API.CreateQueue(x, d, timed)
	return counted(&c.counts.Queues, object, err)
}

// ReleaseQueue implements API.
func (c *Counter) ReleaseQueue(q Queue) error {
	return discounted(&c.counts.Queues, c.API.ReleaseQueue(q))
}

// CreateBuffer implements API.
func (c *Counter) CreateBuffer(x Context, bytes int64) (Mem, error) {
	object, err := c.API.CreateBuffer(x, bytes)
	c.created(bytes, err)
	return object, err
}

// CreateImage implements API.
func (c *Counter) CreateImage(x Context, f Format, width, height int64) (Mem, error) {
	object, err := c.API.CreateImage(x, f, width, height)
	c.created(width*height*f.texelBytes(), err)
	return object, err
}

func (c *Counter) created(bytes int64, err error) {
	if err == nil {
		c.counts.Memories++
		c.counts.Created++
		c.counts.CreatedBytes += bytes
	}
}

// ReleaseMem implements API.
func (c *Counter) ReleaseMem(m Mem) error {
	return discounted(&c.counts.Memories, c.API.ReleaseMem(m))
}

// CreateProgram implements API.
func (c *Counter) CreateProgram(x Context, source string) (Program, error) {
	object, err := c.API.CreateProgram(x, source)
	return counted(&c.counts.Programs, object, err)
}

// ReleaseProgram implements API.
func (c *Counter) ReleaseProgram(p Program) error {
	return discounted(&c.counts.Programs, c.API.ReleaseProgram(p))
}

// CreateKernel implements API.
func (c *Counter) CreateKernel(p Program, name string) (Kernel, error) {
	object, err := c.API.CreateKernel(p, name)
	return counted(&c.counts.Kernels, object, err)
}

// ReleaseKernel implements API.
func (c *Counter) ReleaseKernel(k Kernel) error {
	return discounted(&c.counts.Kernels, c.API.ReleaseKernel(k))
}

// EnqueueKernel implements API.
func (c *Counter) EnqueueKernel(q Queue, k Kernel, global, local Size, timed bool) (Event, error) {
	event, err := c.API.EnqueueKernel(q, k, global, local, timed)
	if err == nil {
		c.launches++
	}
	if timed {
		return counted(&c.counts.Events, event, err)
	}
	return event, err
}

// ReleaseEvent implements API.
func (c *Counter) ReleaseEvent(e Event) error {
	return discounted(&c.counts.Events, c.API.ReleaseEvent(e))
}
