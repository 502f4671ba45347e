package eval

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheExpressionOfEachWordingCompiles(t *testing.T) {
	for _, w := range wordings {
		require.NotPanics(t, func() { w.detail() }, "%s: %s", w.summary, w.text)
	}
}
