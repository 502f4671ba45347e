package tvmjson_test

import (
	"encoding/binary"
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// array is an array of a parameter file.
type array struct {
	name       string
	code, bits byte
	shape      []int64
	bytes      int64
}

// paramFile writes arrays in the form of TVM's save_param_dict.
func paramFile(arrays ...array) []byte {
	le := binary.LittleEndian
	b := le.AppendUint64(nil, 0xF7E58D4F05049CB7)
	b = le.AppendUint64(b, 0)
	b = le.AppendUint64(b, uint64(len(arrays)))
	for _, a := range arrays {
		b = le.AppendUint64(b, uint64(len(a.name)))
		b = append(b, a.name...)
	}
	b = le.AppendUint64(b, uint64(len(arrays)))
	for _, a := range arrays {
		b = le.AppendUint64(b, 0xDD5E40F096B4A13F)
		b = le.AppendUint64(b, 0)
		b = le.AppendUint32(b, 1) // CPU
		b = le.AppendUint32(b, 0)
		b = le.AppendUint32(b, uint32(len(a.shape)))
		b = append(b, a.code, a.bits, 1, 0)
		for _, n := range a.shape {
			b = le.AppendUint64(b, uint64(n))
		}
		b = le.AppendUint64(b, uint64(a.bytes))
		for i := range a.bytes {
			b = append(b, byte(i))
		}
	}
	return b
}

var (
	weight = array{"fc_weight", 2, 32, []int64{3, 2}, 24}
	bias   = array{"fc_bias", 2, 32, []int64{3}, 12}
)

// namedParams are the parameters of testdata/named_graph.json. One of them is not in the graph, which TVM ignores.
func namedParams() []byte {
	return paramFile(bias, weight, array{"unused", 0, 4, []int64{3}, 2})
}

func TestBadParametersAreRefused(t *testing.T) {
	whole := paramFile(weight, bias)
	poke := func(at int, value byte) []byte {
		b := append([]byte{}, whole...)
		b[at] = value
		return b
	}
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"an empty file":                       {nil, "does not start as one"},
		"another file":                        {[]byte("{\"nodes\": []}    "), "does not start as one"},
		"a file cut in its names":             {whole[:40], "ends too early"},
		"a file cut in its contents":          {whole[:len(whole)-1], `"fc_bias": the file ends too early`},
		"more names than bytes":               {poke(23, 0x7f), "ends too early"},
		"a name longer than the file":         {poke(31, 0xff), "ends too early"},
		"more arrays than names":              {poke(56, 3), "2 names and 3 arrays"},
		"no magic number before an array":     {poke(64, 0), "no array starts"},
		"a rank beyond the limit":             {poke(88, 33), "33 axes"},
		"a huge rank":                         {poke(91, 0xff), "axes"},
		"a negative axis":                     {poke(96+7, 0xff), "do not match the shape"},
		"contents of another size":            {poke(112, 23), "do not match the shape"},
		"two parameters of one name":          {paramFile(weight, weight), `two parameters named "fc_weight"`},
		"another shape than the graph's":      {paramFile(array{"fc_bias", 2, 32, []int64{3, 1}, 12}), "float32 [3, 1], and float32 [3] in the graph"},
		"another type than the graph's":       {paramFile(array{"fc_bias", 0, 32, []int64{3}, 12}), "int32 [3], and float32 [3] in the graph"},
		"a type that cannot be planned":       {paramFile(array{"fc_bias", 0, 4, []int64{3}, 2}), "invalid [3], and float32 [3] in the graph"},
		"a boolean where the graph has float": {paramFile(array{"fc_bias", 6, 8, []int64{3}, 3}), "bool [3], and float32 [3] in the graph"},
	} {
		t.Run(name, func(t *testing.T) {
			fsys := fstest.MapFS{"net.json": {Data: []byte(text(t, "named_graph.json"))}, "net.params": {Data: c.content}}
			g, diags := importFile(t, fsys, "net.json")
			assert.Nil(t, g)
			require.NotEmpty(t, diags)
			assert.Equal(t, "MP0347", string(diags[0].ID))
			assert.Contains(t, diags[0].Detail, c.want)
		})
	}
}

func TestParametersThatCannotBeReadAreRefused(t *testing.T) {
	fsys := fstest.MapFS{"net.json": {Data: []byte(text(t, "named_graph.json"))}, "net.params/file": {}}
	_, diags := importFile(t, fsys, "net.json")
	require.Len(t, diags, 1)
	assert.Equal(t, "MP0347", string(diags[0].ID))
	assert.Contains(t, diags[0].Detail, "directory")
}
