package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestTheCommandLine(t *testing.T) {
	log := filepath.Join(t.TempDir(), "lsp.log")
	exit := "Content-Length: 33\r\n\r\n{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}"
	for name, c := range map[string]struct {
		args      []string
		in        string
		code      int
		out, errs string
	}{
		"the version":                         {[]string{"-version"}, "", 0, "memplan-lsp " + release + "\n", ""},
		"silence on the error stream":         {nil, exit, 1, "", ""},
		"flags that clients add":              {[]string{"--stdio", "--clientProcessId=7"}, exit, 1, "", ""},
		"a log":                               {[]string{"-log-file", log}, exit, 1, "", ""},
		"a log that cannot be":                {[]string{"-log-file", filepath.Join(log, "x")}, exit, 2, "", "memplan-lsp: opening the log"},
		"a flag that there is not":            {[]string{"-x"}, "", 2, "", "flag provided but not defined: -x"},
		"the end of the input from the start": {nil, "", 1, "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			var out, errs bytes.Buffer
			assert.Equal(t, c.code, run(c.args, strings.NewReader(c.in), &out, &errs))
			assert.Equal(t, c.out, out.String())
			if c.errs == "" {
				assert.Empty(t, errs.String())
			}
			assert.Contains(t, errs.String(), c.errs)
		})
	}
	_, err := os.Stat(log)
	require.NoError(t, err)
}
