package exact_test

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/memplan/memplan/planner/layout/exact"
	"github.com/stretchr/testify/require"
)

// instance reads testdata/<name>.1048576.csv.
func instance(t testing.TB, name string) *exact.Problem {
	t.Helper()
	f, err := os.Open(filepath.Join("testdata", name+".1048576.csv"))
	require.NoError(t, err)
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	require.NoError(t, err)
	require.Equal(t, []string{"id", "lower", "upper", "size"}, rows[0])
	p := &exact.Problem{}
	for _, row := range rows[1:] {
		var v [4]int64
		for i, cell := range row {
			v[i], err = strconv.ParseInt(cell, 10, 64)
			require.NoError(t, err)
		}
		p.Buffers = append(p.Buffers, exact.Buffer{Size: v[3], Alignment: 1, Live: []exact.Span{{First: v[1], Last: v[2]}}, Hint: exact.NoHint})
	}
	return p
}

// fault says what is wrong with offsets as a placement, "" when nothing is.
func fault(p *exact.Problem, offsets []int64) string {
	if len(offsets) != len(p.Buffers) {
		return "offsets are missing"
	}
	for i, at := range offsets {
		b := p.Buffers[i]
		switch {
		case at < 0:
			return "an offset is negative"
		case occupies(p, i) && at%max(1, b.Alignment) != 0:
			return "an offset is not aligned"
		case b.Pinned && at != b.Offset:
			return "a pin was moved"
		}
		for j := range i {
			if conflict(p, i, j) && at < offsets[j]+p.Buffers[j].Size && offsets[j] < at+b.Size {
				return "two buffers overlap"
			}
		}
	}
	return ""
}

// conflict is the definition, written apart from the solver's.
func conflict(p *exact.Problem, i, j int) bool {
	if p.Buffers[i].Size == 0 || p.Buffers[j].Size == 0 || i == j {
		return false
	}
	if p.Conflicts != nil {
		for _, pair := range [][2]int{{i, j}, {j, i}} {
			for _, other := range p.Conflicts[pair[0]] {
				if other == pair[1] {
					return true
				}
			}
		}
		return false
	}
	for _, a := range p.Buffers[i].Live {
		for _, b := range p.Buffers[j].Live {
			if max(a.First, b.First) < min(a.Last, b.Last) {
				return true
			}
		}
	}
	return false
}

func peak(p *exact.Problem, offsets []int64) int64 {
	top := int64(0)
	for i, at := range offsets {
		if occupies(p, i) {
			top = max(top, at+p.Buffers[i].Size)
		}
	}
	return top
}

func lives(b exact.Buffer) bool {
	for _, s := range b.Live {
		if s.First < s.Last {
			return true
		}
	}
	return false
}
