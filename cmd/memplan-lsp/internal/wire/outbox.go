package wire

import (
	"io"
	"sync"
)

// outbox writes messages in the order of sending. Sending never waits for the client, so that a client that writes much
// before it reads cannot block the server.
type outbox struct {
	w     io.Writer
	mu    sync.Mutex
	queue [][]byte
	// wake has room for one token: there is something to write or the box is closed.
	wake   chan struct{}
	closed bool
	done   chan struct{}
	err    error
}

func newOutbox(w io.Writer) *outbox {
	b := &outbox{w: w, wake: make(chan struct{}, 1), done: make(chan struct{})}
	go b.run()
	return b
}

func (b *outbox) send(v any) error {
	body, err := encode(v)
	if err != nil {
		return err
	}
	b.mu.Lock()
	if !b.closed {
		b.queue = append(b.queue, body)
	}
	b.mu.Unlock()
	b.signal()
	return nil
}

func (b *outbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *outbox) run() {
	defer close(b.done)
	for range b.wake {
		for {
			b.mu.Lock()
			queue, closed := b.queue, b.closed
			b.queue = nil
			b.mu.Unlock()
			if len(queue) == 0 {
				if closed {
					return
				}
				break
			}
			b.write(queue)
		}
	}
}

// write writes until the first failure; what follows has no reader.
func (b *outbox) write(queue [][]byte) {
	for _, body := range queue {
		if b.err == nil {
			b.err = writeFrame(b.w, body)
		}
	}
}

// close writes what is queued and returns the first failure of writing.
func (b *outbox) close() error {
	b.mu.Lock()
	b.closed = true
	b.mu.Unlock()
	b.signal()
	<-b.done
	return b.err
}
