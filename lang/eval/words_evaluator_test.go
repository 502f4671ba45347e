package eval

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestTheExpressionsOfEachWordingCompile(t *testing.T) {
	for i := range wordings {
		require.NoError(t, wordings[i].Check())
	}
}
