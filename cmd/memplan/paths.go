package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/plan"
)

// unreadable describes a path of the command line that cannot be read.
func unreadable(name string, err error) diag.Diagnostic {
	name = filepath.ToSlash(name)
	if link, linkErr := os.Readlink(name); linkErr == nil {
		return diag.New(diag.FileUnreadable, "%q is a link to %q, which cannot be read: %v. Mend the link, or remove it.", filepath.ToSlash(name), filepath.ToSlash(link), cause(err))
	}
	if errors.Is(err, fs.ErrNotExist) {
		return diag.New(diag.PathNotFound, "There is no file or directory %q.%s Check the spelling and the current directory.", name, nearestPath(name))
	}
	next := "Name the file that is meant."
	if errors.Is(err, fs.ErrPermission) {
		next = "Check its permissions."
	}
	return diag.New(diag.FileUnreadable, "%q could not be read: %s. %s", name, cause(err), next)
}

// nearestPath suggests the name in the same directory that was likely meant.
func nearestPath(name string) string {
	entries, err := os.ReadDir(filepath.Dir(name))
	if err != nil {
		return ""
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	return diag.DidYouMean(filepath.Base(name), names).Text
}

// cause is the reason alone, without the path that the operating system repeats and that may be absolute.
func cause(err error) error {
	var pathError *fs.PathError
	var linkError *os.LinkError
	switch {
	case errors.As(err, &pathError):
		return pathError.Err
	case errors.As(err, &linkError):
		return linkError.Err
	}
	return err
}

func notWritten(name string, err error) diag.Diagnostic {
	var pathError *fs.PathError
	if errors.As(err, &pathError) && strings.HasSuffix(pathError.Path, plan.BackupSuffix) {
		name += plan.BackupSuffix
	}
	next := "Check the directory and its permissions."
	if errors.Is(err, syscall.ENOSPC) {
		next = "Make room on the disk; what was there before is as it was."
	}
	return diag.New(diag.FileNotWritten, "%q could not be written: %s. %s", name, cause(err), next)
}
