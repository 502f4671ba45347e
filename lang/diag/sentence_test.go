package diag_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/memplan/memplan/lang/diag"
)

func TestAnErrorIsAPhraseOfASentence(t *testing.T) {
	for text, want := range map[string][2]string{
		"permission denied":                   {"permission denied", "permission denied."},
		"The process cannot access the file.": {"The process cannot access the file", "The process cannot access the file."},
		"it ends here...\n":                   {"it ends here", "it ends here."},
		"Did you mean \"x\"?":                 {"Did you mean \"x\"?", "Did you mean \"x\"?"},
		errors.Join(errors.New("one."), errors.New("two")).Error(): {"one; two", "one; two."},
	} {
		assert.Equal(t, want[0], diag.Phrase(errors.New(text)))
		assert.Equal(t, want[1], diag.Sentence(errors.New(text)))
		assert.Equal(t, "It failed: "+want[0]+". Try again.", diag.New(diag.InternalFault, "It failed: %v. Try again.", errors.New(text)).Detail)
		assert.Equal(t, "It failed: "+want[1], diag.New(diag.InternalFault, "It failed: %v", errors.New(text)).Detail)
	}
	assert.Equal(t, "100 % of it.", diag.New(diag.InternalFault, "100 % of it.").Detail, "a text alone is no format")
}
