package server

import (
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/session"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/wire"
)

// Options says how a server works.
type Options struct {
	// Version is the server's, told to clients and recorded in plans.
	Version string
	// Environment gives values of variables, as "NAME=value".
	Environment []string
	// Deadline is the longest that a request may take, Debounce how long the text must rest before it is planned, Grace how
	// long requests that are being worked on have when the client leaves.
	Deadline, Debounce, Grace time.Duration
	Log                       *slog.Logger
}

// The usual deadline, debounce and grace.
const (
	DefaultDeadline = 10 * time.Second
	DefaultDebounce = 40 * time.Millisecond
	DefaultGrace    = time.Second
)

// Server is the state of one client.
type Server struct {
	ctx     context.Context
	options Options
	conn    *wire.Conn
	methods map[string]method
	// session is set by initialize.
	session *session.Session
	client  client

	initialized, shutDown, exited bool

	// offered is the last completion whose documentation is told item by item.
	offered offered

	// progress numbers the work that is reported.
	progress struct {
		sync.Mutex
		last int
	}
}

// Run serves one client until it exits or its input ends. The result is the exit status: 0 after a shutdown, 1 without
// one, as the protocol asks for. The error is a failure of the stream.
func Run(ctx context.Context, r io.Reader, w io.Writer, options Options) (int, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	s := &Server{ctx: ctx, options: options, conn: wire.NewConn(r, w, wire.Options{Deadline: options.Deadline, Grace: options.Grace, Log: options.Log})}
	s.methods = s.table()
	err := s.conn.Serve(ctx, s)
	if s.shutDown {
		return 0, err
	}
	return 1, err
}

// Notify implements wire.Handler.
func (s *Server) Notify(name string, params json.RawMessage) (done bool) {
	if name == "exit" {
		s.exited = true
		return true
	}
	if s.session == nil || s.shutDown {
		return false
	}
	handle := s.notifications()[name]
	if handle == nil {
		return false
	}
	if err := handle(params); err != nil {
		s.options.Log.Warn("a notification cannot be handled", "method", name, "error", err)
	}
	return false
}
