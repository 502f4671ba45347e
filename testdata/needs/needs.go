// Package needs says in one way for all tests what happens where something that they need is missing, and which of many equal
// cases they try where trying all takes too long.
package needs

import (
	"os"
	"testing"
)

// All reports whether nothing may be skipped: MEMPLAN_REQUIRE_ALL is set, as by make test.
func All() bool { return os.Getenv("MEMPLAN_REQUIRE_ALL") != "" }

// Missing ends a test that lacks something: it is skipped, or fails where nothing may be skipped. The text says what is missing
// and how to install it.
func Missing(t testing.TB, text string, args ...any) {
	t.Helper()
	if All() {
		t.Fatalf(text, args...)
	}
	t.Skipf(text, args...)
}

// Turn reports whether the case of a number is tried, of many that take the same ways through the code with other data: all of
// them, but under the race detector one in so many. The detector makes loops over numbers a hundred times slower, and what
// it looks for shows in any of the cases. Packages whose tests ask are tested without it as well by make test.
func Turn(number, in int) bool { return !Raced || number%in == 0 }
