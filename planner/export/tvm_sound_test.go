package export_test

import (
	"encoding/json"
	"strconv"

	"github.com/stretchr/testify/require"
)

// file is a graph file as a reader of TVM's sees it.
type file struct {
	Nodes []struct {
		Op, Name string
		Attrs    map[string]string
		Inputs   [][]int64
	}
	ArgNodes   []int64                      `json:"arg_nodes"`
	Heads      [][]int64                    `json:"heads"`
	NodeRowPtr []int64                      `json:"node_row_ptr"`
	Attrs      map[string][]json.RawMessage `json:"attrs"`
}

func (f *file) integers(t require.TestingT, name string) []int64 {
	var list []int64
	if pair := f.Attrs[name]; pair != nil {
		require.NoError(t, json.Unmarshal(pair[1], &list))
	} else {
		list = make([]int64, f.NodeRowPtr[len(f.Nodes)])
	}
	return list
}

// sizes are the bytes of each entry.
func (f *file) sizes(t require.TestingT) []int64 {
	var shapes [][]int64
	var types []string
	require.NoError(t, json.Unmarshal(f.Attrs["shape"][1], &shapes))
	require.NoError(t, json.Unmarshal(f.Attrs["dltype"][1], &types))
	out := make([]int64, len(shapes))
	for i := range shapes {
		bits, err := strconv.ParseInt(types[i][len(types[i])-1:], 10, 64)
		if len(types[i]) > 2 && err == nil {
			if wide, err := strconv.ParseInt(types[i][len(types[i])-2:], 10, 64); err == nil {
				bits = wide
			}
		} else {
			bits = 8 // bool
		}
		out[i] = bits / 8
		for _, n := range shapes[i] {
			out[i] *= n
		}
	}
	return out
}

// requireSound runs a file's nodes in order and demands that no two entries that are alive together share bytes, unless
// one is an alias of the other. It knows nothing of the plan.
func requireSound(t require.TestingT, text string) {
	var f file
	require.NoError(t, json.Unmarshal([]byte(text), &f))
	entry := func(ref []int64) int64 { return f.NodeRowPtr[ref[0]] + ref[1] }
	count := f.NodeRowPtr[len(f.Nodes)]
	first, last, base := make([]int64, count), make([]int64, count), make([]int64, count)
	for i := range f.Nodes {
		n := &f.Nodes[i]
		for e := f.NodeRowPtr[i]; e < f.NodeRowPtr[i+1]; e++ {
			first[e], last[e], base[e] = int64(i), int64(i), e
			if n.Op == "null" {
				first[e] = 0
			}
			if n.Attrs["func_name"] == "__nop" {
				base[e] = base[entry(n.Inputs[0])]
			}
		}
		for _, in := range n.Inputs {
			last[base[entry(in)]] = int64(i)
		}
	}
	for _, head := range f.Heads {
		last[base[entry(head)]] = int64(len(f.Nodes))
	}
	storages, offsets, sizes := f.integers(t, "storage_id"), f.integers(t, "offset"), f.sizes(t)
	for a := range count {
		for b := range a {
			alive := first[base[a]] <= last[base[b]] && first[base[b]] <= last[base[a]]
			bytes := storages[a] == storages[b] && offsets[a] < offsets[b]+sizes[b] && offsets[b] < offsets[a]+sizes[a]
			if alive && bytes {
				require.Equal(t, base[a], base[b], "entries %d and %d share bytes of storage %d", b, a, storages[a])
			}
		}
	}
}
