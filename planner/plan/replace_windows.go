package plan

import (
	"errors"
	"os"
	"path/filepath"

	"github.com/natefinch/atomic"
)

// replace writes a file by way of a temporary one in the same directory, which is brought to the disk and then takes the
// name. Permissions are the directory's.
func replace(path string, data []byte, _ os.FileMode) error {
	file, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*.tmp")
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err == nil {
		err = file.Sync()
	}
	if err = errors.Join(err, file.Close()); err == nil {
		err = atomic.ReplaceFile(file.Name(), path)
	}
	if err != nil {
		return errors.Join(err, os.Remove(file.Name()))
	}
	return nil
}
