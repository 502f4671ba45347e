package session

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
)

// Options says how a session works.
type Options struct {
	Encoding text.Encoding
	// Environment gives values of variables, as "NAME=value".
	Environment []string
	// Version is recorded in plans.
	Version string
	// Debounce is how long the text must rest before it is planned.
	Debounce time.Duration
	// Publish takes what is wrong with one document. Replanned is called when a plan is there or gone. Planning is called
	// when planning begins; what it returns is called when it ends. None of them may wait or use the session.
	Publish   func(Publication)
	Replanned func()
	Planning  func(name string) (done func())
	Log       *slog.Logger
}

// Session is the state of one editor. Its methods may be called from several goroutines; those that change it are to be
// called in the order of the changes.
type Session struct {
	ctx     context.Context
	options Options
	// loading and planning bound what runs behind the requests.
	loading, planning chan struct{}

	mu sync.Mutex
	// shown is closed and replaced when what is known of a configuration changes.
	shown     chan struct{}
	open      documents
	modules   map[target]*module
	published map[protocol.DocumentURI]published
}

// New returns a session without documents. What it does behind the requests ends with ctx.
func New(ctx context.Context, options Options) *Session {
	return &Session{
		ctx: ctx, options: options, loading: make(chan struct{}, 1), planning: make(chan struct{}, 1),
		shown: make(chan struct{}), open: documents{}, modules: map[target]*module{}, published: map[protocol.DocumentURI]published{},
	}
}

// changed is a document or file that has changed; path is "" for what is no file.
type changed struct {
	uri  protocol.DocumentURI
	path string
}

// Open takes the text of a document that the editor has opened. Opening one again replaces its text.
func (s *Session) Open(uri protocol.DocumentURI, version int32, content string) {
	s.replace(NewDocument(uri, &version, []byte(content), s.options.Encoding))
}

// ErrNotOpen says that a document is not open.
var ErrNotOpen = errors.New("the document is not open")

// Change applies changes to an open document, each to the result of those before it.
func (s *Session) Change(uri protocol.DocumentURI, version int32, changes []text.Change) error {
	s.mu.Lock()
	doc := s.open[uri]
	s.mu.Unlock()
	if doc == nil {
		return ErrNotOpen
	}
	mapper := doc.Mapper
	for _, change := range changes {
		mapper = mapper.Apply(change)
	}
	next := newDocument(uri, &version, mapper)
	next.before = doc.lastOutline()
	s.replace(next)
	return nil
}

func (s *Session) replace(doc *Document) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.open = maps.Clone(s.open)
	s.open[doc.URI] = doc
	s.update(changed{uri: doc.URI, path: doc.Path})
}

// Close forgets a document; what the disk has counts again.
func (s *Session) Close(uri protocol.DocumentURI) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	doc := s.open[uri]
	if doc == nil {
		return ErrNotOpen
	}
	s.open = maps.Clone(s.open)
	delete(s.open, uri)
	s.update(changed{uri: uri, path: doc.Path})
	return nil
}

// FilesChanged says that files on disk have changed, are new or gone.
func (s *Session) FilesChanged(uris []protocol.DocumentURI) {
	s.mu.Lock()
	defer s.mu.Unlock()
	var changes []changed
	for _, uri := range uris {
		if name, ok := FilePath(uri); ok {
			changes = append(changes, changed{uri: uri, path: name})
		}
	}
	s.update(changes...)
}

// update makes new views of the configurations that changes concern, and forgets those of which nothing is open.
func (s *Session) update(changes ...changed) {
	wanted := map[target]bool{}
	for _, doc := range s.open {
		wanted[targetOf(doc)] = true
	}
	for t, m := range s.modules {
		if !wanted[t] {
			delete(s.modules, t)
			m.stop()
			s.show(m, nil, nil)
		}
	}
	for t := range wanted {
		m := s.modules[t]
		if m == nil {
			m = &module{target: t, known: &known{}}
			s.modules[t] = m
		} else if !m.concerned(changes) {
			continue
		}
		m.stop()
		m.view = newView(t, s.open, m.known, &s.options)
		go s.check(m, m.view)
	}
}
