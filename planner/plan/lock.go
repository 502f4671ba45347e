package plan

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/memplan/memplan/lang/diag"
)

// DirectoryLock is the name of the lock of a directory.
const DirectoryLock = "memplan.lock.json"

// LockPath returns where the lock of a configuration or graph file lies: memplan.lock.json in a directory, NAME.lock.json
// beside a configuration NAME.hcl, and beside any other file its whole name and .lock.json, so that net.hcl, net.onnx and
// net.tflite have three locks.
func LockPath(path string, isDir bool) string {
	if isDir {
		return filepath.Join(path, DirectoryLock)
	}
	dir, base := filepath.Split(path)
	return filepath.Join(dir, strings.TrimSuffix(base, ".hcl")+".lock.json")
}

// ReadLock reads the lock at path. The plan is nil when there is none, or when the diagnostics have an error.
func ReadLock(path string) (*Plan, diag.Diagnostics, error) {
	data, err := ReadRegular(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("reading the lock: %w", err)
	}
	p, ds := DecodeFile(filepath.ToSlash(path), data)
	return p, ds, nil
}

// ReadRegular reads a file. A device, which may never end, and a pipe, which may never begin, are no files here.
func ReadRegular(path string) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() && !info.IsDir():
		return nil, &fs.PathError{Op: "read", Path: path, Err: errors.New("is not a regular file")}
	}
	return os.ReadFile(path)
}

// BackupSuffix ends the name of the file that keeps what a lock held before it was last written.
const BackupSuffix = ".backup"

// WriteLock writes the plan as the lock at path: all of it or, when writing fails, nothing. The caller holds the
// [Guard] of the path. A lock that has these bytes already is left alone; the first result says whether it was not. What
// the lock held before is kept in one backup, named after it with [BackupSuffix].
func WriteLock(path string, p *Plan) (changed bool, err error) {
	data, err := Encode(p)
	if err != nil {
		return false, err
	}
	old, err := ReadRegular(path)
	switch {
	case err == nil && bytes.Equal(old, data):
		return false, nil
	case err == nil:
		if err := WriteFile(path+BackupSuffix, old); err != nil {
			return false, err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return false, fmt.Errorf("reading the lock: %w", err)
	}
	return true, WriteFile(path, data)
}

// WriteFile writes a file all at once: a reader sees the old content or the new, never a part. What a link leads to is
// written, whether it is there already or not; the link stays. Devices and pipes take the data as they come: putting a file in their place would take them
// away from everybody.
func WriteFile(path string, data []byte) error {
	write := replace
	if info, err := os.Stat(path); err == nil {
		if info.IsDir() {
			return fmt.Errorf("writing %s: %w", path, &fs.PathError{Op: "write", Path: path, Err: errors.New("is a directory")})
		}
		if !info.Mode().IsRegular() {
			write = os.WriteFile
		}
		target, err := filepath.EvalSymlinks(path)
		if err != nil {
			return fmt.Errorf("writing %s: %w", path, err)
		}
		path = target
	} else if errors.Is(err, fs.ErrNotExist) {
		path = promised(path)
	}
	if err := write(path, data, 0o644); err != nil {
		return fmt.Errorf("writing %s: %w", path, err)
	}
	return nil
}

// promised is where links lead that lead to nothing yet, the path itself where it is no link.
func promised(path string) string {
	const mostLinks = 40 // as many as Linux follows
	for range mostLinks {
		link, err := os.Readlink(path)
		if err != nil {
			return path
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(path), link)
		}
		path = link
	}
	return path
}
