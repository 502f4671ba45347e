package source

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// MissingError says that there is no file of a name, and which files its directory has.
type MissingError struct {
	Err error
	// Names are those of the files in the directory, in ascending order.
	Names []string
}

// Error is the text of what was found.
func (e *MissingError) Error() string { return e.Err.Error() }

// Unwrap returns what was found.
func (e *MissingError) Unwrap() error { return e.Err }

// Missing adds the names in the directory to an error of opening a file of it, when there is none of the file's name.
func Missing(err error, dir string) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	entries, listErr := os.ReadDir(filepath.FromSlash(dir))
	if listErr != nil {
		return err // that there is no such file says enough
	}
	missing := &MissingError{Err: err}
	for _, entry := range entries {
		if !entry.IsDir() {
			missing.Names = append(missing.Names, entry.Name())
		}
	}
	return missing
}
