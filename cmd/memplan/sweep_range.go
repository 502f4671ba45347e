package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/units"
)

// mostSwept bounds the plans that one command makes.
const mostSwept = 64

// sweepFlag reads "-sweep NAME=VALUES" and "-sweep size".
type sweepFlag struct {
	// name is a variable, a dimension, pool.NAME for the size of a pool, or "size" alone for those of all that have one.
	name   string
	values []string
}

// given reports whether the flag was.
func (f *sweepFlag) given() bool { return f.name != "" }

// Set takes the flag.
func (f *sweepFlag) Set(text string) error {
	name, list, hasValues := strings.Cut(text, "=")
	name = strings.TrimSpace(name)
	if name == "" || hasValues && list == "" || !hasValues && name != sweepSizes {
		return fmt.Errorf("a sweep is NAME=VALUES, such as batch=1..16, batch=1,2,4 or pool.arena=64KiB..1MiB, or the word %q", sweepSizes)
	}
	f.name, f.values = name, nil
	if !hasValues {
		return nil
	}
	for _, part := range strings.Split(list, ",") {
		values, err := sweepRange(strings.TrimSpace(part), strings.HasPrefix(name, "pool."))
		if err != nil {
			return err
		}
		f.values = append(f.values, values...)
	}
	if len(f.values) > mostSwept {
		return fmt.Errorf("the sweep has %d values, and at most %d are planned: name those of interest, as in %s=1,2,4,8", len(f.values), mostSwept, name)
	}
	return nil
}

// String is the flag as it was given.
func (f *sweepFlag) String() string {
	if len(f.values) == 0 {
		return f.name
	}
	return f.name + "=" + strings.Join(f.values, ",")
}

// Type names the value in the help.
func (f *sweepFlag) Type() string { return "NAME=VALUES" }

// sweepSizes sweeps the sizes of pools.
const sweepSizes = "size"

// sweepRange lists the values of "4", "1..16", each number between, or "64KiB..1MiB", doubled from one to the next as the sizes of
// pools always are.
func sweepRange(text string, sizes bool) ([]string, error) {
	from, to, ranged := strings.Cut(text, "..")
	if !ranged {
		return []string{text}, nil
	}
	low, err := strconv.ParseInt(from, 10, 64)
	high, other := strconv.ParseInt(to, 10, 64)
	if err == nil && other == nil && !sizes {
		if low > high || high-low >= mostSwept {
			return nil, fmt.Errorf("%q is no range of at most %d numbers, the smaller one first", text, mostSwept)
		}
		var out []string
		for n := low; n <= high; n++ {
			out = append(out, strconv.FormatInt(n, 10))
		}
		return out, nil
	}
	first, err := units.ParseBytes(from)
	last, other := units.ParseBytes(to)
	if err != nil || other != nil || first <= 0 || first > last {
		return nil, fmt.Errorf("%q is no range: both ends are whole numbers, or sizes such as 64KiB, the smaller one first", text)
	}
	return doubled(first, last), nil
}

// doubled lists the sizes from one to another, each twice the one before, and the last itself.
func doubled(first, last int64) []string {
	var out []string
	for n := first; n < last; n *= 2 {
		out = append(out, units.Literal(n))
		if n > math.MaxInt64/2 {
			break
		}
	}
	return slices.Compact(append(out, units.Literal(last)))
}
