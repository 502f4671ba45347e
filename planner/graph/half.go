package graph

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/x448/float16"
)

// Half is the content of a float32 constant rounded to float16, to the nearest, ties to even. What exceeds the largest
// float16, 65504, becomes infinite. Each Read rounds it again. It is nil for nil.
func Half(of Data) Data {
	if !HasContent(of) {
		return of
	}
	return &Lazy{Bytes: of.Size() / 2, Recipe: &Recipe{Op: "float16", Inputs: []Data{of}}, Compute: func() ([]byte, error) {
		wide, err := of.Read()
		if err != nil {
			return nil, err
		}
		if len(wide)%4 != 0 {
			return nil, fmt.Errorf("%d bytes are no float32 elements", len(wide))
		}
		narrow := make([]byte, 0, len(wide)/2)
		for ; len(wide) > 0; wide = wide[4:] {
			v := math.Float32frombits(binary.LittleEndian.Uint32(wide))
			narrow = binary.LittleEndian.AppendUint16(narrow, float16.Fromfloat32(v).Bits())
		}
		return narrow, nil
	}}
}
