package exec_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/memplan/memplan/testdata/needs"
)

// halves has float16 stored wherever nothing else is asked, in images where how asks for them.
func halves(how func(*config.Config)) func(*config.Config) {
	return func(c *config.Config) {
		how(c)
		for _, rule := range c.Rules {
			rule.Store = "float16"
		}
		c.Rules = append(c.Rules, &config.ScopeRule{
			Address: addr.Address{Kind: addr.ScopeRule, Name: "halves"}, Name: "halves", Store: "float16",
		})
	}
}

func TestModelsStoredInFloat16GiveThePeersResults(t *testing.T) {
	names, all := goldens(t)
	for device, open := range map[string]opener{"host": hostDevice, "opencl": openclDevice(t)} {
		for i, name := range names {
			if !needs.Turn(i, len(names)) {
				continue
			}
			for storage, how := range map[string]func(*config.Config){
				"flat": algorithm("greedy"), "images": images("global.texture", false),
			} {
				t.Run(device+"/"+name+"/"+storage, func(t *testing.T) {
					wide, _ := planModel(t, name, all[name], how)
					p, g := planModel(t, name, all[name], halves(how))
					require.Less(t, p.Pools[0].Peak+p.Pools[1].Peak, wide.Pools[0].Peak+wide.Pools[1].Peak, "it takes fewer bytes")
					dev, err := open()
					require.NoError(t, err)
					defer func() { require.NoError(t, dev.Close()) }()
					r, diags, err := exec.New(context.Background(), p, p.Graphs[0].Name, g, dev, exec.Options{Poison: true})
					require.NoError(t, err)
					require.Empty(t, diags)
					requireNear(t, all[name], run(t, r, ramp(t, g)), 2e-2)
				})
			}
		}
	}
}
