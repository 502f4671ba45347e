package plan

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gofrs/flock"

	"github.com/memplan/memplan/lang/diag"
)

// Holder says who writes a lock, for the message that a second writer gets. It reaches no plan.
type Holder struct {
	Operation string    `json:"operation"`
	Who       string    `json:"who"`
	PID       int       `json:"pid"`
	Since     time.Time `json:"since"`
}

// Guard keeps other writers away from a lock until it is released.
type Guard struct{ file *flock.Flock }

// Acquire takes the guard of the lock at path, or reports who has it. It does not wait. The guard is a file beside
// the lock, .NAME.lock, held by the operating system's own file lock: it ends with the process whatever happens.
func Acquire(path string, holder Holder) (*Guard, diag.Diagnostics, error) {
	name := guardPath(path)
	for {
		file := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR))
		locked, err := file.TryLock()
		if err != nil {
			return nil, nil, fmt.Errorf("locking %s: %w", path, err)
		}
		if !locked {
			return nil, diag.Diagnostics{held(path, name)}, nil
		}
		if current(file, name) {
			return announce(&Guard{file}, holder)
		}
		// Its last holder removed the file between our opening and our locking it. Each turn means that another
		// writer has finished.
		if err := file.Unlock(); err != nil {
			return nil, nil, fmt.Errorf("locking %s: %w", path, err)
		}
	}
}

// Release lets the next writer in.
func (g *Guard) Release() error {
	if err := os.Remove(g.file.Path()); err != nil {
		return fmt.Errorf("removing the guard: %w", err)
	}
	return g.file.Unlock()
}

func guardPath(path string) string {
	return filepath.Join(filepath.Dir(path), "."+filepath.Base(path)+".lock")
}

// current reports whether the file that was locked is still the one that the name leads to.
func current(file *flock.Flock, name string) bool {
	ours, err := file.Stat()
	if err != nil {
		return false
	}
	theirs, err := os.Stat(name)
	return err == nil && os.SameFile(ours, theirs)
}

// announce writes who holds the guard into its file; without that there is no guard.
func announce(g *Guard, holder Holder) (*Guard, diag.Diagnostics, error) {
	data, err := json.Marshal(holder)
	if err == nil {
		err = os.WriteFile(g.file.Path(), data, 0o644)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("announcing the holder of a lock: %w", err), g.Release())
	}
	return g, nil, nil
}

func held(path, name string) diag.Diagnostic {
	var holder Holder
	data, err := os.ReadFile(name)
	if err != nil || json.Unmarshal(data, &holder) != nil {
		return diag.New(diag.LockHeld, "Another memplan is writing %s. Wait for it to finish and run the command again.", filepath.ToSlash(path))
	}
	return diag.New(diag.LockHeld, "\"memplan %s\", run by %s as process %d since %s, is writing %s. Wait for it to finish and run the command again.",
		holder.Operation, holder.Who, holder.PID, holder.Since.UTC().Format(time.RFC3339), filepath.ToSlash(path))
}
