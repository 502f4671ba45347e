package opencl

import (
	"encoding/binary"
	"math/bits"

	"github.com/memplan/memplan/runtime/form"
)

// tileLanes is the number of pixels of a tile.
const tileLanes = 16

// How the kernels of kernels/tiles.cl load what a tile meets.
const (
	meetsNothing = iota
	meetsStraight
	meetsPartly
	meetsSkipping
	meetsScattered
)

// tileTable returns for each tile of the output and each element of the window the two numbers that kernels/tiles.cl
// tells of, for an even number of tiles, and behind them the places that some of them point at. It has O(pixels of the
// output · elements of the window) numbers at most, two for each tile and element in the common case.
func tileTable(w *form.Window, in, out form.Dims, transposed bool) ([]int32, error) {
	volume := w.Kernel.Volume()
	tiles := (ceilDiv(out.Volume(), tileLanes) + 1) / 2 * 2
	if volume > maxTable/tiles/(2+tileLanes) {
		return nil, form.Refuse("a kernel of %v over %v positions is too large", w.Kernel, out)
	}
	axes, places, err := axisTables(w, in, out, transposed)
	if err != nil {
		return nil, err
	}
	table := make([]int32, 2*tiles*volume)
	for tile := range tiles {
		w.Kernel.Each(func(number int, k form.Dims) {
			var at [tileLanes]int32
			for lane := range at {
				at[lane] = pixelMeets(axes, places, w.Kernel, in, out, tile*tileLanes+lane, k)
			}
			e := table[2*(tile*volume+number):]
			var scattered bool
			if e[0], e[1], scattered = describeTile(&at); scattered {
				e[0] = int32(len(table))
				table = append(table, at[:]...)
			}
		})
	}
	return table, nil
}

// pixelMeets is the place in a channel of the input that a pixel of the output meets, -1 for padding and for a pixel that
// does not exist.
func pixelMeets(axes []int32, places, kernel, in, out form.Dims, pixel int, k form.Dims) int32 {
	if pixel >= out.Volume() {
		return -1
	}
	at := form.Dims{pixel / (out[1] * out[2]), pixel / out[2] % out[1], pixel % out[2]}
	place := int32(0)
	for axis := range form.Spatial {
		i := axes[places[axis]+at[axis]*kernel[axis]+k[axis]]
		if i < 0 {
			return -1
		}
		place = place*int32(in[axis]) + i
	}
	return place
}

// describeTile returns the two numbers for what a tile meets; scattered says that the first must become the place of at in
// the table.
func describeTile(at *[tileLanes]int32) (base, how int32, scattered bool) {
	mask := 0
	for lane, place := range at {
		if place >= 0 {
			mask |= 1 << lane
		}
	}
	if mask == 0 {
		return 0, meetsNothing << 16, false
	}
	first := bits.TrailingZeros(uint(mask))
	apart := func(step int32) bool {
		for lane, place := range at {
			if place >= 0 && place != at[first]+int32(lane-first)*step {
				return false
			}
		}
		return true
	}
	switch {
	case apart(1) && mask == 1<<tileLanes-1:
		return at[first], int32(mask) | meetsStraight<<16, false
	case apart(1):
		return at[first] - int32(first), int32(mask) | meetsPartly<<16, false
	case apart(2):
		return at[first] - int32(2*first), int32(mask) | meetsSkipping<<16, false
	}
	return 0, int32(mask) | meetsScattered<<16, true
}

func int32Bytes(values []int32) []byte {
	data := make([]byte, 0, 4*len(values))
	for _, v := range values {
		data = binary.NativeEndian.AppendUint32(data, uint32(v))
	}
	return data
}
