package texture

import (
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// blocking says how a plain layout of rank 4 is packed.
type blocking struct {
	// name is the packed layout, as in "NCHW4c".
	name string
	// axes names the source axes in the order of the packed shape, the innermost channels left out.
	axes string
	// channel is the axis that is cut into texels.
	channel byte
	// channels is what the axis is called in a reason.
	channels string
}

// blockings are the plain layouts by name. All kernels are packed alike, whatever order a format stores them in, so that
// one device kernel reads them all: four output channels share a texel. A depthwise kernel has I = 1, and its outputs are
// its channels.
var blockings = map[string]blocking{
	"NCHW": {"NCHW4c", "NCHW", 'C', "channels"},
	"NHWC": {"NHWC4c", "NHWC", 'C', "channels"},
	"OIHW": kernel, "IOHW": kernel, "OHWI": kernel, "IHWO": kernel, "HWIO": kernel, "HWOI": kernel,
}

var kernel = blocking{"OIHW4o", "OIHW", 'O', "output channels"}

// Layouts lists the layouts of rank 4 that [Pack] takes, in the order of the documentation.
func Layouts() []string {
	return []string{"NCHW", "NHWC", "OIHW", "IOHW", "OHWI", "IHWO", "HWIO", "HWOI"}
}

// isPacked reports whether a layout says by its end, 4 and a lower-case letter, that the last axis is the texel's.
func isPacked(layout string) bool {
	n := len(layout)
	return n >= 4 && layout[n-2] == '4' && layout[n-1] >= 'a' && layout[n-1] <= 'z' && strings.IndexByte("0123456789", layout[n-3]) < 0
}

// pack returns the packed shape of a tensor of rank 4 in the given plain layout and the number of channels before it.
func (b blocking) pack(shape graph.Shape, layout string) (packed graph.Shape, channels int64) {
	packed = make(graph.Shape, 0, packedRank)
	for _, axis := range []byte(b.axes) {
		n := shape[strings.IndexByte(layout, axis)]
		if axis == b.channel {
			channels = n
			n = (n-1)/texelChannels + 1
		}
		packed = append(packed, n)
	}
	return append(packed, texelChannels), channels
}
