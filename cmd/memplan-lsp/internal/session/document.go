package session

import (
	"strings"
	"sync"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/schema"
)

// Document is one version of one text. It is never changed once made; what is derived from it is made when first needed.
type Document struct {
	URI protocol.DocumentURI
	// Path is the file's, absolute with forward slashes; "" for documents that are no files.
	Path string
	// Version is nil for a file that is not open.
	Version *int32
	Text    []byte
	Mapper  *text.Mapper

	mu sync.Mutex
	// outline is that of the text once made, before the one of an earlier text.
	outline, before *outline.File
}

// NewDocument returns a document. The text must not change.
func NewDocument(uri protocol.DocumentURI, version *int32, content []byte, encoding text.Encoding) *Document {
	return newDocument(uri, version, text.NewMapper(content, encoding))
}

func newDocument(uri protocol.DocumentURI, version *int32, mapper *text.Mapper) *Document {
	d := &Document{URI: uri, Version: version, Text: mapper.Text(), Mapper: mapper}
	d.Path, _ = FilePath(uri)
	return d
}

// Outline returns the outline of the text, made at the first call.
func (d *Document) Outline() *outline.File {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.outline == nil {
		d.outline, d.before = outline.Next(d.before, d.Text, d.root()), nil
	}
	return d.outline
}

// root is the table of the language that the document is in.
func (d *Document) root() *schema.Block {
	if strings.HasSuffix(d.Path, config.TestSuffix) {
		return schema.TestFile()
	}
	return schema.Root()
}

// lastOutline is the outline of the text, or of an earlier one; nil when none was made.
func (d *Document) lastOutline() *outline.File {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.outline != nil {
		return d.outline
	}
	return d.before
}

// Range returns the protocol's range of a span.
func (d *Document) Range(s outline.Span) protocol.Range { return d.Mapper.Range(s.Start, s.End) }
