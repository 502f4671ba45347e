package units

import (
	"fmt"
	"strconv"
)

// FormatBytes writes an amount for people, rounded to hundredths of the largest binary unit that gives 1 or more:
// "512 B", "1.31 MiB", "24 MiB". Use [FormatBoth] where the exact amount matters.
func FormatBytes(n int64) string {
	if n < 0 {
		// The magnitude of the smallest int64 has no int64, so it is taken as unsigned.
		return "-" + formatMagnitude(uint64(-(n+1))+1)
	}
	return formatMagnitude(uint64(n))
}

// FormatBoth writes an amount for people with its exact value: "1.31 MiB (1376256 bytes)", or "512 bytes" alone.
func FormatBoth(n int64) string {
	if n > -1024 && n < 1024 {
		return FormatExact(n)
	}
	return FormatBytes(n) + " (" + FormatExact(n) + ")"
}

// FormatExact writes the exact amount: "1376256 bytes", "1 byte".
func FormatExact(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}

// Literal writes the amount as a configuration would, exactly and with the largest unit that leaves a whole number:
// "1344KiB", "64kB", "1234". [ParseBytes] reads it back to n. Binary units are preferred; n is 0 or more.
func Literal(n int64) string {
	for _, i := range []int{3, 2, 1, 6, 5, 4} {
		if u := unitTable[i]; n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

func formatMagnitude(n uint64) string {
	for i := 3; i >= 1; i-- {
		u := uint64(unitTable[i].bytes)
		hundredths := roundedHundredths(n, u)
		if n >= u || hundredths >= 100 && i > 1 {
			return trimHundredths(hundredths) + " " + unitTable[i].name
		}
	}
	return strconv.FormatUint(n, 10) + " B"
}

// roundedHundredths returns n/u in hundredths, rounded half up. It cannot overflow: u is at least 1024.
func roundedHundredths(n, u uint64) uint64 {
	return n/u*100 + (n%u*100+u/2)/u
}

// trimHundredths writes 131 as "1.31", 150 as "1.5" and 2400 as "24".
func trimHundredths(h uint64) string {
	switch {
	case h%100 == 0:
		return strconv.FormatUint(h/100, 10)
	case h%10 == 0:
		return fmt.Sprintf("%d.%d", h/100, h%100/10)
	}
	return fmt.Sprintf("%d.%02d", h/100, h%100)
}
