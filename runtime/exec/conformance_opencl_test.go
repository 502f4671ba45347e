package exec_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/memplan/memplan/testdata/needs"
)

// openclConformanceDoc lists what the host passes and OpenCL does not.
const openclConformanceDoc = "../../docs/conformance-opencl.md"

const openclConformanceIntro = `# Conformance of the OpenCL device

Made by ` + "`go test ./runtime/exec -run Conformance -update`" + `, which also fails when this page is stale. The tests are those of
[conformance.md](conformance.md) that the host device passes, run in flat memory in the same way.

The tests do not show where OpenCL is narrower than the host, which is refused with the tensor's name before a run:

- Operands that say where elements go are constants: the bounds of Slice, the numbers of Pad, the lengths of Split, the axes of reductions, CumSum and
  ReverseV2, block sizes and margins, the scales, sizes and region of Resize. Kernels are set up before a run; the rewrite "fold" makes such operands constant. Indices,
  conditions, fill values, limits of Clip and of Range and the number of a diagonal may be computed in a run.
- A tensor has fewer than 2^31 elements, its offset is a multiple of its element size, and no kernel walks more than 8 axes after those that are contiguous in all
  operands are merged.
- Complex numbers only move.

And it computes otherwise: float16 and bfloat16 in float32, rounded once; float64 as such by functions of two numbers, reductions, orders and casts where the device has it, else in float32.
Sums of float32 are taken in float32, 16 side by side, where the host sums in float64. Integers and bools are exact, but for the root of ReduceL2 and
the logarithms of ReduceLogSum and ReduceLogSumExp of integers, which are float32. An index out of range, a divisor of 0 or a number of results
that is not the planned one makes the run fail, as on the host, though only at its end.

`

func TestOpenCLConformanceListIsUpToDate(t *testing.T) {
	open := openclDevice(t)
	onHost := judgeHost(t)
	onDevice := judgeAll(t, open)
	if needs.Raced {
		return // some were tried
	}
	doc := openclConformanceReport(onHost, onDevice)
	requireDoc(t, openclConformanceDoc, doc)
}

// openclConformanceReport is docs/conformance-opencl.md.
func openclConformanceReport(onHost, onDevice []verdict) []byte {
	var b bytes.Buffer
	b.WriteString(openclConformanceIntro)
	b.WriteString("| set | the host passes | and OpenCL passes |\n| --- | ---: | ---: |\n")
	host, both := map[string]int{}, map[string]int{}
	missing := map[string][]string{}
	for i, v := range onHost {
		if v.reason != "" {
			continue
		}
		for _, set := range []string{v.set, "all"} {
			host[set]++
			if onDevice[i].reason == "" {
				both[set]++
			}
		}
		if reason := onDevice[i].reason; reason != "" {
			reason = v.op + ": " + reason
			missing[reason] = append(missing[reason], v.set+"/"+strings.TrimPrefix(v.name, "test_"))
		}
	}
	for _, set := range append(slices.Clone(conformanceSets), "all") {
		fmt.Fprintf(&b, "| %s | %d | %d |\n", set, host[set], both[set])
	}
	b.WriteString("\n## What the host passes and OpenCL does not, by operator and reason\n")
	if len(missing) == 0 {
		b.WriteString("\nNothing.\n")
	}
	for _, reason := range slices.Sorted(maps.Keys(missing)) {
		fmt.Fprintf(&b, "\n- %s (%d): %s\n", reason, len(missing[reason]), strings.Join(missing[reason], ", "))
	}
	return b.Bytes()
}
