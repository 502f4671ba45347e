package planner_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestWhatCannotBePlannedIsSaid(t *testing.T) {
	capped := `
pool "p" {
  device = device.d
  size   = 1000
}
`
	pinned := func(places string) string {
		return "graph \"g\" {\nsource = \"net.json\"\ndevice = device.d\n" + places + "}\n"
	}
	for name, c := range map[string]struct {
		config string
		net    string
		id     string
		texts  []string
	}{
		"tensors that are live together and exceed the cap": {
			device + capped + oneGraph, net(t, "x input 600", "y output 500", "op: x -> y"), "MP0575",
			[]string{`"p" needs 1100`, "1000 available", "100 bytes in excess", `"x" (600 bytes`, `"y" (500 bytes`},
		},
		"a pool that is large enough for other algorithms": {
			device + capped + oneGraph + "planner { algorithm = \"none\" }\n", net(t, "x input 600", "h activation 300", "y output 600", "a: x -> h", "b: h -> y"), "MP0575",
			[]string{`"p" could hold everything in its 1000 bytes`, `the algorithm "none"`, `"y" (600 bytes`, `algorithm = "auto"`},
		},
		"a constant larger than the largest allocation": {
			"device \"d\" {\ndriver = \"none\"\nmax_alloc = \"256MiB\"\n}\npool \"p\" {\ndevice = device.d\n}\n" + oneGraph,
			net(t, "x input 1", "w constant 314572800", "y output 1", "op: x w -> y"), "MP0575", []string{`"w"`, "max_alloc", "314572800"},
		},
		"a kept tensor that the graph lacks": {
			device + capped + pinned("keep = [\"stage\"]\n"), net(t, "x input 1", "stage3 activation 1", "y output 1", "a: x -> stage3", "b: stage3 -> y"),
			"MP0572", []string{`Did you mean "stage3"?`},
		},
		"a kept tensor of which only a part is given": {
			device + capped + pinned("keep = [\"Add\"]\n"), net(t, "x input 1", "stage1/add_out activation 1", "stage2/add_out activation 1", "y output 1",
				"a: x -> stage1/add_out", "b: stage1/add_out -> stage2/add_out", "c: stage2/add_out -> y"),
			"MP0572", []string{`for example, "stage1/add_out" and "stage2/add_out". Write the whole name.`},
		},
		"a pin of a tensor that the graph lacks": {
			device + capped + pinned("place \"z\" {\npool = pool.p\noffset = 0\n}\n"), net(t, "x input 1", "y output 1", "a: x -> y"),
			"MP0572", []string{`"z"`, "place"},
		},
		"two pins that collide": {
			device + capped + pinned("place \"x\" {\npool = pool.p\noffset = 0\n}\nplace \"y\" {\npool = pool.p\noffset = 8\n}\n"),
			net(t, "x input 16", "y output 16", "a: x -> y"), "MP0576", []string{`"x"`, `"y"`},
		},
		"a pin beyond the end of the pool": {
			device + capped + pinned("place \"x\" {\npool = pool.p\noffset = 990\n}\n"), net(t, "x input 16", "y output 16", "a: x -> y"),
			"MP0578", []string{"1006", "1000"},
		},
		"pins that pull views apart": {
			device + capped + pinned("place \"x\" {\npool = pool.p\noffset = 0\n}\nplace \"r\" {\npool = pool.p\noffset = 64\n}\n"),
			net(t, "x input 16", "r activation 16", "y output 16", "Identity.a: x -> r", "b: r -> y"), "MP0573", []string{`"x"`, `"r"`},
		},
		"an alignment that only a few buffers can have": {
			device + "pool \"p\" {\ndevice = device.d\nalignment = 4611686018427387904\n}\n" + oneGraph, net(t, "x input 8", "r activation 8", "y output 8", "a: x -> r", "b: r -> y"),
			"MP0602", []string{`"r" of graph "g"`, "alignment of 4611686018427387904"},
		},
		"a source of no known format": {
			device + capped + "graph \"g\" {\nsource = \"net.bin\"\ndevice = device.d\n}\n", "", "MP0571", []string{"net.bin", ".onnx"},
		},
		"a source that is missing": {
			device + capped + "graph \"g\" {\nsource = \"gone.onnx\"\ndevice = device.d\n}\n", "", "MP0570", []string{"gone.onnx", "relative"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			result, diags := world{"main.hcl": c.config, "net.json": c.net, "net.bin": "?"}.plan(t)
			require.Nil(t, result, "nothing is planned")
			require.Len(t, diags, 1)
			require.EqualValues(t, c.id, diags[0].ID)
			require.NotNil(t, diags[0].Subject)
			for _, text := range c.texts {
				require.Contains(t, diags[0].Detail, text)
			}
		})
	}
}

func TestAnIntervalFileThatAsksForAnUndeclaredPool(t *testing.T) {
	_, diags := world{"main.hcl": device + "pool \"fast\" {\ndevice = device.d\n}\ngraph \"g\" {\nsource = \"net.csv\"\ndevice = device.d\n}\n",
		"net.csv": "id,lower,upper,size,pool\na,0,1,8,fats\nb,0,1,8,fats\n"}.plan(t)
	require.Len(t, diags, 1, "a pool is reported once, not for each buffer")
	require.EqualValues(t, "MP0574", diags[0].ID)
	require.Contains(t, diags[0].Detail, `Did you mean "fast"?`)
}

func TestAPinThatMissesTheAlignmentOfAnIntervalFile(t *testing.T) {
	_, diags := world{"main.hcl": device + "pool \"p\" {\ndevice = device.d\n}\ngraph \"g\" {\nsource = \"net.csv\"\ndevice = device.d\nplace \"a\" {\npool = pool.p\noffset = 8\n}\n}\n",
		"net.csv": "id,lower,upper,size,alignment\na,0,1,8,64\n"}.plan(t)
	require.Len(t, diags, 1)
	require.EqualValues(t, "MP0577", diags[0].ID)
	require.Contains(t, diags[0].Detail, "Pin it to 64")
}
