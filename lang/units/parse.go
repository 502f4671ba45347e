package units

import (
	"math"
	"math/big"
	"strings"
)

// Max is the largest amount in bytes.
const Max int64 = math.MaxInt64

// longestText bounds what is read as an amount: more digits than this are a mistake, not a size.
const longestText = 64

// unit is a suffix and its factor in bytes.
type unit struct {
	name  string
	bytes int64
}

// unitTable lists the units in the order of messages: bytes, binary, decimal.
var unitTable = []unit{
	{"B", 1},
	{"KiB", 1 << 10},
	{"MiB", 1 << 20},
	{"GiB", 1 << 30},
	{"kB", 1_000},
	{"MB", 1_000_000},
	{"GB", 1_000_000_000},
}

// Names lists the units as they are written, for messages and completion.
func Names() []string {
	names := make([]string, len(unitTable))
	for i, u := range unitTable {
		names[i] = u.name
	}
	return names
}

// ParseBytes reads an amount such as "64KiB", "1.5 MiB", "1kB" or "512" (bytes). The number is decimal digits with an
// optional fraction; the unit is one of [Names], in exactly that case. The result is a whole number of bytes in
// [0, Max]. Anything else is an [*Error].
func ParseBytes(text string) (int64, error) {
	if strings.HasPrefix(text, "-") {
		return 0, &Error{Reason: Negative, Text: text}
	}
	number, suffix := split(text)
	amount, ok := decimal(number)
	if !ok || len(text) > longestText {
		return 0, malformed(text, number, suffix)
	}
	factor, ok := factorOf(suffix)
	if !ok {
		return 0, unknownUnit(text, number, suffix)
	}
	return whole(text, amount.Mul(amount, factor))
}

// FromNumber reads a number of bytes, as evaluated from a configuration. It never converts to a machine float.
func FromNumber(number *big.Float) (int64, error) {
	if n, accuracy := number.Int64(); accuracy == big.Exact && n >= 0 {
		return n, nil
	}
	exponent := number.MantExp(nil)
	switch {
	case number.Sign() < 0:
		return 0, &Error{Reason: Negative, Text: describe(number)}
	case number.IsInf() || exponent > 64:
		// Checked on the exponent, before a huge number is written out in full.
		return 0, &Error{Reason: TooLarge, Text: describe(number)}
	case number.Sign() != 0 && exponent < -64:
		return 0, &Error{Reason: Fraction, Text: describe(number), Fixes: []string{"0", "1"}}
	}
	amount, _ := number.Rat(nil)
	return whole(describe(number), amount)
}

// describe writes a number for a message without ever writing out the digits of an extreme exponent.
func describe(number *big.Float) string {
	if exponent := number.MantExp(nil); exponent > 4096 || exponent < -4096 {
		return number.Text('p', 1)
	}
	return number.Text('g', 20)
}

// split separates the leading digits and points from the unit; blanks between them are dropped.
func split(text string) (number, suffix string) {
	end := 0
	for end < len(text) && (text[end] >= '0' && text[end] <= '9' || text[end] == '.') {
		end++
	}
	suffix = text[end:]
	if trimmed := strings.TrimLeft(suffix, " "); trimmed != "" {
		suffix = trimmed
	}
	return text[:end], suffix
}

// decimal reads digits with an optional fraction: "12", "0.5", but neither ".5" nor "5." nor "1.2.3".
func decimal(number string) (*big.Rat, bool) {
	before, after, fraction := strings.Cut(number, ".")
	if before == "" || fraction && after == "" || strings.Contains(after, ".") || len(number) > longestText {
		return nil, false
	}
	return new(big.Rat).SetString(number)
}

func factorOf(suffix string) (*big.Rat, bool) {
	if suffix == "" {
		return big.NewRat(1, 1), true
	}
	for _, u := range unitTable {
		if u.name == suffix {
			return big.NewRat(u.bytes, 1), true
		}
	}
	return nil, false
}

// whole checks that the amount is a whole number of bytes within range.
func whole(text string, amount *big.Rat) (int64, error) {
	floor := new(big.Int).Quo(amount.Num(), amount.Denom())
	if !floor.IsInt64() {
		return 0, &Error{Reason: TooLarge, Text: text}
	}
	if !amount.IsInt() {
		next := new(big.Int).Add(floor, big.NewInt(1))
		return 0, &Error{Reason: Fraction, Text: text, Fixes: []string{floor.String(), next.String()}}
	}
	return floor.Int64(), nil
}
