package plan

import (
	"bytes"
	"os"

	"github.com/natefinch/atomic"
)

// replace writes a file by way of a temporary one in the same directory, which is brought to the disk and then takes the
// name. Permissions are the directory's.
func replace(path string, data []byte, _ os.FileMode) error {
	return atomic.WriteFile(path, bytes.NewReader(data))
}
