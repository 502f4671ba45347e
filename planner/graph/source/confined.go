package source

import (
	"errors"
	"io/fs"
	"os"
)

// Confined returns the directory dir as a file system for [Open] of the file name in it, and for its siblings. The file
// itself may be a symbolic link to anywhere, since the user named it. Everything else is named by the file's content, and no
// name and no link of it leads out of the directory.
func Confined(dir, name string) fs.FS { return confined{dir, name} }

type confined struct{ dir, name string }

// Open opens the file itself or one confined to the directory.
func (c confined) Open(name string) (fs.File, error) {
	if name == c.name {
		// os.DirFS follows links out of the directory, which here is what the user asked for.
		return os.DirFS(c.dir).Open(name)
	}
	return within(c.dir, func(fsys fs.FS) (fs.File, error) { return fsys.Open(name) })
}

// Stat describes what Open would open.
func (c confined) Stat(name string) (fs.FileInfo, error) {
	if name == c.name {
		return fs.Stat(os.DirFS(c.dir), name)
	}
	return within(c.dir, func(fsys fs.FS) (fs.FileInfo, error) { return fs.Stat(fsys, name) })
}

// within opens the directory for one access. What was opened in it stays open.
func within[T any](dir string, access func(fs.FS) (T, error)) (T, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		var none T
		return none, err
	}
	result, err := access(root.FS())
	return result, errors.Join(err, root.Close())
}
