package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// movable are blocks whose order among each other has no meaning.
var movable = []string{
	"device \"a\" { base_alignment = 128 }\n",
	"device \"b\" {\n  image2d {\n    max_width = 8\n    max_height = 8\n  }\n}\n",
	"variable \"n\" { default = 4 }\n",
	"locals { size = mib(local.n) }\n",
	"locals {\n  n = var.n\n  both = [pool.p]\n}\n",
	"graph \"g\" {\n  source = \"g.onnx\"\n  device = device.a\n  dims = { N = var.n }\n  keep = [\"x\", \"y\"]\n  place \"t\" { pool = pool.p }\n  place \"s\" { pool = pool.p }\n}\n",
	"graph \"h\" {\n  source = \"h.onnx\"\n  device = device.b\n}\n",
	"pool \"p\" {\n  device = device.a\n  size = local.size\n  holds = [\"input\", \"constant\"]\n}\n",
	"scope_rule \"r\" {\n  match { role = [\"input\", \"output\"] }\n  condition = tensor.bytes > local.n\n  pools = local.both\n}\n",
	"planner { algorithm = \"greedy\" }\n",
	"check \"c\" {\n  assert {\n    condition = true\n    error_message = \"m\"\n  }\n}\n",
	"output \"o\" { value = pool.p.peak }\n",
	"run \"s\" { graph = graph.g }\n",
}

func TestBlockOrderCommentsAndFilesDoNotChangeTheDigest(t *testing.T) {
	want := mustLoad(t, strings.Join(movable, "")).Digest()
	rapid.Check(t, func(t *rapid.T) {
		files := syntax.Memory{}
		for i, block := range rapid.Permutation(movable).Draw(t, "order") {
			name := fmt.Sprintf("dir/%d.memplan.hcl", rapid.IntRange(0, 3).Draw(t, "file"))
			if rapid.Bool().Draw(t, "comment") {
				block = fmt.Sprintf("# block %d\n\n", i) + strings.ReplaceAll(block, " = ", "   =  /* value */ ")
			}
			files[name] += block
		}
		cfg, ds := config.Load(files, "dir", eval.VariableSources{})
		if len(ds) > 0 {
			t.Fatalf("%v", ds)
		}
		if cfg.Digest() != want {
			t.Fatalf("the digest changed for %v", files)
		}
	})
}

func TestTheDigestTellsWhatAPlanDependsOn(t *testing.T) {
	base := strings.Join(movable, "")
	want := mustLoad(t, base).Digest()
	assertDigests(t, base, want, []digestCase{
		{"an alignment", "base_alignment = 128", "base_alignment = 256", true},
		{"a limit", "max_width = 8", "max_width = 9", true},
		{"a variable that a size depends on", "default = 4", "default = 5", true},
		{"a dimension", "dims = { N = var.n }", "dims = { N = { max = var.n } }", true},
		{"a pin", "place \"t\" { pool = pool.p }", "place \"u\" { pool = pool.p }", true},
		{"a condition", "tensor.bytes > local.n", "tensor.bytes >= local.n", true},
		{"a value that a condition refers to", "n = var.n", "n = var.n + 0 * 1 + 1 - 1 + 1", true},
		{"an algorithm", `"greedy"`, `"none"`, true},
		{"the spelling of a size", "mib(local.n)", `"4MiB"`, false},
		{"the order of a list of roles", `["input", "constant"]`, `["constant", "input"]`, false},
		{"the order of kept tensors", `["x", "y"]`, `["y", "x"]`, false},
		{"the spelling of a path", `"g.onnx"`, `"./g.onnx"`, false},
		{"a check", "condition = true", "condition = 1 == 1", false},
		{"an output", "pool.p.peak", "pool.p.bound", false},
	})
}

// digestCase replaces a part of a configuration and says whether that changes the digest.
type digestCase struct {
	name, from, to string
	changes        bool
}

func assertDigests(t *testing.T, base, want string, tests []digestCase) {
	t.Helper()
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			require.Contains(t, base, test.from)
			got := mustLoad(t, strings.Replace(base, test.from, test.to, 1)).Digest()
			assert.Equal(t, test.changes, got != want)
		})
	}
}

func TestTheOrderOfPoolsAndRulesChangesTheDigest(t *testing.T) {
	pools := "device \"d\" {}\npool \"p\" { device = device.d }\npool \"q\" { device = device.d }\n"
	swapped := "device \"d\" {}\npool \"q\" { device = device.d }\npool \"p\" { device = device.d }\n"
	assert.NotEqual(t, mustLoad(t, pools).Digest(), mustLoad(t, swapped).Digest())
	rules := "scope_rule \"a\" { scope = \"global\" }\nscope_rule \"b\" { scope = \"global\" }\n"
	assert.NotEqual(t, mustLoad(t, rules).Digest(), mustLoad(t, "scope_rule \"b\" { scope = \"global\" }\nscope_rule \"a\" { scope = \"global\" }\n").Digest())
}
