package syntax_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
)

func names(files []*syntax.File) []string {
	var list []string
	for _, f := range files {
		list = append(list, f.Name)
	}
	return list
}

func TestOpen(t *testing.T) {
	files := syntax.Memory{
		"c/b.memplan.hcl": "b = 1", "c/a.memplan.hcl": "a = 1", "c/other.hcl": "o = 1", "c/.hidden.memplan.hcl": "=",
		"c/memplan.vars.hcl": "v = 1", "c/z.auto.memplanvars.hcl": "z = 1", "c/a.auto.memplanvars.hcl": "y = 1",
		"c/readme.txt": "", "single.hcl": "s = 1",
	}
	tests := []struct {
		name, path, dir  string
		files, variables []string
	}{
		{"a directory has its own files by name", "c", "c", []string{"c/a.memplan.hcl", "c/b.memplan.hcl"},
			[]string{"c/memplan.vars.hcl", "c/a.auto.memplanvars.hcl", "c/z.auto.memplanvars.hcl"}},
		{"a trailing slash changes nothing", "c/", "c", []string{"c/a.memplan.hcl", "c/b.memplan.hcl"},
			[]string{"c/memplan.vars.hcl", "c/a.auto.memplanvars.hcl", "c/z.auto.memplanvars.hcl"}},
		{"a file stands alone with the variables beside it", "c/other.hcl", "c", []string{"c/other.hcl"},
			[]string{"c/memplan.vars.hcl", "c/a.auto.memplanvars.hcl", "c/z.auto.memplanvars.hcl"}},
		{"a file in the current directory", "single.hcl", ".", []string{"single.hcl"}, nil},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, ds := syntax.Open(files, test.path)
			require.Empty(t, ds)
			assert.Equal(t, test.dir, m.Dir)
			assert.Equal(t, test.files, names(m.Files))
			assert.Equal(t, test.variables, names(m.Variables))
			assert.Len(t, m.Sources(), len(test.files)+len(test.variables))
		})
	}
}

// faulty has a file that exists and cannot be read.
type faulty struct{ syntax.Memory }

func (f faulty) ReadFile(name string) ([]byte, error) {
	if name == "secret.hcl" {
		return nil, &fs.PathError{Op: "open", Path: "/absolute/secret.hcl", Err: errors.New("permission denied")}
	}
	return f.Memory.ReadFile(name)
}

func TestOpenRefuses(t *testing.T) {
	files := faulty{syntax.Memory{"other/config.hcl": "", "other/more.hcl": "", "other/memplan.vars.hcl": "", "other/prod.vars.hcl": "", "other/ci.memplanvars.hcl": "", "other/a.memplantest.hcl": "", "empty/readme.txt": ""}}
	tests := []struct {
		name, path string
		id         diag.ID
		says       string
	}{
		{"a path that is not there", "nope.hcl", "MP0114", `"nope.hcl"`},
		{"a file that cannot be read", "secret.hcl", "MP0115", `"secret.hcl" could not be read: permission denied`},
		{"a directory of other files names them", "other", "MP0116", `it has "config.hcl" and "more.hcl". Give the file on the command line, "other/config.hcl", or rename it to "config.memplan.hcl".`},
		{"a directory without any", "empty", "MP0116", "or create one"},
		{"an empty path is the current directory", "", "MP0116", `"."`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			m, ds := syntax.Open(files, test.path)
			require.NotNil(t, m)
			require.Len(t, ds, 1)
			assert.Equal(t, test.id, ds[0].ID)
			assert.Contains(t, ds[0].Detail, test.says)
			assert.NotContains(t, ds[0].Detail, "/absolute")
		})
	}
}

func TestDisk(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "a.memplan.hcl"), []byte("a = 1"), 0o600))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "sub"), 0o700))
	m, ds := syntax.Open(syntax.Disk{}, filepath.ToSlash(dir))
	require.Empty(t, ds)
	assert.Len(t, m.Files, 1)
	listed, err := syntax.Disk{}.ReadDir(dir)
	require.NoError(t, err)
	assert.Equal(t, []string{"a.memplan.hcl"}, listed)

	large := filepath.Join(dir, "large.hcl")
	require.NoError(t, os.WriteFile(large, nil, 0o600))
	require.NoError(t, os.Truncate(large, 1<<40))
	_, ds = syntax.Open(syntax.Disk{}, filepath.ToSlash(large))
	require.Len(t, ds, 1, "a sparse file of a terabyte is not read")
	assert.Equal(t, diag.ID("MP0112"), ds[0].ID)
}
