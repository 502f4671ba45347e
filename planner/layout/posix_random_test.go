package layout

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNumbersAreThoseOfTheCLibrary(t *testing.T) {
	r := posixRandom(0)
	for _, want := range []int64{1012484, 1716955679, 1792309082, 229610924, 1639479903, 1362739833} {
		require.Equal(t, want, r.next())
	}
}
