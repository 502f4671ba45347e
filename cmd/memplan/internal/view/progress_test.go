package view

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// signalling is a writer that tells when something was written.
type signalling struct {
	mu      sync.Mutex
	text    strings.Builder
	written chan struct{}
}

func (s *signalling) Write(data []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.text.Write(data)
	select {
	case s.written <- struct{}{}:
	default:
	}
	return len(data), nil
}

func TestProgressIsShownAndWipedOff(t *testing.T) {
	w := &signalling{written: make(chan struct{}, 1)}
	stop := progress(w, func() string { return "Planning net.hcl" }, 80, time.Millisecond)
	<-w.written
	stop()
	require.True(t, strings.HasPrefix(w.text.String(), "\rPlanning net.hcl ... 0 s"), w.text.String())
	require.True(t, strings.HasSuffix(w.text.String(), "\r"+strings.Repeat(" ", len("Planning net.hcl ... 0 s"))+"\r"))
}

func TestProgressIsSilentWhereThereIsNoTerminal(t *testing.T) {
	var text strings.Builder
	term := &Terminal{Err: &text}
	term.Progress("Planning")()
	require.Empty(t, text.String())
}
