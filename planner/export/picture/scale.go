package picture

import (
	"fmt"
	"math/bits"
	"strconv"

	"github.com/memplan/memplan/lang/units"
)

// scaled is value/whole of the length, exact to the last unit of the length and without a float, whose rounding depends on
// the machine. The value is cut to [0, whole]; a whole of 0 or less gives 0.
func scaled(value, whole, length int64) int64 {
	if whole <= 0 || value <= 0 {
		return 0
	}
	hi, lo := bits.Mul64(uint64(min(value, whole)), uint64(length))
	quotient, _ := bits.Div64(hi, lo, uint64(whole))
	return int64(quotient)
}

// pixels writes hundredths of a pixel as a number of pixels.
func pixels(hundredths int64) string {
	if hundredths < 0 {
		return "-" + pixels(-hundredths)
	}
	whole, part := hundredths/100, hundredths%100
	switch {
	case part == 0:
		return strconv.FormatInt(whole, 10)
	case part%10 == 0:
		return fmt.Sprintf("%d.%d", whole, part/10)
	}
	return fmt.Sprintf("%d.%02d", whole, part)
}

// byteTicks are the multiples of a power of two, at most so many beside 0, that label an axis of bytes.
func byteTicks(whole, most int64) (ticks []int64) {
	step := int64(1)
	for step < 1<<61 && whole/step > most {
		step *= 2
	}
	for at := int64(0); at <= whole && at >= 0; at += step {
		ticks = append(ticks, at)
	}
	return ticks
}

// stepTicks are the multiples of 1, 2 or 5 times a power of ten, up to about twelve, in [from, to).
func stepTicks(from, to int64) (ticks []int64) {
	step := int64(1)
	for i := 0; (to-from)/step > 12; i++ {
		step *= []int64{2, 5, 2}[i%3]
		if i%3 == 1 {
			step = step / 2 // 2 becomes 5
		}
	}
	at := from / step * step
	if at < from {
		at += step
	}
	for ; at < to; at += step {
		ticks = append(ticks, at)
	}
	return ticks
}

func bytesText(n int64) string {
	if n == 0 {
		return "0"
	}
	if n < 1024 {
		return units.FormatExact(n)
	}
	return units.FormatBytes(n)
}
