package session

import (
	"sync"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/outline"
	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
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

	outline func() *outline.File
	parsed  func() parsed
}

type parsed struct {
	file  *syntax.File
	diags diag.Diagnostics
}

// NewDocument returns a document. The text must not change.
func NewDocument(uri protocol.DocumentURI, version *int32, content []byte, encoding text.Encoding) *Document {
	d := &Document{URI: uri, Version: version, Text: content, Mapper: text.NewMapper(content, encoding)}
	d.Path, _ = FilePath(uri)
	d.outline = sync.OnceValue(func() *outline.File { return outline.New(content) })
	d.parsed = sync.OnceValue(func() parsed {
		file, ds := syntax.Parse(d.name(), content)
		return parsed{file, ds}
	})
	return d
}

// Outline returns the outline of the text, made at the first call.
func (d *Document) Outline() *outline.File { return d.outline() }

// Parses reports whether the text has no syntax errors.
func (d *Document) Parses() bool { return !d.parsed().diags.HasErrors() }

// name is the document's in messages about it alone.
func (d *Document) name() string { return virtualName(d.URI) }

// Range returns the protocol's range of a span.
func (d *Document) Range(s outline.Span) protocol.Range { return d.Mapper.Range(s.Start, s.End) }
