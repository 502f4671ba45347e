package session

import (
	"context"

	"go.lsp.dev/protocol"
)

// Settled waits until the outcome of planning a document's configuration is known, or for the end of ctx, and returns the
// state of then.
func (s *Session) Settled(ctx context.Context, uri protocol.DocumentURI) (*Snapshot, error) {
	for {
		s.mu.Lock()
		shown := s.shown
		s.mu.Unlock()
		snapshot, err := s.Snapshot(uri)
		if err != nil || !snapshot.pending {
			return snapshot, err
		}
		select {
		case <-shown:
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// announce wakes those who wait for a change of what is known. The session's lock is held.
func (s *Session) announce() {
	close(s.shown)
	s.shown = make(chan struct{})
}
