package server

import (
	"context"
	"fmt"
	"time"
)

// patience is how long planning may take before it is reported.
const patience = 500 * time.Millisecond

type progressParams struct {
	Token string `json:"token"`
	Value any    `json:"value,omitempty"`
}

// planning reports planning that takes long. What it returns is called at the end.
func (s *Server) planning(name string) (done func()) {
	if !s.client.reportsProgress {
		return func() {}
	}
	ctx, cancel := context.WithCancel(s.ctx)
	go s.report(ctx, name)
	return cancel
}

func (s *Server) report(ctx context.Context, name string) {
	select {
	case <-time.After(patience):
	case <-ctx.Done():
		return
	}
	s.progress.Lock()
	s.progress.last++
	token := fmt.Sprintf("memplan-%d", s.progress.last)
	s.progress.Unlock()
	asking, stop := context.WithTimeout(s.ctx, askFor)
	defer stop()
	if _, err := s.conn.Call(asking, "window/workDoneProgress/create", progressParams{Token: token}); err != nil {
		return
	}
	s.conn.Notify("$/progress", progressParams{Token: token, Value: map[string]string{"kind": "begin", "title": "Planning " + name}})
	<-ctx.Done()
	s.conn.Notify("$/progress", progressParams{Token: token, Value: map[string]string{"kind": "end"}})
}
