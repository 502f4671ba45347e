package plan

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
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

// retryEvery is how often a writer that waits looks again.
const retryEvery = 50 * time.Millisecond

// AcquireWithin is [Acquire] for a writer that waits up to a time for the one before it. When ctx ends, so does the
// waiting, with the error of ctx.
func AcquireWithin(ctx context.Context, path string, holder Holder, wait time.Duration) (*Guard, diag.Diagnostics, error) {
	deadline := time.Now().Add(wait)
	for {
		guard, ds, err := Acquire(path, holder)
		if err != nil || guard != nil || !time.Now().Before(deadline) {
			return guard, ds, err
		}
		select {
		case <-ctx.Done():
			return nil, nil, ctx.Err()
		case <-time.After(min(retryEvery, time.Until(deadline))):
		}
	}
}

// Acquire takes the guard of the lock at path, or reports who has it. It does not wait. The guard is a file beside the
// lock, .NAME.lock, held by the operating system's own file lock: it ends with the process whatever happens. Who holds it
// stands in a second file, .NAME.lock.info, since some systems let nobody read a file that is locked.
func Acquire(path string, holder Holder) (*Guard, diag.Diagnostics, error) {
	name := guardPath(path)
	for {
		file := flock.New(name, flock.SetFlag(os.O_CREATE|os.O_RDWR))
		locked, err := file.TryLock()
		if err != nil {
			return nil, nil, fmt.Errorf("locking %s: %w", path, err)
		}
		if !locked {
			return nil, diag.Diagnostics{held(path)}, nil
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

// Held reports an error when the guard was broken since it was acquired: the lock at path may be another writer's now.
func (g *Guard) Held(path string) diag.Diagnostics {
	if current(g.file, g.file.Path()) {
		return nil
	}
	return diag.Diagnostics{diag.New(diag.LockHeld,
		"The right to write %s was taken away with \"memplan force-unlock\" while this command had it. Nothing was written. Run the command again.", filepath.ToSlash(path))}
}

// Release lets the next writer in. A guard that was broken meanwhile is another writer's now and stays.
func (g *Guard) Release() error {
	name := g.file.Path()
	if !current(g.file, name) {
		return g.file.Unlock()
	}
	if err := os.Remove(infoPath(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return errors.Join(fmt.Errorf("removing the guard: %w", err), g.file.Unlock())
	}
	return g.remove(name)
}

// Break takes the guard of the lock at path away from whoever has it, and says who that was: nil when nobody did or nobody
// knows. The result is false when there is no guard. It is for guards that outlive their holder, as on some network file
// systems: a holder that is alive goes on writing.
func Break(path string) (broken bool, holder *Holder, err error) {
	name := guardPath(path)
	if _, err := os.Stat(name); err != nil {
		if errors.Is(err, fs.ErrNotExist) {
			return false, nil, nil
		}
		return false, nil, err
	}
	holder = HolderOf(path)
	if err := os.Remove(infoPath(name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, holder, err
	}
	return true, holder, os.Remove(name)
}

// HolderOf returns who has the guard of the lock at path, or left it behind, nil when nobody has or it cannot be told.
func HolderOf(path string) *Holder {
	data, err := os.ReadFile(infoPath(guardPath(path)))
	holder := new(Holder)
	if err != nil || json.Unmarshal(data, holder) != nil {
		return nil
	}
	return holder
}

func infoPath(guard string) string { return guard + ".info" }

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
		err = os.WriteFile(infoPath(g.file.Path()), data, 0o644)
	}
	if err != nil {
		return nil, nil, errors.Join(fmt.Errorf("announcing the holder of a lock: %w", err), g.Release())
	}
	return g, nil, nil
}

func held(path string) diag.Diagnostic {
	const next = "Wait for it to finish, with -lock-timeout if you like, and run the command again. Should it have ended without a trace, give the lock free with \"memplan force-unlock\"."
	holder := HolderOf(path)
	if holder == nil {
		return diag.New(diag.LockHeld, "Another memplan is writing %s. %s", filepath.ToSlash(path), next)
	}
	return diag.New(diag.LockHeld, "%s is writing %s. %s", holder, filepath.ToSlash(path), next)
}

// String describes the holder as the subject of a sentence.
func (h *Holder) String() string {
	return fmt.Sprintf("\"memplan %s\", run by %s as process %d since %s,", h.Operation, h.Who, h.PID, h.Since.UTC().Format(time.RFC3339))
}
