package diag

import (
	"fmt"
	"strings"

	"github.com/agext/levenshtein"
)

// Nearest returns the name that was most likely meant by given, "" when none is near. A name is near when it differs
// by case only, by an edit or two (three for long names), or when given resembles its beginning. Ties go to the name
// that comes first. It costs O(names · length²).
func Nearest(given string, names []string) string {
	best, bestCost := "", 1<<30
	for _, name := range names {
		if cost, near := distance(given, name); near && cost < bestCost {
			best, bestCost = name, cost
		}
	}
	return best
}

// DidYouMean is the hint ` Did you mean "x"?` for the nearest name, an empty one when none is near.
func DidYouMean(given string, names []string) Hint {
	if name := Nearest(given, names); name != "" {
		return Meant(given, name)
	}
	return Hint{}
}

// Meant is the hint that a name was meant where another was given.
func Meant(given, name string) Hint {
	return Hint{fmt.Sprintf(" Did you mean %q?", name), Replace{given, name}}
}

// Containing returns a sentence with a leading space about the first names that contain a text in whatever case, "" when none does.
// It is for names too long to be typed, of which people know a part.
func Containing(text string, names []string) string {
	const most = 3
	var found []string
	text = strings.ToLower(text)
	for _, name := range names {
		if text != "" && len(found) < most && strings.Contains(strings.ToLower(name), text) {
			found = append(found, name)
		}
	}
	if found == nil {
		return ""
	}
	return fmt.Sprintf(" Names that contain it are, for example, %s. Write the whole name.", Quoted(found))
}

// Names are compared up to longestNamed bytes; longestCompared bounds the quadratic comparison of what two names do not have
// in common at their beginnings and ends.
const (
	longestNamed    = 4096
	longestCompared = 128
)

// distance returns the cost of taking given for name and whether it is small enough to be suggested.
func distance(given, name string) (cost int, near bool) {
	if len(given) > longestNamed || len(name) > longestNamed || given == "" || name == "" {
		return 0, false
	}
	if strings.EqualFold(given, name) {
		return 0, true
	}
	cost = 1 << 29
	whole := edits(given, name)
	if whole == 2 && transposed(given, name) {
		whole = 1
	}
	if whole <= allowed(len(given)) && whole < len(given) {
		cost, near = 2*whole, true
	}
	if len(given) < 4 || len(name) <= len(given) {
		return cost, near
	}
	// A resembling beginning counts a little more than the same number of edits of a whole name.
	if start := edits(given, name[:len(given)]); start <= min(2, len(given)-3) {
		cost, near = min(cost, 2*start+1), true
	}
	return cost, near
}

// edits is the number of letters to insert, remove or replace, large when it is not worth counting.
func edits(a, b string) int {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		a, b = a[1:], b[1:]
	}
	for len(a) > 0 && len(b) > 0 && a[len(a)-1] == b[len(b)-1] {
		a, b = a[:len(a)-1], b[:len(b)-1]
	}
	if len(a) > longestCompared || len(b) > longestCompared {
		return 1 << 20
	}
	return levenshtein.Distance(a, b, nil)
}

// transposed tells whether two neighbouring letters changed places, the commonest slip of fingers.
func transposed(given, name string) bool {
	if len(given) != len(name) {
		return false
	}
	i := 0
	for given[i] == name[i] {
		i++
	}
	return i+1 < len(name) && given[i] == name[i+1] && given[i+1] == name[i] && given[i+2:] == name[i+2:]
}

func allowed(length int) int {
	switch {
	case length <= 3:
		return 1
	case length <= 8:
		return 2
	}
	return 3
}

// Quoted joins names as `"a", "b" and "c"` for messages.
func Quoted(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = fmt.Sprintf("%q", name)
	}
	return Enumerate(quoted, "and")
}

// mostEnumerated is how many items a sentence lists.
const mostEnumerated = 30

// Enumerate joins items as "a, b and c", with the given last conjunction. Of many, those beyond the first are counted, as in
// "a, b and 70 more".
func Enumerate(items []string, conjunction string) string {
	if more := len(items) - mostEnumerated; more > 1 {
		items = append(items[:mostEnumerated:mostEnumerated], fmt.Sprintf("%d more", more))
	}
	switch len(items) {
	case 0:
		return ""
	case 1:
		return items[0]
	}
	last := len(items) - 1
	return strings.Join(items[:last], ", ") + " " + conjunction + " " + items[last]
}
