package tabular_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/tabular"
)

func TestHeadersNameColumnsInAnyOrder(t *testing.T) {
	columns := []tabular.Column{{Names: []string{"id", "buffer"}, Needed: true}, {Names: []string{"upper", "end"}, Needed: true}, {Names: []string{"pool"}}}
	for _, c := range []struct {
		text  string
		at    []int
		fault string
	}{
		{"upper, id", []int{1, 0, -1}, ""},
		{"pool,buffer,end", []int{1, 2, 0}, ""},
		{"7,8", nil, "The first line must name the columns id and upper, and names none of them. Add such a line."},
		{"id;upper;pool", nil, "The first line must name the columns id and upper, and names none of them. Separate the columns by commas, not semicolons."},
		{"upper\tid", nil, "The first line must name the columns id and upper, and names none of them. Separate the columns by commas, not tabs."},
		{"7;8", nil, "The first line must name the columns id and upper, and names none of them. Add such a line."},
		{"pool,id", nil, `The first line must name the columns id and upper, and lacks "upper". Add what is missing.`},
		{"id,buffer,end", nil, `Column "buffer" means the same as column "id" before it. Keep one of them.`},
		{"id,uper", nil, `Column "uper" is not known; the columns are id, buffer, upper, end, pool. Did you mean "upper"? Remove or rename it.`},
	} {
		l := tabular.Line{Text: c.text, Number: 1}
		fields, _, ok := l.Split(nil)
		require.True(t, ok)
		h, faults := l.ReadHeader(columns, fields)
		if c.fault != "" {
			require.Len(t, faults, 1, c.text)
			require.Equal(t, c.fault, faults[0].Detail.Text)
			continue
		}
		require.Empty(t, faults, c.text)
		require.Equal(t, c.at, h.At, c.text)
		require.Equal(t, c.text == "pool,buffer,end", h.Named(1, "end"))
	}
	require.False(t, (&tabular.Header{}).Named(1, "end"))
}
