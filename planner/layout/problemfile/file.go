package problemfile

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
)

// DefaultPool is the name of the pool of a problem that names none.
const DefaultPool = "memory"

// Format is the form of a problem.
type Format int

// The formats.
const (
	CSV Format = iota
	JSON
)

// Pool is a pool with its name; its capacity is layout.Unlimited when it has none.
type Pool struct {
	Name string
	layout.Pool
}

// File is a problem that was read.
type File struct {
	// Name is the file's, for messages. Text is its content, unpacked.
	Name   string
	Text   []byte
	Format Format
	// Pools and IDs name the pools and buffers of the problem, in its order.
	Pools   []Pool
	IDs     []string
	Problem layout.Problem

	table table
}

// Read reads the content of a file; a file that begins as JSON objects do is JSON, every other is CSV. The declared pools
// take the place of those of a JSON file and are all that a CSV file may name; without them a CSV file declares an
// unlimited pool with each new name. The file is returned with Text even when there are errors, for quoting. It costs
// O(content + conflicts + buffers · pools).
func Read(name string, content []byte, declared []Pool) (*File, diag.Diagnostics) {
	f := &File{Name: name}
	text, ds := unpack(name, content)
	if ds.HasErrors() {
		return f, ds
	}
	f.Text = text
	r := &reader{File: f, text: string(text), declared: declared, line: map[string]int{}}
	if isJSON(text) {
		f.Format = JSON
		r.readJSON()
	} else {
		r.readCSV()
	}
	return f, r.finish()
}

func isJSON(text []byte) bool {
	text = bytes.TrimLeft(bytes.TrimPrefix(text, []byte("\uFEFF")), " \t\r\n")
	return len(text) > 0 && text[0] == '{'
}

// RankByName tells the problem's buffers how their names sort, which algorithms of other systems ask for. It costs
// O(n log n).
func (f *File) RankByName() {
	order := make([]int, len(f.IDs))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return cmp.Compare(f.IDs[a], f.IDs[b]) })
	for rank, i := range order {
		f.Problem.Buffers[i].Rank = rank
	}
}

// PoolNames lists the names of the pools.
func (f *File) PoolNames() []string {
	names := make([]string, len(f.Pools))
	for i := range f.Pools {
		names[i] = f.Pools[i].Name
	}
	return names
}
