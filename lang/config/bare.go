package config

import (
	"path"
	"strings"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// Bare returns the configuration that a graph file alone stands for: the device "host", an unlimited flat pool "memory"
// for everything but constants, another, "weights", for constants, which intervals (.csv) have none of, and one graph named after
// the file. The path has forward slashes; dims binds symbolic dimensions and may be nil. The ops keep the model's order and share
// bytes through reshapes alone.
func Bare(file string, dims map[string]Dim) *Config {
	device := &Device{Address: addr.Address{Kind: addr.Device, Name: "host"}, Name: "host", Driver: "host", BaseAlignment: 64}
	name := bareName(file)
	graph := &Graph{Address: addr.Address{Kind: addr.Graph, Name: name}, Name: name, Source: path.Base(file), Device: device, Dims: dims}
	c := &Config{
		Dir: path.Dir(file), Files: map[string]*hcl.File{},
		Devices: []*Device{device},
		Pools: []*Pool{
			{Address: addr.Address{Kind: addr.Pool, Name: "memory"}, Name: "memory", Device: device, Type: "flat", Holds: defaultHolds(), Size: Unlimited, Alignment: 64},
			{Address: addr.Address{Kind: addr.Pool, Name: "weights"}, Name: "weights", Device: device, Type: "flat", Holds: []string{"constant"}, Size: Unlimited, Alignment: 64},
		},
		Graphs: []*Graph{graph}, Planner: barePlanner(),
		Variables: map[string]cty.Value{}, Locals: map[string]cty.Value{},
	}
	if strings.EqualFold(path.Ext(file), ".csv") {
		c.Pools = c.Pools[:1]
	}
	c.evaluation.functions = eval.Table(eval.Functions(syntax.Memory{}, c.Dir))
	c.keepOwn()
	c.digest = digestOf(c)
	return c
}

// bareName makes an identifier of the file's name without its extension.
func bareName(file string) string {
	base := path.Base(file)
	return Identifier(strings.TrimSuffix(base, path.Ext(base)))
}
