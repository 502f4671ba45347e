package units_test

import (
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/units"
)

func TestParseBytesReads(t *testing.T) {
	tests := []struct {
		name, text string
		want       int64
	}{
		{"no unit is bytes", "64", 64},
		{"zero is a size", "0", 0},
		{"bytes", "7B", 7},
		{"binary kilo", "64KiB", 65536},
		{"a fraction that gives whole bytes", "1.5KiB", 1536},
		{"a long fraction that gives whole bytes", "0.0009765625KiB", 1},
		{"binary mega", "24MiB", 25165824},
		{"binary giga", "1GiB", 1073741824},
		{"decimal kilo", "1kB", 1000},
		{"decimal mega", "1.5MB", 1500000},
		{"decimal giga", "2GB", 2000000000},
		{"a blank before the unit", "64 KiB", 65536},
		{"the largest size", "9223372036854775807", math.MaxInt64},
		{"the largest size that a float cannot hold", "9007199254740993B", 9007199254740993},
		{"leading zeros are decimal", "010KiB", 10240},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := units.ParseBytes(test.text)
			require.NoError(t, err)
			assert.Equal(t, test.want, got)
		})
	}
}

func TestParseBytesRefuses(t *testing.T) {
	tests := []struct {
		name, text string
		reason     units.Reason
		says       string
	}{
		{"nothing", "", units.Malformed, `as in "64KiB"`},
		{"a unit alone", "KiB", units.Malformed, "not a size"},
		{"KB could be either", "64KB", units.UnknownUnit, `"64KiB" (65536 bytes) or "64kB" (64000 bytes)`},
		{"lower case", "64kib", units.UnknownUnit, `Write "64KiB"`},
		{"upper case", "2GIB", units.UnknownUnit, `Write "2GiB"`},
		{"mb in lower case", "2mb", units.UnknownUnit, `"2MiB" (2097152 bytes) or "2MB" (2000000 bytes)`},
		{"a bare K", "2K", units.UnknownUnit, `"2KiB" (2048 bytes) or "2kB" (2000 bytes)`},
		{"bytes in words", "2 bytes", units.UnknownUnit, `"2B" (2 bytes)`},
		{"a unit nobody knows lists the units", "64Q", units.UnknownUnit, "B, KiB, MiB, GiB, kB, MB, GB"},
		{"terabytes", "1TiB", units.UnknownUnit, "Use one of"},
		{"a trailing blank", "64KiB ", units.UnknownUnit, `Write "64KiB"`},
		{"blanks alone after the number", "64  ", units.UnknownUnit, "unit"},
		{"a leading blank", " 64KiB", units.Malformed, `Write "64KiB"`},
		{"negative", "-5KiB", units.Negative, "0 bytes or more"},
		{"a plus sign", "+5KiB", units.Malformed, `Write "5KiB"`},
		{"a fraction of a byte", "1.3KiB", units.Fraction, "1331 or 1332"},
		{"half a byte", "0.5", units.Fraction, "0 or 1"},
		{"a missing integer part", ".5KiB", units.Malformed, `Write "0.5KiB"`},
		{"a missing fraction", "5.KiB", units.Malformed, `Write "5KiB"`},
		{"two points", "1.2.3KiB", units.Malformed, "not a size"},
		{"separators", "1_000KiB", units.UnknownUnit, "unit"},
		{"an exponent", "1e3", units.UnknownUnit, "unit"},
		{"one more than the largest", "9223372036854775808", units.TooLarge, "9223372036854775807"},
		{"too large by its unit", "8589934592GiB", units.TooLarge, "largest size"},
		{"digits without end", strings.Repeat("9", 1<<20), units.Malformed, "..."},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			_, err := units.ParseBytes(test.text)
			var e *units.Error
			require.ErrorAs(t, err, &e)
			assert.Equal(t, test.reason, e.Reason)
			assert.Contains(t, e.Error(), test.says)
			assert.Less(t, len(e.Error()), 400)
		})
	}
}

func TestFromNumber(t *testing.T) {
	huge := new(big.Float).SetMantExp(big.NewFloat(1), 1<<30)
	tiny := new(big.Float).SetMantExp(big.NewFloat(1), -(1 << 30))
	exact, _, err := big.ParseFloat("9223372036854775807", 10, 512, big.ToNearestEven)
	require.NoError(t, err)
	tests := []struct {
		name   string
		number *big.Float
		want   int64
		reason units.Reason
		fails  bool
	}{
		{"zero", big.NewFloat(0), 0, 0, false},
		{"a whole number", big.NewFloat(64), 64, 0, false},
		{"the largest, exactly", exact, math.MaxInt64, 0, false},
		{"a fraction", big.NewFloat(1.5), 0, units.Fraction, true},
		{"a negative number", big.NewFloat(-1), 0, units.Negative, true},
		{"a number whose digits would fill memory", huge, 0, units.TooLarge, true},
		{"a fraction whose digits would fill memory", tiny, 0, units.Fraction, true},
		{"infinity", big.NewFloat(math.Inf(1)), 0, units.TooLarge, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := units.FromNumber(test.number)
			if !test.fails {
				require.NoError(t, err)
				assert.Equal(t, test.want, got)
				return
			}
			var e *units.Error
			require.True(t, errors.As(err, &e))
			assert.Equal(t, test.reason, e.Reason)
		})
	}
}

func TestFormat(t *testing.T) {
	tests := []struct {
		n                    int64
		human, both, literal string
	}{
		{0, "0 B", "0 bytes", "0"},
		{1, "1 B", "1 byte", "1"},
		{1023, "1023 B", "1023 bytes", "1023"},
		{1024, "1 KiB", "1 KiB (1024 bytes)", "1KiB"},
		{1376256, "1.31 MiB", "1.31 MiB (1376256 bytes)", "1344KiB"},
		{64000, "62.5 KiB", "62.5 KiB (64000 bytes)", "64kB"},
		{1048575, "1 MiB", "1 MiB (1048575 bytes)", "1048575"},
		{25165824, "24 MiB", "24 MiB (25165824 bytes)", "24MiB"},
		{math.MaxInt64, "8589934592 GiB", "8589934592 GiB (9223372036854775807 bytes)", "9223372036854775807"},
	}
	for _, test := range tests {
		t.Run(test.both, func(t *testing.T) {
			assert.Equal(t, test.human, units.FormatBytes(test.n))
			assert.Equal(t, test.both, units.FormatBoth(test.n))
			assert.Equal(t, test.literal, units.Literal(test.n))
		})
	}
	assert.Equal(t, "-1.5 KiB", units.FormatBytes(-1536))
	assert.Equal(t, "-8589934592 GiB", units.FormatBytes(math.MinInt64))
}

func TestLiteralReadsBack(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.Int64Min(0).Draw(t, "n")
		if rapid.Bool().Draw(t, "round") {
			n = n >> 40 << rapid.IntRange(0, 39).Draw(t, "shift")
		}
		got, err := units.ParseBytes(units.Literal(n))
		if err != nil || got != n {
			t.Fatalf("%d was written %q and read back as %d (%v)", n, units.Literal(n), got, err)
		}
	})
}

func FuzzParseBytes(f *testing.F) {
	for _, seed := range []string{"64KiB", "1.5 MiB", "-1", "64KB", ".5", "5.", "1e9", "9223372036854775808", "\x00", "é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := units.ParseBytes(text)
		if err != nil {
			if err.Error() == "" {
				t.Fatal("an error without words")
			}
			return
		}
		if n < 0 {
			t.Fatalf("%q gave %d", text, n)
		}
	})
}
