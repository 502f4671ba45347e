package view

import "fmt"

// Build is what a memplan binary says of itself.
type Build struct {
	Version  string `json:"memplan_version"`
	Commit   string `json:"commit"`
	Go       string `json:"go_version"`
	Platform string `json:"platform"`
	// PlanFormat is the version of plans that this memplan writes.
	PlanFormat string `json:"plan_format_version"`
}

// Version shows which memplan this is.
type Version interface {
	Verb
	Result(Build)
}

// NewVersion returns the renderer for people or the JSON one.
func NewVersion(asJSON bool, term *Terminal) Version {
	if asJSON {
		return versionJSON{document{out: term.Out}}
	}
	return versionHuman{human{term: term}}
}

type versionHuman struct{ human }

// Result writes a line for each fact.
func (v versionHuman) Result(b Build) {
	commit := ""
	if b.Commit != "" {
		commit = " (" + b.Commit + ")"
	}
	v.print(fmt.Sprintf("memplan %s%s\n%s on %s, plan format %s\n", b.Version, commit, b.Go, b.Platform, b.PlanFormat))
}

type versionJSON struct{ document }

// versionDocument is the document of version.
type versionDocument struct {
	FormatVersion string `json:"format_version"`
	Build
}

// Result writes the document.
func (v versionJSON) Result(b Build) {
	v.write(versionDocument{FormatVersion, b})
}
