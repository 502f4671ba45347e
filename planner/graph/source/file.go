package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"sync"

	"github.com/edsrzf/mmap-go"
)

// mapFrom is the size in bytes from which a file is mapped instead of read. Reading a smaller one costs less than the
// faults of a mapping, and text that is edited by hand, which editors may truncate in place, stays below it.
const mapFrom = 1 << 20

// File is an opened source: its bytes are mapped read-only when it is a large file of the operating system, else held
// in memory. It may be used by several goroutines at once, but not during or after Close.
//
// Mapped bytes, and whatever aliases them, stay valid until Close. Replacing the file by a rename is safe, the mapping
// keeps the old content; a program that truncates a mapped file in place makes reading it fault.
type File struct {
	fsys  fs.FS // nil for FromBytes
	name  string
	bytes []byte
	mmap  mmap.MMap // nil when nothing is mapped

	digest func() string

	mu       sync.Mutex
	siblings map[string]*File
}

// Open opens the named regular file of fsys. The name is slash-separated and relative, as io/fs wants it. The caller
// closes the result.
func Open(fsys fs.FS, name string) (*File, error) {
	// Looking before opening keeps a named pipe from blocking the open.
	if info, err := fs.Stat(fsys, name); err != nil {
		return nil, err
	} else if err := checkRegular(name, info); err != nil {
		return nil, err
	}
	opened, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	f, err := load(name, opened)
	if closeErr := opened.Close(); closeErr != nil {
		err = errors.Join(err, fmt.Errorf("closing %s: %w", name, closeErr))
	}
	if err != nil {
		return nil, err
	}
	f.fsys = fsys
	return f, nil
}

// FromBytes returns a file with the content b, which must not be changed afterwards. It has no siblings.
func FromBytes(name string, b []byte) *File {
	f := &File{name: name, bytes: b}
	f.digest = sync.OnceValue(func() string {
		sum := sha256.Sum256(f.bytes)
		return "sha256:" + hex.EncodeToString(sum[:])
	})
	return f
}

// load maps or reads the content of an opened file.
func load(name string, opened fs.File) (*File, error) {
	info, err := opened.Stat()
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	if err := checkRegular(name, info); err != nil {
		return nil, err
	}
	if info.Size() > math.MaxInt {
		return nil, fmt.Errorf("%s has %d bytes, more than this machine can address", name, info.Size())
	}
	if file, ok := opened.(*os.File); ok && info.Size() >= mapFrom {
		// A file system that cannot map is no reason to fail: the content is read then.
		if mapped, err := mmap.Map(file, mmap.RDONLY, 0); err == nil {
			f := FromBytes(name, mapped)
			f.mmap = mapped
			return f, nil
		}
	}
	content, err := readAll(opened, info.Size())
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", name, err)
	}
	return FromBytes(name, content), nil
}

// readAll reads to the end. The announced size is a hint only: it saves the growing of the buffer.
func readAll(r io.Reader, size int64) ([]byte, error) {
	var buf bytes.Buffer
	buf.Grow(int(min(max(size, 0), mapFrom)) + bytes.MinRead)
	_, err := buf.ReadFrom(r)
	return buf.Bytes(), err
}

func checkRegular(name string, info fs.FileInfo) error {
	if info.Mode().IsRegular() {
		return nil
	}
	if info.IsDir() {
		return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is a directory, a file is needed")}
	}
	return &fs.PathError{Op: "open", Path: name, Err: errors.New("it is not a regular file")}
}

// Name returns the name the file was opened with.
func (f *File) Name() string { return f.name }

// Bytes returns the content. It must not be changed and, when the file is mapped, not be used after Close.
func (f *File) Bytes() []byte { return f.bytes }

// Size returns the number of bytes.
func (f *File) Size() int64 { return int64(len(f.bytes)) }

// Digest returns "sha256:" and the hex digest of the content. The first call costs O(size).
func (f *File) Digest() string { return f.digest() }

// Close unmaps the file and closes its siblings. Closing again does nothing.
func (f *File) Close() error {
	f.mu.Lock()
	siblings, mapped := f.siblings, f.mmap
	f.siblings, f.mmap = nil, nil
	if mapped != nil {
		f.bytes = nil
	}
	f.mu.Unlock()

	var errs []error
	for _, sibling := range siblings {
		errs = append(errs, sibling.Close())
	}
	if mapped != nil {
		errs = append(errs, mapped.Unmap())
	}
	return errors.Join(errs...)
}
