package diag

import "slices"

// ID is the stable name of a kind of diagnostic, such as "MP0103". An id is never reused for another meaning.
type ID string

// Info describes an id for docs/diagnostics.md and for renderers.
type Info struct {
	ID       ID
	Severity Severity
	Summary  string
	// Doc says when it happens and what to do, in one or two sentences.
	Doc string
}

// tables has every id once, in ascending order. It is never changed.
var tables = [][]Info{
	languageIDs, ignoreIDs, configurationIDs, importIDs, tvmIDs, fileIDs, shapeIDs, rewriteIDs, scopeIDs, plannerIDs, layoutIDs, solveIDs,
	planIDs, runIDs, commandIDs,
}

// All lists every id in ascending order. The ranges: 01 language, 02 configuration, 03 importers, 04 shapes and
// rewrites, 05 scopes and pools, 06 layout and check, 07 plan and lock files, 08 runs and devices, 09 command line.
func All() []Info {
	return slices.Concat(tables...)
}

// Lookup returns what is registered for the id. It costs O(ids).
func Lookup(id ID) (Info, bool) {
	for _, group := range tables {
		for _, info := range group {
			if info.ID == id {
				return info, true
			}
		}
	}
	return Info{}, false
}
