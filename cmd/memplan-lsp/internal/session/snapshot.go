package session

import (
	"context"
	"os"
	"path"
	"slices"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/syntax"
)

// Snapshot is what a request is about: one document, and its configuration, as they were when the request came.
type Snapshot struct {
	Document *Document
	view     *view
	plan     *Planned
	good     *Loaded
	// pending says that another plan is being made.
	pending bool
}

// Snapshot returns the state of a document. One that is not open is read from the disk.
func (s *Session) Snapshot(uri protocol.DocumentURI) (*Snapshot, error) {
	s.mu.Lock()
	open := s.open
	doc := open[uri]
	s.mu.Unlock()
	if doc == nil {
		name, ok := FilePath(uri)
		if !ok || !isRegular(name) {
			return nil, ErrNotOpen
		}
		content, err := (syntax.Disk{}).ReadFile(name)
		if err != nil {
			return nil, ErrNotOpen
		}
		doc = NewDocument(uri, nil, content, s.options.Encoding)
	}
	t := targetOf(doc)
	s.mu.Lock()
	defer s.mu.Unlock()
	t = s.variablesOf(t, doc)
	if m := s.modules[t]; m != nil {
		return &Snapshot{Document: doc, view: m.view, plan: m.plan, good: m.good, pending: !m.settled}, nil
	}
	return &Snapshot{Document: doc, view: newView(t, open, &known{}, &s.options)}, nil
}

// variablesOf says which configuration a variables file gives values to: that of its directory, or, where that has none,
// the first single file of the directory that is open and declares variables. The session's lock is held.
func (s *Session) variablesOf(t target, doc *Document) target {
	if t.name != "." || !isVariables(path.Base(doc.Path)) || hasConfiguration(newReader(t, s.open, nil)) {
		return t
	}
	found := t
	for other, m := range s.modules {
		if other.root == t.root && other.name != "." && m.view.declaresVariables() && (found == t || other.name < found.name) {
			found = other
		}
	}
	return found
}

func isRegular(name string) bool {
	info, err := os.Stat(name)
	return err == nil && info.Mode().IsRegular()
}

// Workspace returns a snapshot of each configuration of which something is open, without a document, in order of their
// directories and names.
func (s *Session) Workspace() []*Snapshot {
	s.mu.Lock()
	defer s.mu.Unlock()
	var all []*Snapshot
	for _, m := range s.modules {
		all = append(all, &Snapshot{view: m.view, plan: m.plan, pending: !m.settled})
	}
	slices.SortFunc(all, func(a, b *Snapshot) int { return a.view.target.compare(b.view.target) })
	return all
}

// Loaded waits for the configuration or for the end of ctx.
func (s *Snapshot) Loaded(ctx context.Context) (*Loaded, error) {
	loaded, err := s.view.load(ctx)
	if loaded != nil {
		// Faults of memplan's own are logged where they are found; what could be made out is of use.
		return loaded, nil
	}
	return nil, err
}

// Config is the configuration that a document being typed is to be understood with: the last one whose text had no syntax
// errors, when that of now has some.
func (s *Snapshot) Config(l *Loaded) *config.Config {
	if s.good != nil && !l.Parses() {
		return s.good.Config
	}
	return l.Config
}

// Planned returns the last plan, nil when there is none, and whether it is that of the snapshot's text.
func (s *Snapshot) Planned() (planned *Planned, current bool) {
	if s.plan == nil {
		return nil, false
	}
	return s.plan, s.isLoaded() && s.plan.Loaded == s.view.loaded
}

func (s *Snapshot) isLoaded() bool {
	select {
	case <-s.view.done:
		return true
	default:
		return false
	}
}

// Format returns the text of the document in canonical form; the second result is false for text with syntax errors.
func (s *Snapshot) Format() ([]byte, bool) {
	formatted, ds := s.view.known.trees.Format(s.Name(), s.Document.Text)
	return formatted, !ds.HasErrors()
}

// Pending reports whether a plan of the text is being made.
func (s *Snapshot) Pending() bool { return s.pending }

// Name is the document's name within the configuration's ranges.
func (s *Snapshot) Name() string {
	if s.Document.Path == "" {
		return s.view.target.name
	}
	return path.Base(s.Document.Path)
}

// Documents lists the configuration's own documents, the snapshot's first, then the others by name.
func (s *Snapshot) Documents(l *Loaded) []*Document {
	var docs []*Document
	if s.Document != nil {
		docs = append(docs, s.Document)
	}
	for _, name := range l.Names() {
		if doc := l.Document(name); doc != nil && (s.Document == nil || doc.URI != s.Document.URI) {
			docs = append(docs, doc)
		}
	}
	return docs
}

// Evaluate gives an expression its value: with those of the last plan, what is not planned is unknown. What an expression
// refers to is evaluated when first needed.
func (s *Snapshot) Evaluate(l *Loaded, expr hclsyntax.Expression) (cty.Value, hcl.Diagnostics) {
	var refs []addr.Reference
	for _, t := range expr.Variables() {
		// What is no reference has no value either, as the evaluation finds.
		if ref, ds := addr.Parse(t); len(ds) == 0 {
			refs = append(refs, ref)
		}
	}
	return expr.Value(s.context(l, refs))
}

// context holds the values of the references. The scope behind it is made once for each plan.
func (s *Snapshot) context(l *Loaded, refs []addr.Reference) *hcl.EvalContext {
	if len(refs) == 0 {
		return &hcl.EvalContext{Functions: l.Functions}
	}
	planned, _ := s.Planned()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.scope == nil || l.scopeOf != planned {
		l.scope, l.scopeOf = l.Config.Scope(planned.Facts()), planned
	}
	return l.scope.Context(refs, nil)
}
