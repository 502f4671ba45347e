package session

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty/function"
	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/cmd/memplan-lsp/internal/text"
	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// Loaded is a configuration as it was read at one moment.
type Loaded struct {
	// Config is never nil; it holds what could be made out.
	Config *config.Config
	Diags  diag.Diagnostics

	reader   *reader
	graphs   *graphs
	encoding text.Encoding
	// Functions are those of the language, reading the configuration's files.
	Functions map[string]function.Function

	mu   sync.Mutex
	docs map[string]*Document
	// scope holds the values that expressions see with the plan scopeOf.
	scope   *eval.Scope
	scopeOf *Planned
}

// load reads a configuration. A fault of memplan's own costs this one load.
func load(v *view) (l *Loaded, err error) {
	t, r := v.target, newReader(v.target, v.open, &v.known.trees)
	l = &Loaded{Config: &config.Config{Dir: "."}, reader: r, graphs: &v.known.graphs, encoding: v.encoding, docs: map[string]*Document{}}
	defer func() {
		if fault := recover(); fault != nil {
			err = fmt.Errorf("loading %s: %v", t.name, fault)
		}
	}()
	if t.name == "." && !hasConfiguration(r) {
		l.loadVariablesAlone()
		return l, nil
	}
	if strings.HasSuffix(t.name, config.TestSuffix) {
		tests, ds := config.LoadTests(r, t.name)
		l.Config.Files, l.Diags = map[string]*hcl.File{tests.Name: tests.File.HCL}, ds
		return l, nil
	}
	l.Functions = eval.Table(eval.Functions(r, "."))
	l.Config, l.Diags = v.known.configs.Load(r, t.name, eval.VariableSources{Environment: v.environment})
	return l, nil
}

func hasConfiguration(r *reader) bool {
	names, err := r.ReadDir(".")
	if err != nil {
		return false
	}
	for _, name := range names {
		if strings.HasSuffix(name, syntax.ConfigSuffix) && !strings.HasPrefix(name, ".") {
			return true
		}
	}
	return false
}

// loadVariablesAlone looks at the open variables files of a directory without a configuration: their syntax is all that
// can be checked.
func (l *Loaded) loadVariablesAlone() {
	l.Config.Files = map[string]*hcl.File{}
	for _, doc := range l.reader.open {
		if doc.Path == "" || path.Dir(doc.Path) != l.reader.target.root || !isVariables(path.Base(doc.Path)) {
			continue
		}
		file, ds := syntax.ReadFile(l.reader, path.Base(doc.Path))
		l.Config.Files[file.Name] = file.HCL
		l.Diags = append(l.Diags, ds...)
	}
}

// Parses reports whether the text has no errors that hide parts of it.
func (l *Loaded) Parses() bool {
	return !slices.ContainsFunc(l.Diags, func(d diag.Diagnostic) bool {
		switch d.ID {
		case diag.InvalidSyntax, diag.InvalidEncoding, diag.FileTooLarge, diag.NestingTooDeep, diag.NumberOutOfBounds:
			return true
		}
		return false
	})
}

// plannable reports whether there is something to plan and nothing in the way.
func (l *Loaded) plannable() bool { return !l.Diags.HasErrors() && len(l.Config.Graphs) > 0 }

// Document returns the document of a file by its name in ranges, with the text that was read. It is nil for what was not
// read from a file.
func (l *Loaded) Document(name string) *Document {
	if strings.HasPrefix(name, builtin.Prefix) {
		return nil
	}
	if doc := l.reader.document(name); doc != nil {
		return doc
	}
	file := l.Config.Files[name]
	if file == nil || l.reader.target.root == "" {
		return nil
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.docs[name] == nil {
		l.docs[name] = NewDocument(FileURI(l.reader.absolute(name)), nil, file.Bytes, l.encoding)
	}
	return l.docs[name]
}

// Absolute is the path of a name that is relative to the configuration; the second result is false when the
// configuration is no file.
func (l *Loaded) Absolute(name string) (string, bool) {
	return l.reader.absolute(name), l.reader.target.root != ""
}

// Names lists the names of the configuration's own files, those of modules left out, variables files included, in order.
func (l *Loaded) Names() []string {
	var names []string
	for name := range l.Config.Files {
		if path.Dir(name) == "." && !strings.HasPrefix(name, builtin.Prefix) && !l.ofModule(name) {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// VariablesFiles lists the names of the variables files that apply, in the order in which they are read.
func (l *Loaded) VariablesFiles() []string {
	names := slices.DeleteFunc(l.Names(), func(name string) bool { return !isVariables(name) })
	slices.SortStableFunc(names, func(a, b string) int {
		switch {
		case a == syntax.VariablesFile && b != a:
			return -1
		case b == syntax.VariablesFile && a != b:
			return 1
		}
		return 0
	})
	return names
}

// ofModule reports whether a file beside the configuration was read for a module alone.
func (l *Loaded) ofModule(name string) bool {
	if l.reader.target.name == "." || name == l.reader.target.name {
		return false
	}
	return !isVariables(path.Base(name))
}

// Definition returns where a range is, as Location does. What is in a builtin module is in a document that clients ask
// for by its URI.
func (l *Loaded) Definition(r hcl.Range) (protocol.Location, bool) {
	name, ok := strings.CutPrefix(r.Filename, builtin.Prefix)
	if !ok {
		return l.Location(r)
	}
	source, ok := builtin.Source(name)
	if !ok {
		return protocol.Location{}, false
	}
	at := text.NewMapper(source, l.encoding).Range(r.Start.Byte, r.End.Byte)
	return protocol.Location{URI: BuiltinURI(name), Range: at}, true
}

// Location returns where a range of the configuration, or of an earlier one, is; the second result is false for what is in no
// file, or is there no more.
func (l *Loaded) Location(r hcl.Range) (protocol.Location, bool) {
	doc := l.Document(r.Filename)
	r, ok := syntax.Now(l.Config.Files, r)
	if doc == nil || !ok {
		return protocol.Location{}, false
	}
	return protocol.Location{URI: doc.URI, Range: doc.Mapper.Range(r.Start.Byte, r.End.Byte)}, true
}

// SortedFiles lists the names of all files that were read, in order.
func SortedFiles(l *Loaded) []string { return slices.Sorted(maps.Keys(l.Config.Files)) }
