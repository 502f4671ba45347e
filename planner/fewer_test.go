package planner_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestManyGraphsArePlannedInTheTimeOfEachOfThem(t *testing.T) {
	allocations := func(graphs int) uint64 {
		text := strings.Builder{}
		text.WriteString("device \"d\" {}\npool \"arena\" {\n  device = device.d\n}\n")
		for i := range graphs {
			fmt.Fprintf(&text, "graph \"g%d\" {\n  source = \"g.json\"\n  device = device.d\n  keep = [\"op0\"]\n}\n", i)
		}
		w := world{"main.hcl": text.String(), "g.json": piecesApart}
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		w.must(t)
		runtime.ReadMemStats(&after)
		return after.Mallocs - before.Mallocs
	}
	few, many := allocations(40), allocations(120)
	require.Less(t, many, 5*few, "three times the graphs")
}
