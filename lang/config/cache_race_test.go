package config_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// TestTwoLoadsOfOneCacheAtOnce is for the race detector: a cache serves one load after the other, and what it gave is read meanwhile.
func TestTwoLoadsOfOneCacheAtOnce(t *testing.T) {
	texts := []string{
		"variable \"n\" { default = 1 }\nlocals { size = var.n * 1024 }\ndevice \"d\" {}\npool \"p\" {\n  device = device.d\n  size   = local.size\n}\n",
		"variable \"n\" { default = 2 }\nlocals { size = var.n * 1024 }\ndevice \"d\" { base_alignment = 16 }\npool \"p\" {\n  device = device.d\n  size   = local.size\n}\n",
	}
	var cache config.Cache
	var parsed syntax.Cache
	var wait sync.WaitGroup
	for i, text := range texts {
		wait.Go(func() {
			for range 50 {
				cfg, ds := cache.Load(edited{syntax.Memory{"main.hcl": text}, &parsed}, "main.hcl", eval.VariableSources{})
				if len(ds) > 0 || len(cfg.Pools) != 1 || cfg.Pools[0].Size != int64(i+1)*1024 || cfg.Pools[0].Device != cfg.Devices[0] {
					t.Errorf("load %d: %v, %+v", i, ds, cfg.Pools)
				}
				if cfg.Digest() == "" {
					t.Error("no digest")
				}
			}
		})
	}
	wait.Wait()
	require.NotPanics(t, func() { cache.Load(syntax.Memory{"main.hcl": texts[0]}, "main.hcl", eval.VariableSources{}) })
}
