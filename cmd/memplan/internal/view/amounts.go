package view

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/memplan/memplan/lang/units"
)

// bytesText writes an amount exactly and, from 1 KiB, also rounded: "512 bytes", "1376256 bytes (1.31 MiB)".
func bytesText(n int64) string {
	if n > -1024 && n < 1024 {
		return units.FormatExact(n)
	}
	return units.FormatExact(n) + " (" + units.FormatBytes(n) + ")"
}

// changeText is bytesText with what an amount was, where it differs: "409480 → 416520 bytes (+7040), 406.76 KiB".
func changeText(was, is int64) string {
	if was == is {
		return bytesText(is)
	}
	rounded := ""
	if is >= 1024 {
		rounded = ", " + units.FormatBytes(is)
	}
	return fmt.Sprintf("%d → %s (%+d)%s", was, units.FormatExact(is), is-was, rounded)
}

// share is a part of a whole in tenths of a percent, as text: "14.1 %". A whole of 0 is full.
func share(part, whole int64) string {
	if whole <= 0 {
		return "100.0 %"
	}
	// Both are bytes of one pool, so a float's 53 bits are far finer than a tenth of a percent.
	return fmt.Sprintf("%.1f %%", 100*float64(part)/float64(whole))
}

// gauge draws a part of a whole as a bar of the given number of cells; what is not nothing shows at least one.
func gauge(part, whole int64, cells int) string {
	filled := cells
	if whole > 0 {
		filled = min(cells, int(float64(part)/float64(whole)*float64(cells)+0.5))
	}
	if part > 0 {
		filled = max(filled, 1)
	}
	return strings.Repeat("█", filled) + strings.Repeat("░", cells-filled)
}

// shapeText writes a shape as "[1, 3, 224, 224]".
func shapeText(shape []int64) string {
	parts := make([]string, len(shape))
	for i, n := range shape {
		parts[i] = strconv.FormatInt(n, 10)
	}
	return "[" + strings.Join(parts, ", ") + "]"
}
