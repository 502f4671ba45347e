package cl

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// prepareEnvironment sets what PoCL reads when it starts, unless the user has set it: other drivers do not look at it.
//
// PoCL crashes when it cannot write its cache of compiled kernels, so a directory is made before, and another one takes
// the place of one that cannot be written. Without specialisation a kernel is compiled once for all sizes.
func prepareEnvironment() error {
	if os.Getenv("POCL_WORK_GROUP_SPECIALIZATION") == "" {
		if err := os.Setenv("POCL_WORK_GROUP_SPECIALIZATION", "0"); err != nil {
			return err
		}
	}
	var tried error
	for _, dir := range cacheDirectories() {
		err := writable(dir)
		if err == nil {
			return os.Setenv("POCL_CACHE_DIR", dir)
		}
		tried = errors.Join(tried, err)
	}
	dir, err := temporaryCache()
	if err != nil {
		return fmt.Errorf("no directory can be written for compiled kernels: %w", errors.Join(tried, err))
	}
	return os.Setenv("POCL_CACHE_DIR", dir)
}

// cacheDirectories lists where compiled kernels may be kept for long, best first.
func cacheDirectories() []string {
	var dirs []string
	if dir := os.Getenv("POCL_CACHE_DIR"); dir != "" {
		dirs = append(dirs, dir)
	}
	if cache, err := os.UserCacheDir(); err == nil {
		dirs = append(dirs, filepath.Join(cache, "memplan", "pocl"))
	}
	return dirs
}

// temporaryCache returns a directory among the temporary files, where everybody may write: one with a name that stays the
// same, when it belongs to the user alone, else a new one. Compiled kernels are code that this process runs, so a directory
// that somebody else has made is not taken.
func temporaryCache() (string, error) {
	if uid := os.Getuid(); uid >= 0 {
		dir := filepath.Join(os.TempDir(), fmt.Sprintf("memplan-pocl-%d", uid))
		if os.MkdirAll(dir, 0o700) == nil && ownedAlone(dir, uid) && writable(dir) == nil {
			return dir, nil
		}
	}
	return os.MkdirTemp("", "memplan-pocl-*")
}

// writable makes a directory and a file in it, which it removes.
func writable(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	file, err := os.CreateTemp(dir, ".memplan-*")
	if err != nil {
		return err
	}
	return errors.Join(file.Close(), os.Remove(file.Name()))
}
