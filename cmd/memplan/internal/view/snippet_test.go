package view

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

// faultIn is a diagnostic about the marked part of a text, «like this».
func faultIn(text string) (Sources, diag.Diagnostic) {
	before, rest, _ := strings.Cut(text, "«")
	marked, after, _ := strings.Cut(rest, "»")
	file := &hcl.File{Bytes: []byte(before + marked + after)}
	line := 1 + strings.Count(before, "\n")
	r := hcl.Range{Filename: "net.json", Start: hcl.Pos{Line: line, Column: 1, Byte: len(before)}, End: hcl.Pos{Line: line, Column: 1, Byte: len(before) + len(marked)}}
	return func(string) *hcl.File { return file }, diag.Diagnostic{ID: "MP0381", Severity: diag.Error, Summary: "A fault", Detail: "It is wrong.", Subject: &r}
}

func TestALongLineIsShownAroundItsFault(t *testing.T) {
	long := strings.Repeat("é", 1<<19)
	for name, c := range map[string]struct{ text, cut, marked string }{
		"in the middle":               {long + "a«fault»b" + long, "…ée…", "fault"},
		"at the start":                {"«fault»" + long, "fé…", "fault"},
		"at the end":                  {long + "«fault»", "…ét", "fault"},
		"after the end":               {long + "«»", "…éé", ""},
		"on another line":             {"{\n" + long + "«fault»" + long + "\n}", "…éé…", "fault"},
		"longer than what is seen":    {"a" + long + "«" + long + "»" + long, "…éé…", strings.Repeat("é", 50)},
		"a short line":                {"a«fault»b", "ab", "fault"},
		"control characters far away": {"\x01" + long + "«fault»" + long, "…éé…", "fault"},
	} {
		t.Run(name, func(t *testing.T) {
			sources, d := faultIn(c.text)
			s := snippetOf(sources, d.Subject)
			require.NotNil(t, s)
			require.LessOrEqual(t, len(s.Text), windowBytes+2*len(ellipsis))
			require.True(t, utf8.ValidString(s.Text))
			require.Equal(t, c.marked, s.Text[s.From:s.To])
			first, _ := utf8.DecodeRuneInString(c.cut)
			last, _ := utf8.DecodeLastRuneInString(c.cut)
			require.True(t, strings.HasPrefix(s.Text, string(first)), s.Text)
			require.True(t, strings.HasSuffix(s.Text, string(last)), s.Text)
		})
	}
}

func TestNoRenderingOfALongLineIsLong(t *testing.T) {
	sources, d := faultIn(strings.Repeat(`{"name":"x"},`, 1<<17) + "«1»" + strings.Repeat(",[]", 1<<10))
	d.Related = []diag.Related{{Message: "Here too:", Range: *d.Subject}}
	var out bytes.Buffer
	writeDiagnostics(&out, false, 80, sources, diag.Diagnostics{d})
	require.Less(t, out.Len(), 2000)
	data, err := json.Marshal(jsonDiagnostics(sources, diag.Diagnostics{d}))
	require.NoError(t, err)
	require.Less(t, len(data), 2000)
}
