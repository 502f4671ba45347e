package session

import (
	"cmp"
	"path"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/lang/syntax"
)

// target is a configuration that a document belongs to: the files of a directory, or one file.
type target struct {
	// root is the directory that names are relative to, absolute; "" for a document that is no file.
	root string
	// name is what is loaded, relative to root: "." or a file's name.
	name string
	// uri tells documents apart that are no files.
	uri protocol.DocumentURI
}

// targetOf says which configuration a document belongs to. A variables file belongs to that of its directory.
func targetOf(d *Document) target {
	if d.Path == "" {
		return target{name: virtualName(d.URI), uri: d.URI}
	}
	dir, base := path.Split(d.Path)
	t := target{root: path.Clean(dir), name: base}
	if strings.HasSuffix(base, syntax.ConfigSuffix) || isVariables(base) {
		t.name = "."
	}
	return t
}

func isVariables(base string) bool {
	return base == syntax.VariablesFile || strings.HasSuffix(base, syntax.AutoVariablesSuffix)
}

// compare orders targets, for an order of output.
func (t target) compare(o target) int {
	return cmp.Or(cmp.Compare(t.root, o.root), cmp.Compare(t.name, o.name), cmp.Compare(t.uri, o.uri))
}
