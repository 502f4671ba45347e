package builtin

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"
)

// Prefix begins the source of a builtin module.
const Prefix = "builtin:"

const suffix = ".hcl"

//go:embed *.hcl
var texts embed.FS

// Names lists the builtin modules in order, without the prefix.
func Names() []string {
	entries, err := fs.Glob(texts, "*"+suffix)
	if err != nil {
		panic(fmt.Sprintf("builtin: list: %v", err))
	}
	names := make([]string, len(entries))
	for i, entry := range entries {
		names[i] = strings.TrimSuffix(entry, suffix)
	}
	return names
}

// Source returns the text of a builtin module; false when there is none of the name, which comes without the prefix.
func Source(name string) ([]byte, bool) {
	text, err := texts.ReadFile(name + suffix)
	return text, err == nil
}
