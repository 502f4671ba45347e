//go:build !windows

package plan

import (
	"os"

	"github.com/google/renameio/v2"
)

// replace writes a file by way of a temporary one in the same directory, which is brought to the disk and then takes the
// name.
func replace(path string, data []byte, mode os.FileMode) error {
	return renameio.WriteFile(path, data, mode)
}
