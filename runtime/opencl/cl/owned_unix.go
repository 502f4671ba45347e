//go:build unix

package cl

import (
	"os"
	"syscall"
)

// ownedAlone reports whether a path is a directory, and no link to one, of the user with the number, that nobody else may
// enter.
func ownedAlone(dir string, uid int) bool {
	info, err := os.Lstat(dir)
	if err != nil || !info.IsDir() || info.Mode().Perm() != 0o700 {
		return false
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Uid) == uid
}
