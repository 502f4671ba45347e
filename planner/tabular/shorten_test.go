package tabular_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/tabular"
)

func TestLongTextsAreCutBetweenCharacters(t *testing.T) {
	require.Equal(t, strings.Repeat("a", 80), tabular.Shorten(strings.Repeat("a", 80)))
	require.Equal(t, strings.Repeat("a", 79)+"...", tabular.Shorten(strings.Repeat("a", 79)+"é"))
}
