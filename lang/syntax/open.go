package syntax

import (
	"cmp"
	"errors"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// The names of files.
const (
	// ConfigSuffix ends the names of the files that make up a directory's configuration.
	ConfigSuffix = ".memplan.hcl"
	// JSONSuffix ends the names of those in JSON syntax, and after the names of variables files those of variables files in it.
	JSONSuffix = ".json"
	// VariablesFile is the variables file that always applies.
	VariablesFile = "memplan.vars.hcl"
	// AutoVariablesSuffix ends the names of further variables files that apply, in order of name.
	AutoVariablesSuffix = ".auto.memplanvars.hcl"
)

// Module is the files that a path stands for.
type Module struct {
	// Dir is the directory that relative paths start from, with forward slashes.
	Dir string
	// Files are the configuration files, by name.
	Files []*File
	// Variables are the variables files that apply: VariablesFile first, then the others by name.
	Variables []*File
}

// Open reads and parses the files that a path stands for: a single file, or every *.memplan.hcl of a directory. The
// variables files of the same directory apply in both cases. The module is never nil.
func Open(r Reader, name string) (*Module, diag.Diagnostics) {
	name = clean(name)
	names, err := r.ReadDir(name)
	if err == nil {
		return openDir(r, name, names)
	}
	src, err := r.ReadFile(name)
	if err != nil {
		return &Module{Dir: name}, diag.Diagnostics{unreadable(name, err)}
	}
	m := &Module{Dir: path.Dir(name)}
	file, ds := parse(r, name, src)
	m.Files = []*File{file}
	siblings, err := r.ReadDir(m.Dir)
	if err != nil {
		// A file may be readable in a directory that is not; then no variables files apply.
		siblings = nil
	}
	return m, append(ds, m.openVariables(r, siblings)...)
}

// OpenModule reads and parses the files of a module that a configuration calls, as [Open] does. No variables files apply:
// the values of its variables come from the call.
func OpenModule(r Reader, name string) (*Module, diag.Diagnostics) {
	name = clean(name)
	if names, err := r.ReadDir(name); err == nil {
		return openFiles(r, name, names)
	}
	src, err := r.ReadFile(name)
	if err != nil {
		return &Module{Dir: name}, diag.Diagnostics{unreadable(name, err)}
	}
	file, ds := parse(r, name, src)
	return &Module{Dir: path.Dir(name), Files: []*File{file}}, ds
}

// clean gives a path forward slashes. Backslashes separate on one system and are part of names on others, so a caller
// on the former converts before.
func clean(name string) string {
	if name == "" {
		return "."
	}
	return path.Clean(name)
}

func openDir(r Reader, dir string, names []string) (*Module, diag.Diagnostics) {
	m, ds := openFiles(r, dir, names)
	if len(m.Files) == 0 {
		return m, ds
	}
	return m, append(ds, m.openVariables(r, names)...)
}

// openFiles reads the configuration files of a directory.
func openFiles(r Reader, dir string, names []string) (*Module, diag.Diagnostics) {
	m := &Module{Dir: dir}
	var ds diag.Diagnostics
	slices.SortFunc(names, cmp.Compare[string])
	var others []string
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, "."):
		case strings.HasSuffix(strings.TrimSuffix(name, JSONSuffix), ConfigSuffix):
			file, found := m.read(r, name)
			m.Files = append(m.Files, file)
			ds = append(ds, found...)
		case strings.HasSuffix(name, ".hcl") && !isNamedForAnother(name):
			others = append(others, name)
		}
	}
	if len(m.Files) == 0 {
		return m, append(ds, noConfiguration(dir, others))
	}
	return m, ds
}

func isVariablesFile(name string) bool {
	name = strings.TrimSuffix(name, JSONSuffix)
	return name == VariablesFile || strings.HasSuffix(name, AutoVariablesSuffix)
}

// isNamedForAnother reports whether a file is by its name no configuration: one of variables or of tests.
func isNamedForAnother(name string) bool {
	return strings.HasSuffix(name, ".vars.hcl") || strings.HasSuffix(name, "memplanvars.hcl") || strings.HasSuffix(name, ".memplantest.hcl")
}

func (m *Module) openVariables(r Reader, names []string) diag.Diagnostics {
	var ds diag.Diagnostics
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool { return !isVariablesFile(name) })
	slices.SortFunc(names, func(a, b string) int {
		if (a == VariablesFile) != (b == VariablesFile) {
			if a == VariablesFile {
				return -1
			}
			return 1
		}
		return cmp.Compare(a, b)
	})
	for _, name := range names {
		file, found := m.read(r, name)
		m.Variables = append(m.Variables, file)
		ds = append(ds, found...)
	}
	return ds
}

func (m *Module) read(r Reader, base string) (*File, diag.Diagnostics) {
	return ReadFile(r, path.Join(m.Dir, base))
}

// ReadFile reads and parses one file. The result is never nil.
func ReadFile(r Reader, name string) (*File, diag.Diagnostics) {
	src, err := r.ReadFile(name)
	if err != nil {
		return emptyFile(name, nil), diag.Diagnostics{unreadable(name, err)}
	}
	return parse(r, name, src)
}

func unreadable(name string, err error) diag.Diagnostic {
	if errors.Is(err, fs.ErrNotExist) {
		return diag.New(diag.PathNotFound, "There is no file or directory %q. Check the spelling and the current directory.", name)
	}
	next := "Name the file that is meant."
	if errors.Is(err, fs.ErrPermission) {
		next = "Check its permissions."
	}
	reason := err
	// The inner error is enough: the outer one repeats the path, which may be absolute.
	if inner := (*fs.PathError)(nil); errors.As(err, &inner) {
		reason = inner.Err
	}
	return diag.New(diag.FileUnreadable, "%q could not be read: %s. %s", name, reason, next)
}

func noConfiguration(dir string, others []string) diag.Diagnostic {
	if len(others) == 0 {
		return diag.New(diag.NoConfiguration, "The directory %q has no file named *%s. Name a configuration file on the command line, or create one.", dir, ConfigSuffix)
	}
	shown := others
	if len(shown) > 5 {
		shown = shown[:5]
	}
	return diag.New(diag.NoConfiguration, "The directory %q has no file named *%s, but it has %s. Give the file on the command line, %q, or rename it to %q.",
		dir, ConfigSuffix, diag.Quoted(shown), path.Join(dir, shown[0]), strings.TrimSuffix(shown[0], ".hcl")+ConfigSuffix)
}

// Sources returns the files by name, for renderers of snippets.
func (m *Module) Sources() map[string]*hcl.File {
	sources := make(map[string]*hcl.File, len(m.Files)+len(m.Variables))
	for _, f := range slices.Concat(m.Files, m.Variables) {
		sources[f.Name] = f.HCL
	}
	return sources
}
