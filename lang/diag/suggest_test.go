package diag_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/memplan/memplan/lang/diag"
)

func TestASentenceListsThirtyItems(t *testing.T) {
	var items []string
	for i := range 100 {
		items = append(items, strconv.Itoa(i))
	}
	assert.Equal(t, "0, 1 and 2", diag.Enumerate(items[:3], "and"))
	assert.True(t, strings.HasSuffix(diag.Enumerate(items[:31], "or"), "29 or 30"), "no one is counted that could be named")
	assert.True(t, strings.HasSuffix(diag.Enumerate(items, "or"), "28, 29 or 70 more"))
	assert.Equal(t, "30", items[30], "the list is as it was")
}

func TestNearest(t *testing.T) {
	attributes := []string{"device", "type", "holds", "size", "alignment", "images"}
	blocks := []string{"memplan", "variable", "locals", "device", "pool", "scope_rule", "graph", "planner", "run", "check", "output"}
	tests := []struct {
		name  string
		given string
		names []string
		want  string
	}{
		{"a transposition at the start of a longer name is found", "aling", attributes, "alignment"},
		{"a transposition in a short name is found", "vra", []string{"dim", "var"}, "var"},
		{"two changed letters of a short name are not", "vxy", []string{"dim", "var"}, ""},
		{"a missing letter is found", "alignmnt", attributes, "alignment"},
		{"another case is found", "SIZE", attributes, "size"},
		{"a missing end is found", "align", attributes, "alignment"},
		{"a whole name is preferred to a beginning", "pols", []string{"poolside", "pool"}, "pool"},
		{"nothing near gives nothing", "count", attributes, ""},
		{"a block of a later version is not mistaken for another", "export", blocks, ""},
		{"nor is a module", "module", blocks, ""},
		{"nor is for_each", "for_each", attributes, ""},
		{"a short name is not stretched", "x", []string{"yz"}, ""},
		{"an empty name has no neighbour", "", attributes, ""},
		{"an endless name is not compared", strings.Repeat("a", 1<<20), []string{strings.Repeat("a", 1<<20) + "b"}, ""},
		{"a letter in the middle of a long name is", strings.Repeat("stage/", 60) + "rleu" + strings.Repeat("/op", 60), []string{"x", strings.Repeat("stage/", 60) + "relu" + strings.Repeat("/op", 60)}, strings.Repeat("stage/", 60) + "relu" + strings.Repeat("/op", 60)},
		{"long names that have little in common are not", strings.Repeat("ab", 200), []string{strings.Repeat("ba", 200) + "c"}, ""},
		{"ties go to the first", "cat", []string{"bat", "hat"}, "bat"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			assert.Equal(t, test.want, diag.Nearest(test.given, test.names))
		})
	}
}

func TestDidYouMean(t *testing.T) {
	assert.Equal(t, ` Did you mean "pool"?`, diag.DidYouMean("pol", []string{"pool"}).Or(" Declare it.").String())
	assert.Equal(t, " Declare it.", diag.DidYouMean("zzz", []string{"pool"}).Or(" Declare it.").String())
}

func TestWhatAHintAdvisesIsAFixOfTheDiagnostic(t *testing.T) {
	near := diag.New(diag.UnknownBlock, "There is no block %q.%s", "pol", diag.DidYouMean("pol", []string{"pool"}))
	assert.Equal(t, `There is no block "pol". Did you mean "pool"?`, near.Detail)
	assert.Equal(t, []diag.Fix{diag.Replace{Text: "pol", With: "pool"}}, near.Fixes)

	two := near.With(diag.AddBlock{Type: "pool"})
	assert.Len(t, two.Fixes, 2)
	assert.Len(t, near.Fixes, 1, "the original keeps its own")

	assert.Empty(t, diag.New(diag.UnknownBlock, "There is no block %q.%s", "zzz", diag.DidYouMean("zzz", []string{"pool"})).Fixes)
}

func TestContaining(t *testing.T) {
	assert.Equal(t, ` Names that contain it are, for example, "a/Conv", "b/conv" and "conv". Write the whole name.`, diag.Containing("CONV", []string{"a/Conv", "relu", "b/conv", "conv", "conv2"}))
	assert.Empty(t, diag.Containing("", []string{"a"}))
	assert.Empty(t, diag.Containing("x", []string{"a"}))
}

func TestQuoted(t *testing.T) {
	assert.Equal(t, "", diag.Quoted(nil))
	assert.Equal(t, `"a"`, diag.Quoted([]string{"a"}))
	assert.Equal(t, `"a", "b" and "c"`, diag.Quoted([]string{"a", "b", "c"}))
}
