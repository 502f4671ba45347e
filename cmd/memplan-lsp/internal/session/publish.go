package session

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"

	"go.lsp.dev/protocol"
)

// Publication is what is wrong with one document.
type Publication struct {
	URI protocol.DocumentURI
	// Version is nil for a file that is not open.
	Version *int32
	// Diagnostics are in order of position, empty when nothing is wrong.
	Diagnostics []protocol.Diagnostic
}

// published is what a client was last told of a document.
type published struct {
	version *int32
	content []byte
}

// show keeps what is wrong with a configuration, nil when it is no longer open, and publishes what has changed. The
// documents of the view that are open are published with each of their versions. The session's lock is held.
func (s *Session) show(m *module, l *Loaded, v *view) {
	defer s.announce()
	before := m.found
	m.found = nil
	if l != nil {
		m.found = s.findings(m, l)
	}
	concerned := map[protocol.DocumentURI]bool{}
	for uri := range before {
		concerned[uri] = true
	}
	for uri := range m.found {
		concerned[uri] = true
	}
	if v != nil {
		for uri, doc := range v.open {
			if targetOf(doc) == m.target {
				concerned[uri] = true
			}
		}
	}
	for _, uri := range slices.Sorted(maps.Keys(concerned)) {
		s.publish(uri)
	}
}

// publish tells the client what is wrong with a document in any configuration, unless it knows.
func (s *Session) publish(uri protocol.DocumentURI) {
	all := s.diagnosticsOf(uri)
	content, err := json.Marshal(all)
	if err != nil {
		s.options.Log.Error("diagnostics cannot be encoded", "fault", err)
		return
	}
	last, known := s.published[uri]
	var version *int32
	if doc := s.open[uri]; doc != nil {
		version = doc.Version
	}
	sameVersion := version == nil || last.version != nil && *last.version == *version
	if known && bytes.Equal(last.content, content) && sameVersion || !known && len(all) == 0 && version == nil {
		return
	}
	s.published[uri] = published{version: version, content: content}
	if len(all) == 0 && version == nil {
		delete(s.published, uri)
	}
	s.options.Publish(Publication{URI: uri, Version: version, Diagnostics: all})
}

// diagnosticsOf joins what the configurations say of a document, each finding once.
func (s *Session) diagnosticsOf(uri protocol.DocumentURI) []protocol.Diagnostic {
	all := []protocol.Diagnostic{}
	seen := map[string]bool{}
	for _, m := range s.modulesInOrder() {
		for _, f := range m.found[uri] {
			encoded, err := json.Marshal(f.Shown)
			if err != nil || seen[string(encoded)] {
				continue
			}
			seen[string(encoded)] = true
			all = append(all, f.Shown)
		}
	}
	slices.SortStableFunc(all, func(a, b protocol.Diagnostic) int { return comparePositions(a.Range.Start, b.Range.Start) })
	return all
}

func comparePositions(a, b protocol.Position) int {
	if a.Line != b.Line {
		return int(int64(a.Line) - int64(b.Line))
	}
	return int(int64(a.Character) - int64(b.Character))
}

func (s *Session) modulesInOrder() []*module {
	return slices.SortedFunc(maps.Values(s.modules), func(a, b *module) int { return a.target.compare(b.target) })
}
