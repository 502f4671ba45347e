package config

import (
	"path"

	"github.com/memplan/memplan/lang/diag"
)

// decodeExport decodes an export block.
func (l *loader) decodeExport(b *block) *Export {
	f := l.fields(b)
	e := &Export{Name: l.full(b).FullName(), Range: b.header, Offset: f.boolean("offset")}
	if target, ok := f.reference("graph"); ok {
		e.Graph = l.session.graphs[target]
	}
	e.Format, _ = f.text("format")
	e.Prefix, _ = f.text("prefix")
	e.Target, _ = f.text("target")
	targets, _, _ := f.references("arena")
	for _, target := range targets {
		if pool := l.session.pool(target); pool != nil {
			e.Arena = append(e.Arena, pool)
		}
	}
	file, _ := f.text("path")
	e.Path = l.relative(file)
	return e
}

// checkExports reports exports that write the same file.
func (l *loader) checkExports() {
	written := map[string]*Export{}
	for _, e := range l.cfg.Exports {
		if e.Path == "" {
			continue
		}
		first := written[path.Clean(e.Path)]
		if first == nil {
			written[path.Clean(e.Path)] = e
			continue
		}
		d := diag.New(diag.ExportPathTaken, "The export %q writes %q, and so does the export %q. Give one of them another path.", e.Name, e.Path, first.Name).At(e.Range)
		d.Related = []diag.Related{{Message: "the other one is here", Range: first.Range}}
		l.report(d)
	}
}
