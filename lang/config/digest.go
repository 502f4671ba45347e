package config

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"path"
	"slices"
	"sync"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/zclconf/go-cty/cty"
	ctyjson "github.com/zclconf/go-cty/cty/json"

	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// The content of the digest: everything that a plan depends on and nothing else. Runs, exports, checks, outputs, descriptions,
// names of files and ranges are left out. Lists whose order has no meaning are sorted.
type (
	digested struct {
		Devices []digestedDevice
		Pools   []digestedPool
		Rules   []digestedRule
		Graphs  []digestedGraph
		Planner digestedPlanner
	}
	digestedDevice struct {
		Name, Driver            string
		BaseAlignment, MaxAlloc int64
		Ordered                 bool `json:",omitempty"`
		Image2D                 *digestedImage
		Capabilities            []digestedCapability `json:",omitempty"`
	}
	digestedCapability struct {
		Op     []string
		Scopes map[string][]string
	}
	digestedImage struct {
		MaxWidth, MaxHeight, MaxLayers, PitchAlignment int64
		FromBuffer                                     bool
	}
	digestedPool struct {
		Name, Device, Type string
		Holds              []string
		Size, Alignment    int64
		Images             bool
	}
	digestedRule struct {
		Name                             string
		Op, Operand, DType, Role, Tensor []string
		Condition                        []string
		Values                           map[string]json.RawMessage
		Rank                             []int64  `json:",omitempty"`
		Layout, Graph, Device            []string `json:",omitempty"`
		Scope                            string
		Penalty                          *int64 `json:",omitempty"`
		Pools                            []string
	}
	digestedGraph struct {
		Name, Source, Device string
		Dims                 map[string]Dim
		Keep                 []string
		KeepInputs           bool `json:",omitempty"`
		Places               []digestedPlace
		Inputs               [][3]string `json:",omitempty"`
	}
	digestedPlace struct {
		Tensor, Pool string
		Offset       int64
	}
	digestedPlanner struct {
		Algorithm, Order, ScopePolicy, TextureAlgorithm, IO string
		Rewrite, Views                                      []string
		Concurrent                                          []string `json:",omitempty"`
	}
)

// Digest is "sha256:" and the hex digest of everything the plan depends on in the files: it does not change when
// comments, white space, block order (where it has no meaning) or file names change. It is that of the configuration as it
// was loaded, "" when that had errors, and computed at the first call.
func (c *Config) Digest() string {
	if c.digest == nil {
		return ""
	}
	return c.digest()
}

func digestOf(c *Config) func() string {
	loaded := *c // a caller may change the settings of the planner
	return sync.OnceValue(func() string { return computeDigest(&loaded) })
}

// computeDigest digests the canonical JSON of the content.
func computeDigest(c *Config) string {
	var content digested
	for _, d := range c.Devices {
		content.Devices = append(content.Devices, digestDevice(d))
	}
	for _, p := range c.Pools {
		content.Pools = append(content.Pools, digestedPool{p.Name, p.Device.Name, p.Type, sorted(p.Holds), p.Size, p.Alignment, p.Images})
	}
	for _, r := range c.Rules {
		content.Rules = append(content.Rules, digestRule(c, r))
	}
	for _, g := range c.Graphs {
		content.Graphs = append(content.Graphs, digestGraph(g))
	}
	p := c.Planner
	content.Planner = digestedPlanner{p.Algorithm, p.Order, p.ScopePolicy, p.TextureAlgorithm, p.IO, p.Rewrite, sorted(p.Views), nil}
	for _, g := range p.Concurrent {
		content.Planner.Concurrent = append(content.Planner.Concurrent, g.Name)
	}
	encoded, err := json.Marshal(content)
	if err != nil {
		panic("config: digest: " + err.Error())
	}
	sum := sha256.Sum256(encoded)
	return "sha256:" + hex.EncodeToString(sum[:])
}

func sorted[T cmp.Ordered](list []T) []T {
	list = slices.Clone(list)
	slices.Sort(list)
	return slices.Compact(list)
}

func digestDevice(d *Device) digestedDevice {
	out := digestedDevice{Name: d.Name, Driver: d.Driver, BaseAlignment: d.BaseAlignment, MaxAlloc: d.MaxAlloc, Ordered: d.KeepsOrder() && d.Driver == "none"}
	if i := d.Image2D; i != nil {
		out.Image2D = &digestedImage{i.MaxWidth, i.MaxHeight, i.MaxLayers, i.PitchAlignment, i.FromBuffer}
	}
	for _, c := range d.Capabilities {
		digested := digestedCapability{Op: sorted(c.Op), Scopes: map[string][]string{}}
		for operand, scopes := range c.Scopes {
			digested.Scopes[operand] = sorted(scopes)
		}
		out.Capabilities = append(out.Capabilities, digested)
	}
	return out
}

func digestGraph(g *Graph) digestedGraph {
	out := digestedGraph{Name: g.Name, Source: path.Clean(g.Source), Device: g.Device.Name, Dims: g.Dims, Keep: sorted(g.Keep), KeepInputs: g.KeepInputs}
	for _, p := range g.Places {
		out.Places = append(out.Places, digestedPlace{p.Tensor, p.Pool.Name, p.Offset})
	}
	for _, in := range g.Inputs {
		out.Inputs = append(out.Inputs, [3]string{in.Tensor, in.Graph.Name, in.Output})
	}
	return out
}

func digestRule(c *Config, r *ScopeRule) digestedRule {
	out := digestedRule{
		Name: r.Name, Op: sorted(r.Op), Operand: sorted(r.Operand), DType: sorted(r.DType), Role: sorted(r.Role), Tensor: sorted(r.Tensor),
		Rank: sorted(r.Rank), Layout: sorted(r.Layout), Graph: sorted(r.Graph), Device: sorted(r.Device), Scope: r.Scope, Penalty: r.Penalty,
	}
	for _, p := range r.Pools {
		out.Pools = append(out.Pools, p.Name)
	}
	if r.Condition == nil {
		return out
	}
	out.Condition = words(c, r.Condition.Range())
	out.Values = map[string]json.RawMessage{}
	for name, v := range r.values {
		out.Values[name] = encode(v)
	}
	return out
}

// words is an expression without its white space, line breaks and comments.
func words(c *Config, r hcl.Range) []string {
	text := syntax.Text(c.Files, r)
	if syntax.IsJSON(r.Filename) {
		var plain string
		if json.Unmarshal(slices.Concat([]byte{'"'}, text, []byte{'"'}), &plain) == nil {
			text = []byte(plain)
		}
	}
	tokens, _ := hclsyntax.LexExpression(text, r.Filename, hcl.InitialPos)
	var out []string
	for _, token := range tokens {
		switch token.Type {
		case hclsyntax.TokenComment, hclsyntax.TokenNewline, hclsyntax.TokenEOF:
		default:
			out = append(out, string(token.Bytes))
		}
	}
	return out
}

// encode writes a value as JSON; what is unknown until planned counts as null, since no plan can depend on it.
func encode(v cty.Value) json.RawMessage {
	v, err := cty.Transform(eval.Plain(v), func(_ cty.Path, v cty.Value) (cty.Value, error) {
		if !v.IsKnown() {
			return cty.NullVal(v.Type()), nil
		}
		return v, nil
	})
	if err != nil {
		panic("config: digest: " + err.Error())
	}
	encoded, err := ctyjson.Marshal(v, cty.DynamicPseudoType)
	if err != nil {
		panic("config: digest: " + err.Error())
	}
	return encoded
}
