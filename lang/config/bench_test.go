package config_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// manyBlocks is a configuration of n pools, each with references to a device, a local value and the pool before.
func manyBlocks(n int) string {
	var w strings.Builder
	w.WriteString("device \"d\" {}\nlocals { size = \"64KiB\" }\n")
	for i := range n {
		fmt.Fprintf(&w, "pool \"p%d\" {\n  device = device.d\n  size   = local.size\n", i)
		if i > 0 {
			fmt.Fprintf(&w, "  alignment = pool.p%d.alignment\n", i-1)
		}
		w.WriteString("}\n")
	}
	return w.String()
}

// BenchmarkEdit loads again after a change of one block.
func BenchmarkEdit(b *testing.B) {
	for _, n := range []int{1000, 10_000} {
		b.Run(fmt.Sprintf("%d blocks", n), func(b *testing.B) {
			files := edited{syntax.Memory{}, &syntax.Cache{}}
			var cache config.Cache
			text := manyBlocks(n)
			for i := 0; b.Loop(); i++ {
				files.Memory["b.hcl"] = strings.Replace(text, "\"p7\" {\n", fmt.Sprintf("\"p7\" {%*s\n", i%10, ""), 1)
				if _, ds := cache.Load(files, "b.hcl", eval.VariableSources{}); len(ds) > 0 {
					b.Fatal(ds[0].Detail)
				}
			}
		})
	}
}

func BenchmarkLoad(b *testing.B) {
	for _, n := range []int{20, 20_000} {
		b.Run(fmt.Sprintf("%d blocks", n), func(b *testing.B) {
			text := manyBlocks(n)
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				if _, ds := config.Load(syntax.Memory{"b.hcl": text}, "b.hcl", eval.VariableSources{}); len(ds) > 0 {
					b.Fatal(ds[0].Detail)
				}
			}
		})
	}
}
