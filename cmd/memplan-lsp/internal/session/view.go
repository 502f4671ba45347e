package session

import (
	"context"
	"sync"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/syntax"
)

// known is what the views of one configuration have in common: what was read of files, of the configuration and of graphs.
type known struct {
	trees   syntax.Cache
	configs config.Cache
	graphs  graphs
}

// view is a configuration in one state of the open documents. It is loaded when first needed, at most once.
type view struct {
	target      target
	open        documents
	environment []string
	encoding    text.Encoding
	known       *known

	once   sync.Once
	done   chan struct{}
	loaded *Loaded
	err    error
}

func newView(t target, open documents, known *known, options *Options) *view {
	return &view{target: t, open: open, known: known, environment: options.Environment, encoding: options.Encoding, done: make(chan struct{})}
}

// load waits for the configuration or for the end of ctx, whichever comes first. The error that is not from ctx is for a
// fault of memplan's own; the configuration is usable even then.
func (v *view) load(ctx context.Context) (*Loaded, error) {
	v.once.Do(func() {
		go func() {
			defer close(v.done)
			v.loaded, v.err = load(v)
		}()
	})
	select {
	case <-v.done:
		return v.loaded, v.err
	default:
	}
	select {
	case <-v.done:
		return v.loaded, v.err
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// concerns reports whether a change of a document or file may change the configuration. While it is being loaded that
// cannot be told.
func (v *view) concerns(c changed) bool {
	if v.target.root == "" {
		return v.target.uri == c.uri
	}
	select {
	case <-v.done:
		return c.path != "" && v.loaded.reader.concerns(c.path)
	default:
		return true
	}
}

// declaresVariables reports whether the configuration has variables. While it is being loaded it counts as having some.
func (v *view) declaresVariables() bool {
	select {
	case <-v.done:
		return v.loaded != nil && len(v.loaded.Config.Declarations) > 0
	default:
		return true
	}
}
