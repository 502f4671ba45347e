package main

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAPlanWhoseSearchWasStoppedIsShownAndNotAccepted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, c := range map[string]struct {
		args []string
		code int
		ids  []string
		file string
	}{
		"plan shows it with a warning":  {[]string{"plan", "DIR/net.json"}, 0, []string{"MP0579"}, "net.mpplan"},
		"plan -out does not save it":    {[]string{"plan", "-out", "DIR/net.mpplan", "DIR/net.json"}, 1, []string{"MP0579", "MP0580"}, "net.mpplan"},
		"apply does not write the lock": {[]string{"apply", "-auto-approve", "DIR/net.json"}, 1, []string{"MP0580"}, "*.lock.json"},
	} {
		t.Run(name, func(t *testing.T) {
			code, stdout, stderr, dir := invoke(ctx, t, "", c.args...)
			require.Equal(t, c.code, code, stdout+stderr)
			for _, id := range c.ids {
				require.Contains(t, stdout+stderr, id)
			}
			files, err := filepath.Glob(filepath.Join(dir, c.file))
			require.NoError(t, err)
			require.Empty(t, files)
		})
	}
}
