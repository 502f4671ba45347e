package config_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/config"
)

func TestBare(t *testing.T) {
	cfg := config.Bare("models/face-detect 2.v1.onnx", map[string]config.Dim{"N": {Value: 2}})
	assert.Equal(t, "models", cfg.Dir)
	assert.Equal(t, "host", cfg.Devices[0].Name)
	assert.Equal(t, []any{"memory", []string{"input", "output", "activation", "scratch", "state"}, config.Unlimited}, []any{cfg.Pools[0].Name, cfg.Pools[0].Holds, cfg.Pools[0].Size})
	assert.Equal(t, []any{"weights", []string{"constant"}, config.Unlimited}, []any{cfg.Pools[1].Name, cfg.Pools[1].Holds, cfg.Pools[1].Size})
	g := cfg.Graphs[0]
	assert.Equal(t, []any{"face-detect_2_v1", "face-detect 2.v1.onnx", cfg.Devices[0], map[string]config.Dim{"N": {Value: 2}}}, []any{g.Name, g.Source, g.Device, g.Dims})
	assert.Equal(t, "default", cfg.Planner.Origins["algorithm"])
	assert.Regexp(t, `^sha256:[0-9a-f]{64}$`, cfg.Digest())
	done, ds := cfg.Finish(config.Planned{})
	require.Empty(t, ds)
	assert.Empty(t, done.Outputs)
	assert.NotNil(t, cfg.EvalContext(nil))
}

func TestBareDigestsTellDimensionsApart(t *testing.T) {
	one := config.Bare("a.onnx", map[string]config.Dim{"N": {Value: 1}}).Digest()
	assert.Equal(t, one, config.Bare("elsewhere/a.onnx", map[string]config.Dim{"N": {Value: 1}}).Digest())
	assert.NotEqual(t, one, config.Bare("a.onnx", map[string]config.Dim{"N": {Value: 2}}).Digest())
	assert.NotEqual(t, one, config.Bare("a.onnx", map[string]config.Dim{"N": {Value: 1, Max: true}}).Digest())
	assert.NotEqual(t, one, config.Bare("b.onnx", map[string]config.Dim{"N": {Value: 1}}).Digest())
}

func TestIdentifier(t *testing.T) {
	for text, want := range map[string]string{
		"model": "model", "2net": "_2net", "a b": "a_b", "a.b": "a_b", "é": "é", "": "_", "-x": "_-x", "a/b:0": "a_b_0", "\xff": "_",
	} {
		assert.Equal(t, want, config.Identifier(text), text)
		assert.Equal(t, want, config.Identifier(want), "it is idempotent")
	}
}
