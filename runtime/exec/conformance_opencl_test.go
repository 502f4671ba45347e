package exec_test

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
)

// openclConformanceDoc lists what the host passes and OpenCL does not.
const openclConformanceDoc = "../../docs/conformance-opencl.md"

const openclConformanceIntro = `# Conformance of the OpenCL device

Made by ` + "`go test ./runtime/exec -run Conformance -update`" + `, which also fails when this page is stale. The tests are those of
[conformance.md](conformance.md) that the host device passes, run in flat memory in the same way.

`

func TestOpenCLConformanceListIsUpToDate(t *testing.T) {
	open := openclDevice(t)
	onHost := judgeAll(t, hostDevice)
	onDevice := judgeAll(t, open)
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
	for _, reason := range slices.Sorted(maps.Keys(missing)) {
		fmt.Fprintf(&b, "\n- %s (%d): %s\n", reason, len(missing[reason]), strings.Join(missing[reason], ", "))
	}
	return b.Bytes()
}
