package view

import "github.com/memplan/memplan/lang/diag"

// Config shows the text of a configuration.
type Config interface {
	Verb
	// Result shows the text; ds are warnings.
	Result(text []byte, ds diag.Diagnostics)
}

// NewConfig returns the renderer for people or the JSON one.
func NewConfig(asJSON bool, term *Terminal, sources Sources) Config {
	if asJSON {
		return configJSON{document{term.Out, sources}}
	}
	return configText{human{term, sources}}
}

type configText struct{ human }

// Result writes the text as it is.
func (v configText) Result(text []byte, ds diag.Diagnostics) {
	v.diagnostics(ds)
	v.content(text)
}

type configJSON struct{ document }

// configDocument is the document of show -config.
type configDocument struct {
	report
	Config string `json:"config"`
}

// Result writes the document that holds the text.
func (v configJSON) Result(text []byte, ds diag.Diagnostics) {
	v.write(configDocument{reportOf(v.sources, ds), string(text)})
}
