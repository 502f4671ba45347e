package session

import (
	"context"
	"slices"
	"time"

	"go.lsp.dev/protocol"
)

// module is a configuration of which something is open. The session's lock guards it.
type module struct {
	target target
	view   *view
	known  *known
	// planned is the last outcome of planning, plan the last with a plan. Both may be of an earlier view.
	planned, plan *Planned
	// good is the last configuration whose text had no syntax errors, nil when there was none.
	good *Loaded
	// settled says that the outcome of planning the view is known, or that it cannot be planned.
	settled bool
	// found is what was last shown, by document.
	found  map[protocol.DocumentURI][]Finding
	cancel context.CancelFunc
}

func (m *module) concerned(changes []changed) bool {
	return slices.ContainsFunc(changes, m.view.concerns)
}

// stop ends the planning of the current view.
func (m *module) stop() {
	if m.cancel != nil {
		m.cancel()
		m.cancel = nil
	}
	m.settled = false
}

// check loads a view, shows what is wrong with it and has it planned. Views that are out of date by then are left alone.
func (s *Session) check(m *module, v *view) {
	s.loading <- struct{}{}
	defer func() { <-s.loading }()
	if !s.isCurrent(m, v) {
		return
	}
	loaded, err := v.load(s.ctx)
	if loaded == nil {
		return
	}
	if err != nil {
		s.options.Log.Error("loading", "fault", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if m.view != v || s.modules[m.target] != m {
		return
	}
	if err == nil && loaded.Parses() {
		m.good = loaded
	}
	plannable := err == nil && loaded.plannable()
	if !plannable {
		m.planned, m.settled = nil, true
	}
	s.show(m, loaded, v)
	if plannable {
		ctx, cancel := context.WithCancel(s.ctx)
		m.cancel = cancel
		go s.plan(ctx, m, v, loaded)
	}
}

func (s *Session) isCurrent(m *module, v *view) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return m.view == v && s.modules[m.target] == m
}

// plan plans a view once its text has rested. Another change ends it.
func (s *Session) plan(ctx context.Context, m *module, v *view, loaded *Loaded) {
	select {
	case <-time.After(s.options.Debounce):
	case <-ctx.Done():
		return
	}
	select {
	case s.planning <- struct{}{}:
	case <-ctx.Done():
		return
	}
	defer func() { <-s.planning }()
	if ctx.Err() != nil {
		return
	}
	done := s.options.Planning(m.target.name)
	planned, err := makePlan(ctx, loaded, s.options.Version)
	done()
	if err != nil {
		s.options.Log.Error("planning", "fault", err)
	}
	if s.finish(ctx, m, v, planned) {
		s.options.Replanned()
	}
}

// finish takes the outcome of planning, unless the view is out of date.
func (s *Session) finish(ctx context.Context, m *module, v *view, planned *Planned) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if ctx.Err() != nil || m.view != v || s.modules[m.target] != m {
		return false
	}
	m.planned, m.settled = planned, true
	if planned != nil && planned.Plan != nil {
		m.plan = planned
	}
	s.show(m, v.loaded, v)
	return true
}
