package view

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestNothingThatATerminalObeysIsPrinted(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		paint palette
		want  string
	}{
		"plain text stays":                           {"a\tb\nc é 日本", false, "a\tb\nc é 日本"},
		"a cursor movement is written out":           {"x\x1b[2Jy", false, `x\x1b[2Jy`},
		"with colours as well":                       {"x\x1b[2Jy", true, `x\x1b[2Jy`},
		"a colour stays in a painted text":           {"\x1b[31mred\x1b[0m", true, "\x1b[31mred\x1b[0m"},
		"and is written out in any other":            {"\x1b[31mred", false, `\x1b[31mred`},
		"an unfinished sequence is written out":      {"\x1b[31", true, `\x1b[31`},
		"a carriage return and a bell, too":          {"a\rb\a", true, `a\rb\a`},
		"so is what turns the direction of the text": {"a\u202eb", false, `a\u202eb`},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, harmless(c.text, c.paint)) })
	}
}

func TestAFileIsWrittenAsItIsButOnATerminal(t *testing.T) {
	for width, want := range map[int]string{0: "a,\x1b[31mb\u202e\r\n", 80: `a,\x1b[31mb\u202e\r` + "\n"} {
		var out strings.Builder
		human{&Terminal{Out: &out, OutWidth: width, OutColour: width > 0}, nil}.content([]byte("a,\x1b[31mb\u202e\r\n"))
		require.Equal(t, want, out.String())
	}
}
