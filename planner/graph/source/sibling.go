package source

import (
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Sibling opens the file at rel, a slash-separated path that starts in the directory of f and stays below it: it is
// what a model calls its external data. An absolute path, one with a ".." or "." element, a backslash or a drive
// letter is refused with an error that wraps fs.ErrInvalid. The result belongs to f: it is opened once, returned again
// for the same rel, and closed with f.
func (f *File) Sibling(rel string) (*File, error) {
	if err := checkConfined(rel); err != nil {
		return nil, err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if sibling, ok := f.siblings[rel]; ok {
		return sibling, nil
	}
	if f.fsys == nil {
		return nil, fmt.Errorf("%s is not a file of a directory: %q beside it cannot be read: %w", f.name, rel, fs.ErrNotExist)
	}
	sibling, err := Open(f.fsys, path.Join(path.Dir(f.name), rel))
	if err != nil {
		return nil, err
	}
	if f.siblings == nil {
		f.siblings = map[string]*File{}
	}
	f.siblings[rel] = sibling
	return sibling, nil
}

// checkConfined refuses what could lead out of the directory on any system, whatever the one it runs on.
func checkConfined(rel string) error {
	refuse := func(why string) error {
		return fmt.Errorf("path %q %s: %w", rel, why, fs.ErrInvalid)
	}
	switch {
	case strings.ContainsAny(rel, "\\\x00"):
		return refuse("holds a backslash or a zero byte")
	case len(rel) > 1 && rel[1] == ':':
		return refuse("starts with a drive letter")
	case !fs.ValidPath(rel):
		return refuse("is not a plain relative path")
	}
	return nil
}
