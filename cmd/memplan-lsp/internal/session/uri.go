package session

import (
	"net/url"
	"path"
	"path/filepath"
	"strings"

	"go.lsp.dev/protocol"

	"github.com/memplan/memplan/lang/builtin"
	"github.com/memplan/memplan/lang/syntax"
)

// FilePath returns the path of a file: URI, with forward slashes. The second result is false for other schemes, which
// never touch the disk, and for what is no URI.
func FilePath(uri protocol.DocumentURI) (string, bool) {
	u, err := url.Parse(string(uri))
	if err != nil || u.Scheme != "file" || u.Path == "" || u.Host != "" && u.Host != "localhost" {
		return "", false
	}
	name := u.Path
	if hasDrive(name) {
		name = name[1:]
	}
	return path.Clean(filepath.ToSlash(name)), true
}

// hasDrive reports whether a URI's path begins with a Windows drive, as in "/c:/models".
func hasDrive(name string) bool {
	return len(name) >= 3 && name[0] == '/' && name[2] == ':' &&
		(name[1] >= 'a' && name[1] <= 'z' || name[1] >= 'A' && name[1] <= 'Z')
}

// FileURI returns the URI of an absolute path with forward slashes.
func FileURI(name string) protocol.DocumentURI {
	if !strings.HasPrefix(name, "/") {
		name = "/" + name
	}
	u := url.URL{Scheme: "file", Path: name}
	return protocol.DocumentURI(u.String())
}

// BuiltinScheme begins the URIs of the texts of builtin modules.
const BuiltinScheme = "memplan-builtin"

// BuiltinURI returns the URI of the text of a builtin module.
func BuiltinURI(name string) protocol.DocumentURI {
	return protocol.DocumentURI(BuiltinScheme + ":/" + name + syntax.ConfigSuffix)
}

// BuiltinText returns the text that a URI of BuiltinURI stands for; the second result is false for others.
func BuiltinText(uri protocol.DocumentURI) (string, bool) {
	name, ok := strings.CutPrefix(string(uri), BuiltinScheme+":")
	if !ok {
		return "", false
	}
	source, ok := builtin.Source(strings.TrimSuffix(strings.TrimLeft(name, "/"), syntax.ConfigSuffix))
	return string(source), ok
}

// virtualName is the name of a document that is no file: what follows the last slash or colon of its URI.
func virtualName(uri protocol.DocumentURI) string {
	name := string(uri)
	if at := strings.LastIndexAny(name, "/:"); at >= 0 {
		name = name[at+1:]
	}
	if name == "" {
		return "untitled"
	}
	return name
}
