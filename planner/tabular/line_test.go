package tabular_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/tabular"
)

func TestLinesAndFieldsKnowWhereTheyStand(t *testing.T) {
	var all []tabular.Line
	for l := range tabular.Lines("\uFEFFa, \"b\"\"c\" ,d\r\n\nlast,") {
		all = append(all, l)
	}
	require.Equal(t, []tabular.Line{{Text: `a, "b""c" ,d`, Number: 1, Start: 3}, {Number: 2, Start: 17}, {Text: "last,", Number: 3, Start: 18}}, all)
	require.True(t, all[1].Blank())
	fields, _, ok := all[0].Split(nil)
	require.True(t, ok)
	require.Equal(t, []tabular.Field{{Text: "a", To: 1}, {Text: `b"c`, From: 3, To: 9}, {Text: "d", From: 11, To: 12}}, fields)
	fields, _, ok = all[2].Split(fields)
	require.True(t, ok)
	require.Equal(t, []tabular.Field{{Text: "last", To: 4}, {From: 5, To: 5}}, fields)
	r := all[2].Range("t.csv", 0, 4)
	require.Equal(t, 18, r.Start.Byte)
	require.Equal(t, 5, r.End.Column)
}

func TestADamagedQuoteIsFound(t *testing.T) {
	for name, text := range map[string]string{"no end": `a,"b`, "text behind it": `a,"b"c,d`} {
		t.Run(name, func(t *testing.T) {
			_, damaged, ok := tabular.Line{Text: text}.Split(nil)
			require.False(t, ok)
			require.Equal(t, tabular.Field{From: 2, To: len(text)}, damaged)
		})
	}
}
