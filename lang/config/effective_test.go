package config_test

import (
	"flag"
	"os"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

var update = flag.Bool("update", false, "rewrite golden files")

func TestEffectiveShowsValuesAndOrigins(t *testing.T) {
	for _, name := range []string{"modules", "textures"} {
		t.Run(name, func(t *testing.T) {
			cfg, ds := config.Load(syntax.Disk{}, "testdata/valid/"+name+".hcl", eval.VariableSources{})
			require.Empty(t, ds)
			golden := "testdata/effective/" + name + ".golden"
			text := cfg.Effective()
			if *update {
				require.NoError(t, os.WriteFile(golden, text, 0o644))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			assert.Equal(t, string(want), string(text))
			_, ds = syntax.Parse("effective.hcl", text)
			assert.Empty(t, ds, "what is printed is HCL")
		})
	}
	_, ds := syntax.Parse("effective.hcl", config.Bare("net.onnx", nil).Effective())
	assert.Empty(t, ds)
}
