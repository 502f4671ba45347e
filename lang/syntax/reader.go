package syntax

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strings"
)

// Reader gives access to files. Names have forward slashes. Errors for missing files satisfy errors.Is(err,
// fs.ErrNotExist).
type Reader interface {
	// ReadFile returns the content of a file.
	ReadFile(name string) ([]byte, error)
	// ReadDir returns the base names of the files in a directory, in any order. It fails for a file.
	ReadDir(dir string) ([]string, error)
}

// Disk reads the file system. A file larger than MaxFileSize is cut off one byte beyond, which is enough to see that
// it is too large.
type Disk struct{}

// ReadFile implements [Reader].
func (Disk) ReadFile(name string) (content []byte, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closeErr := f.Close(); err == nil && closeErr != nil {
			err = closeErr
		}
	}()
	return io.ReadAll(io.LimitReader(f, MaxFileSize+1))
}

// ReadDir implements [Reader].
func (Disk) ReadDir(dir string) ([]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var names []string
	for _, entry := range entries {
		if !entry.IsDir() {
			names = append(names, entry.Name())
		}
	}
	return names, nil
}

// Memory is a Reader of files held in memory, by clean name with forward slashes.
type Memory map[string]string

// ReadFile implements [Reader].
func (m Memory) ReadFile(name string) ([]byte, error) {
	if text, ok := m[path.Clean(name)]; ok {
		return []byte(text), nil
	}
	return nil, fmt.Errorf("read %s: %w", name, fs.ErrNotExist)
}

// ReadDir implements [Reader]. A directory exists when a file is in it.
func (m Memory) ReadDir(dir string) ([]string, error) {
	dir = path.Clean(dir)
	var names []string
	exists := dir == "."
	for name := range m {
		if path.Dir(name) == dir {
			names = append(names, path.Base(name))
		}
		exists = exists || strings.HasPrefix(name, dir+"/")
	}
	if !exists {
		return nil, fmt.Errorf("list %s: %w", dir, fs.ErrNotExist)
	}
	slices.Sort(names)
	return names, nil
}
