package main

import (
	"regexp"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"
)

// slip is what no sentence of a diagnostic has: two full stops, one after a space or another mark, or spaces at its end.
var slip = regexp.MustCompile(`(^|[^.])\.\.(\s|$)| \.(\s|$)|[?!:;,]\.(\s|$)|  $| $`)

// quoted is a line of a diagnostic for people that shows what the user wrote.
var quoted = regexp.MustCompile(`^\s+(\d+: |‾|│|├|on )`)

// checkSentences looks at the text of every diagnostic that a command wrote, for people on standard error and as JSON.
func checkSentences(ts *testscript.TestScript) {
	for line := range strings.Lines(ts.ReadFile("stderr")) {
		text, inBox := strings.CutPrefix(strings.TrimSuffix(line, "\n"), "│")
		if inBox && !quoted.MatchString(text) && slip.MatchString(text) {
			ts.Fatalf("a slip in a sentence: %q", text)
		}
	}
	text := ts.ReadFile("stdout")
	for _, found := range regexp.MustCompile(`"detail": ?"((?:[^"\\]|\\.)*)"`).FindAllStringSubmatch(text, -1) {
		if slip.MatchString(found[1]) {
			ts.Fatalf("a slip in a sentence: %s", found[1])
		}
	}
}
