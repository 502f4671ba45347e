package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

const inHCL = `
variable "batch" {
  type    = object({ n = number, name = optional(string, "x") })
  default = { n = 2 }
  validation {
    condition     = var.batch.n >= 1
    error_message = "batch must be \"positive\"."
  }
}
locals {
  sizes = { fast = "64KiB", slow = "1MiB" }
  large = 9007199254740993
}
device "gpu" {
  driver = "none"
  image2d {
    max_width  = 4096
    max_height = 4096
  }
  capability {
    op   = ["Conv"]
    data = ["global", "global.texture"]
  }
  capability {
    op = ["Gemm"]
  }
}
pool "bank" {
  for_each = local.sizes
  device   = device.gpu
  size     = each.value
}
pool "big" {
  device = device.gpu
  size   = local.large
}
scope_rule "r" {
  match {
    tensor = "a/**"
  }
  condition = tensor.name != "b\"c" && tensor.bytes > kib(1)
  pools     = [pool.bank["fast"], pool.big]
}
graph "net" {
  source = "net-${var.batch.n}.onnx"
  device = device.gpu
  dims   = { N = var.batch.n, H = { max = 8 } }
  dynamic "place" {
    for_each = ["t", "u"]
    iterator = pin
    labels   = [pin.value]
    content {
      pool   = pool.big
      offset = 64 * pin.key
    }
  }
}
moved {
  from = pool.old
  to   = pool.bank["slow"]
}
check "budget" {
  assert {
    condition     = pool.big.peak < 10
    error_message = "peak is ${pool.big.peak}"
  }
}
output "peak" {
  value = pool.big.peak
}
`

const inJSON = `{
  "//": "a comment",
  "variable": {"batch": {
    "type": "object({ n = number, name = optional(string, \"x\") })",
    "default": {"n": 2},
    "validation": {"condition": "${var.batch.n >= 1}", "error_message": "batch must be \"positive\"."}
  }},
  "locals": {"sizes": {"fast": "64KiB", "slow": "1MiB"}, "large": 9007199254740993},
  "device": {"gpu": {
    "driver": "none",
    "image2d": {"max_width": 4096, "max_height": 4096},
    "capability": [{"op": ["Conv"], "data": ["global", "global.texture"]}, {"op": ["Gemm"]}]
  }},
  "pool": {
    "bank": {"for_each": "${local.sizes}", "device": "${device.gpu}", "size": "${each.value}"},
    "big": {"device": "device.gpu", "size": "${local.large}"}
  },
  "scope_rule": {"r": {
    "match": {"tensor": "a/**"},
    "condition": "${tensor.name != \"b\\\"c\" && tensor.bytes > kib(1)}",
    "pools": ["pool.bank[\"fast\"]", "${pool.big}"]
  }},
  "graph": {"net": {
    "source": "net-${var.batch.n}.onnx",
    "device": "device.gpu",
    "dims": {"N": "${var.batch.n}", "H": {"max": 8}},
    "dynamic": {"place": {
      "for_each": ["t", "u"], "iterator": "pin", "labels": ["${pin.value}"],
      "content": {"pool": "pool.big", "offset": "${64 * pin.key}"}
    }}
  }},
  "moved": {"from": "pool.old", "to": "pool.bank[\"slow\"]"},
  "check": {"budget": {"assert": {"condition": "${pool.big.peak < 10}", "error_message": "peak is ${pool.big.peak}"}}},
  "output": {"peak": {"value": "${pool.big.peak}"}}
}`

func TestJSONSaysTheSame(t *testing.T) {
	native, ds := config.Load(syntax.Memory{"a/x.memplan.hcl": inHCL}, "a", eval.VariableSources{})
	require.Empty(t, ds)
	inOther, ds := config.Load(syntax.Memory{"a/x.memplan.hcl.json": inJSON}, "a", eval.VariableSources{})
	require.Empty(t, ds)
	assert.Equal(t, native.Pools[0].Size, inOther.Pools[0].Size)
	assert.Equal(t, int64(9007199254740993), inOther.Pools[2].Size)
	assert.Equal(t, native.Graphs[0].Source, inOther.Graphs[0].Source)
	assert.Equal(t, native.Graphs[0].Dims, inOther.Graphs[0].Dims)
	assert.Equal(t, native.Graphs[0].Places[1].Offset, inOther.Graphs[0].Places[1].Offset)
	assert.Equal(t, poolNames(native.Rules[0].Pools), poolNames(inOther.Rules[0].Pools))
	assert.Equal(t, native.Moves[0].ToText(), inOther.Moves[0].ToText())
	assert.True(t, native.Variables["batch"].RawEquals(inOther.Variables["batch"]))
	assert.True(t, native.Locals["sizes"].RawEquals(inOther.Locals["sizes"]))
	done, ds := inOther.Finish(config.Planned{Pools: map[string]config.PoolFacts{"big": {Peak: 7}}})
	require.Empty(t, ds)
	assert.Equal(t, cty.NumberIntVal(7), done.Outputs[0].Value)
	assert.Equal(t, native.Digest(), inOther.Digest(), "the plan depends on nothing else")
}

func TestFilesOfBothSyntaxesAreOneConfiguration(t *testing.T) {
	cfg, ds := config.Load(syntax.Memory{
		"c/1.memplan.hcl":               `pool "p" { device = device.d }`,
		"c/2.memplan.hcl.json":          `{"device": {"d": {"base_alignment": "${var.a}"}}, "variable": {"a": {}}}`,
		"c/memplan.vars.hcl.json":       `{"a": 128}`,
		"c/x.auto.memplanvars.hcl.json": `{"b": 1}`,
		"c/not.json":                    `{`,
	}, "c", eval.VariableSources{})
	require.Len(t, ds, 1)
	assert.Equal(t, diag.UndeclaredVariableInFile, ds[0].ID)
	assert.Equal(t, int64(128), cfg.Pools[0].Alignment)
}

func TestFaultsInJSONHaveTheirPlaces(t *testing.T) {
	for name, c := range map[string]struct {
		text     string
		id       diag.ID
		says, at string
	}{
		"an unknown attribute":          {`{"device": {"d": {"drivr": "none"}}}`, diag.UnknownAttribute, `Did you mean "driver"?`, `"drivr"`},
		"an unknown block":              {`{"devices": {"d": {}}}`, diag.UnknownBlock, `Did you mean "device"?`, `"devices"`},
		"a missing attribute":           {`{"pool": {"p": {}}}`, diag.MissingAttribute, `needs "device"`, `"pool": {"p"`},
		"a bad size":                    {`{"device": {"d": {"max_alloc": "64KB"}}}`, diag.InvalidSize, "KiB", `64KB`},
		"a reference to nothing":        {`{"device": {"d": {"max_alloc": "${local.x}"}}}`, diag.UndeclaredReference, `"x"`, `local.x`},
		"after an escaped character":    {`{"device": {"d": {"driver": "${\"a\" == \"b\" ? local.x : 1}"}}}`, diag.UndeclaredReference, `"x"`, `local.x`},
		"a broken template":             {`{"device": {"d": {"driver": "${"}}}`, diag.InvalidSyntax, "", ``},
		"a broken file":                 {`{"device": `, diag.InvalidSyntax, "", ``},
		"a bad type":                    {`{"variable": {"v": {"type": "strin"}}}`, diag.InvalidTypeConstraint, "", `strin`},
		"an unknown function":           {`{"locals": {"a": "${nope(1)}"}}`, diag.UnknownFunction, "", `nope`},
		"a reference of the wrong kind": {`{"device": {"d": {}}, "pool": {"p": {"device": "gpu"}}}`, diag.WrongReferenceKind, "", `gpu`},
	} {
		t.Run(name, func(t *testing.T) {
			cfg, ds := config.Load(syntax.Memory{"c.memplan.hcl.json": c.text}, "c.memplan.hcl.json", eval.VariableSources{})
			require.NotEmpty(t, ds)
			found := ds.Sorted()[0]
			assert.Equal(t, c.id, found.ID, found.Detail)
			assert.Contains(t, found.Detail, c.says)
			require.NotNil(t, found.Subject)
			if c.at != "" {
				assert.Equal(t, c.at, string(found.Subject.SliceBytes(cfg.Files["c.memplan.hcl.json"].Bytes)))
			}
		})
	}
}
