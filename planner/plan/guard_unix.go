//go:build !windows

package plan

import (
	"errors"
	"fmt"
	"os"
)

// remove takes the guard's file away before it unlocks: who opened the file meanwhile finds that it is no longer current.
func (g *Guard) remove(name string) error {
	if err := os.Remove(name); err != nil {
		return errors.Join(fmt.Errorf("removing the guard: %w", err), g.file.Unlock())
	}
	return g.file.Unlock()
}
