package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
)

func TestMessagesDoNotShowSensitiveValues(t *testing.T) {
	for name, attribute := range map[string]string{
		"a choice": "driver = var.s", "a size": "max_alloc = var.s", "a choice in a text": `driver = "x${var.s}"`,
	} {
		t.Run(name, func(t *testing.T) {
			_, ds := load(t, "variable \"s\" {\n  default   = \"hunter2\"\n  sensitive = true\n}\ndevice \"d\" { "+attribute+" }\n")
			require.Len(t, ds, 2)
			assert.Equal(t, diag.ID("MP0227"), ds[0].ID)
			for _, d := range ds {
				assert.NotContains(t, d.Detail, "hunter2")
				assert.Contains(t, d.Detail, "sensitive")
			}
		})
	}
}

func TestMessagesOfPinsDoNotShowSensitiveOffsets(t *testing.T) {
	for name, offset := range map[string]string{"misaligned": "77", "beyond the pool": "7777777"} {
		t.Run(name, func(t *testing.T) {
			_, ds := load(t, `variable "at" {
  default   = `+offset+`
  sensitive = true
}
device "d" {}
pool "p" {
  device    = device.d
  size      = 4096
  alignment = 64
}
graph "g" {
  source = "g.onnx"
  device = device.d
  place "t" {
    pool   = pool.p
    offset = var.at
  }
}
`)
			require.Len(t, ds, 2)
			for _, d := range ds {
				assert.NotContains(t, d.Detail, "77")
				assert.Contains(t, d.Detail, "sensitive")
			}
		})
	}
}
