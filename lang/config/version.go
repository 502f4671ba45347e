package config

import (
	"github.com/hashicorp/go-version"

	"github.com/memplan/memplan/lang/diag"
)

// Version is the version of memplan.
const Version = "0.1.0"

// decodeMemplan checks the version that the configuration asks for.
func (l *loader) decodeMemplan(b *block) {
	f := l.fields(b)
	text, ok := f.text("required_version")
	if !ok {
		return
	}
	at := b.attrs["required_version"].expr.Range()
	constraints, err := version.NewConstraint(text)
	if err != nil {
		l.report(diag.New(diag.InvalidVersion, "%q is not a version constraint. Write one such as \">= %s\".", text, Version).At(at))
		return
	}
	if !constraints.Check(version.Must(version.NewVersion(Version))) {
		l.report(diag.New(diag.VersionNotSatisfied, "The configuration asks for %q and this is memplan %s. Install a version that meets the constraint, or change it.", text, Version).At(at))
	}
}
