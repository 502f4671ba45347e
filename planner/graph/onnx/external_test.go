package onnx_test

import (
	"testing"
	"testing/fstest"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// external is a model with the weight "w" of 8 bytes in another file; entries are keys and values in turn.
func external(entries ...string) msg {
	w := tensor("w", float32Elem, 2).num(14, 1)
	for i := 0; i < len(entries); i += 2 {
		w = w.sub(13, msg{}.str(1, entries[i]).str(2, entries[i+1]))
	}
	return model(13, initializer(w), untyped("w"))
}

func importBeside(t *testing.T, m msg) (*graph.Graph, diag.Diagnostics) {
	t.Helper()
	fsys := fstest.MapFS{
		"models/net.onnx":      {Data: m},
		"models/net.bin":       {Data: []byte("0123456789abcdef")},
		"models/parts/one.bin": {Data: []byte("partpart")},
		"secret.bin":           {Data: []byte("secretly")},
	}
	f, err := source.Open(fsys, "models/net.onnx")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, f.Close()) })
	return onnx.Import(f)
}

func TestExternalValuesAreRead(t *testing.T) {
	cases := map[string]struct {
		entries []string
		want    string
	}{
		"a range":                      {list("location", "net.bin", "offset", "4", "length", "8", "checksum", "beef"), "456789ab"},
		"from an offset on":            {list("location", "net.bin", "offset", "8"), "89abcdef"},
		"a whole file in a directory":  {list("location", "parts/one.bin"), "partpart"},
		"keys that nobody knows":       {list("location", "net.bin", "future", "x"), "01234567"},
		"without length, a longer one": {list("location", "net.bin"), "01234567"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g, diags := importBeside(t, external(c.entries...))
			require.Empty(t, diags)
			assert.Equal(t, c.want, string(read(t, tensorNamed(t, g, "w"))))
		})
	}
}

func TestExternalValuesThatCannotBeReadNameTensorAndFile(t *testing.T) {
	cases := map[string]struct{ entries, names []string }{
		"no location":              {list("offset", "0"), list("does not say which")},
		"a missing file":           {list("location", "gone.bin"), list(`"gone.bin"`, "not exist")},
		"a file above":             {list("location", "../secret.bin"), list(`"../secret.bin"`)},
		"a way round":              {list("location", "parts/../../secret.bin"), list("secret.bin")},
		"an absolute path":         {list("location", "/etc/passwd"), list("/etc/passwd")},
		"a drive":                  {list("location", `C:\x`), list("C:")},
		"a directory":              {list("location", "parts"), list(`"parts"`)},
		"an offset behind the end": {list("location", "net.bin", "offset", "17"), list("16 bytes", "byte 17")},
		"too few bytes left":       {list("location", "net.bin", "offset", "9"), list("16 bytes", "8 from byte 9")},
		"a length that differs":    {list("location", "net.bin", "length", "12"), list("12 bytes", "needs 8")},
		"a negative offset":        {list("location", "net.bin", "offset", "-1"), list(`"-1"`)},
		"an offset that is a word": {list("location", "net.bin", "offset", "one"), list(`"one"`)},
		"an offset that overflows": {list("location", "net.bin", "offset", "9223372036854775808"), list("9223372036854775808")},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			g, diags := importBeside(t, external(c.entries...))
			require.Nil(t, g)
			require.Len(t, diags, 1)
			assert.Equal(t, diag.ID("MP0312"), diags[0].ID)
			for _, want := range append(c.names, `initializer "w"`) {
				assert.Contains(t, diags[0].Detail, want)
			}
		})
	}
}
