package source

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
)

// Sibling opens the file at rel, a slash-separated path that starts in the directory of f and stays below it: it is
// what a model calls its external data. An absolute path, one with a ".." or "." element, a backslash or a drive
// letter is refused with an error that is fs.ErrInvalid. Errors give the reason alone, for a sentence that names the
// file. The result belongs to f: it is opened once, returned again for the same rel, and closed with f.
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
	if pathError := (*fs.PathError)(nil); errors.As(err, &pathError) {
		return nil, pathError.Err
	}
	if err != nil {
		return nil, err
	}
	if f.siblings == nil {
		f.siblings = map[string]*File{}
	}
	f.siblings[rel] = sibling
	return sibling, nil
}

// outside says why a path may lead out of the directory.
type outside string

func (o outside) Error() string { return string(o) }

func (o outside) Is(target error) bool { return target == fs.ErrInvalid }

// checkConfined refuses what could lead out of the directory on any system, whatever the one it runs on.
func checkConfined(rel string) error {
	switch {
	case strings.ContainsAny(rel, "\\\x00"):
		return outside("the path holds a backslash or a zero byte")
	case len(rel) > 1 && rel[1] == ':':
		return outside("the path starts with a drive letter")
	case !fs.ValidPath(rel):
		return outside("the path is not a plain relative path")
	}
	return nil
}
