package session

import (
	"fmt"
	"io/fs"
	"path"
	"slices"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

// documents are the open documents by URI.
type documents map[protocol.DocumentURI]*Document

// byPath finds the open document of a file, nil when there is none. Of several under other spellings of its URI it is the first in
// order of text.
func (d documents) byPath(name string) *Document {
	if doc := d[FileURI(name)]; doc != nil {
		return doc
	}
	var found *Document
	for _, doc := range d {
		if doc.Path == name && (found == nil || doc.URI < found.URI) {
			found = doc
		}
	}
	return found
}

// reader reads the files of one configuration, unsaved text first, and notes what was asked for, so that it is known what
// a change concerns.
type reader struct {
	target target
	open   documents
	// trees holds what was parsed for earlier views of the configuration.
	trees *syntax.Cache

	mu    sync.Mutex
	files map[string]bool
	dirs  map[string]bool
}

func newReader(t target, open documents, trees *syntax.Cache) *reader {
	return &reader{target: t, open: open, trees: trees, files: map[string]bool{}, dirs: map[string]bool{}}
}

// absolute is the path of a name that is relative to the configuration.
func (r *reader) absolute(name string) string {
	if path.IsAbs(name) {
		return path.Clean(name)
	}
	return path.Join(r.target.root, name)
}

// document returns the open document of a name, nil when there is none.
func (r *reader) document(name string) *Document {
	if r.target.root == "" {
		if path.Clean(name) == r.target.name {
			return r.open[r.target.uri]
		}
		return nil
	}
	return r.open.byPath(r.absolute(name))
}

// ReadFile implements syntax.Reader.
func (r *reader) ReadFile(name string) ([]byte, error) {
	if r.target.root != "" {
		r.mu.Lock()
		r.files[r.absolute(name)] = true
		r.mu.Unlock()
	}
	if doc := r.document(name); doc != nil {
		return doc.Text, nil
	}
	if r.target.root == "" {
		return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
	}
	return syntax.Disk{}.ReadFile(r.absolute(name))
}

// ReadDir implements syntax.Reader. A file that is open and not saved yet is listed too.
func (r *reader) ReadDir(dir string) ([]string, error) {
	if r.target.root == "" {
		return nil, fmt.Errorf("list %s: %w", dir, fs.ErrNotExist)
	}
	dir = r.absolute(dir)
	r.mu.Lock()
	r.dirs[dir] = true
	r.mu.Unlock()
	names, err := syntax.Disk{}.ReadDir(dir)
	found := false
	for _, doc := range r.open {
		if doc.Path == "" || path.Dir(doc.Path) != dir {
			continue
		}
		found = true
		if base := path.Base(doc.Path); !slices.Contains(names, base) {
			names = append(names, base)
		}
	}
	if err != nil && !found {
		return nil, err
	}
	slices.Sort(names)
	return names, nil
}

// Parse implements syntax.Parser.
func (r *reader) Parse(name string, src []byte) (*syntax.File, diag.Diagnostics) {
	return r.trees.Parse(name, src)
}

// graphText returns the unsaved text of a graph file, nil when the disk has it.
func (r *reader) graphText(name string) ([]byte, error) {
	if r.target.root == "" {
		return nil, fmt.Errorf("open %s: %w", name, fs.ErrNotExist)
	}
	r.mu.Lock()
	r.files[r.absolute(name)] = true
	r.mu.Unlock()
	if doc := r.document(name); doc != nil {
		return doc.Text, nil
	}
	return nil, nil
}

// concerns reports whether a file at the path, changed, new or gone, may change what was read.
func (r *reader) concerns(name string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.files[name] || r.dirs[path.Dir(name)]
}
