package schema_test

import (
	"math/bits"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/addr"
	"github.com/memplan/memplan/lang/schema"
	"github.com/memplan/memplan/lang/syntax"
)

// each visits every block with its path.
func each(visit func(path string, b *schema.Block)) {
	var walk func(path string, b *schema.Block)
	walk = func(path string, b *schema.Block) {
		visit(path, b)
		for i := range b.Blocks {
			walk(path+"/"+b.Blocks[i].Type, &b.Blocks[i])
		}
	}
	walk("", schema.Root())
}

func TestEveryBlockIsDescribed(t *testing.T) {
	each(func(path string, b *schema.Block) {
		assert.True(t, strings.HasSuffix(b.Doc, "."), path)
		if strings.Count(path, "/") == 1 {
			assert.NotEmpty(t, b.Example, path)
			assert.Equal(t, b.Kind != "", b.Label != nil, path)
		}
		seen := map[string]bool{}
		for _, name := range append(b.AttributeNames(), b.BlockTypes()...) {
			assert.False(t, seen[name], "%s/%s is there twice", path, name)
			seen[name] = true
		}
	})
}

func TestEveryAttributeIsDescribed(t *testing.T) {
	each(func(path string, b *schema.Block) {
		for i := range b.Attributes {
			a := &b.Attributes[i]
			name := path + "." + a.Name
			assert.True(t, strings.HasSuffix(a.Doc, "."), name)
			assert.NotEmpty(t, a.Example, name)
			if a.Required {
				assert.Empty(t, a.Default+a.DefaultDoc, name)
			}
			assert.Equal(t, a.Type == schema.Reference || a.Type == schema.References || a.Type == schema.Selection, a.Refers != "", name)
			for _, text := range []string{a.Default, a.Example} {
				if text != "" && a.Type != schema.TypeConstraint {
					_, ds := syntax.ParseExpression(name, []byte(text))
					assert.Empty(t, ds, name)
				}
			}
		}
	})
}

func TestDefaultsMeetTheirOwnRules(t *testing.T) {
	each(func(path string, b *schema.Block) {
		for i := range b.Attributes {
			a := &b.Attributes[i]
			if a.Default == "" || a.Type == schema.TypeConstraint {
				continue
			}
			expr, _ := syntax.ParseExpression("default", []byte(a.Default))
			v, diags := expr.Value(nil)
			require.False(t, diags.HasErrors())
			if a.Type == schema.Text && a.Values != nil {
				assert.Contains(t, a.ValueNames(), v.AsString(), path+"."+a.Name)
			}
			if a.PowerOfTwo {
				n, _ := v.AsBigFloat().Int64()
				assert.Equal(t, 1, bits.OnesCount64(uint64(n)), path+"."+a.Name)
			}
		}
	})
}

func TestExamplesAreCanonicalAndParse(t *testing.T) {
	each(func(path string, b *schema.Block) {
		if b.Example == "" {
			return
		}
		_, ds := syntax.Parse(path, []byte(b.Example+"\n"))
		assert.Empty(t, ds, path)
		assert.Equal(t, b.Example+"\n", string(syntax.Canonical([]byte(b.Example+"\n"))), path)
		_, diags := hclsyntax.ParseConfig([]byte(b.Example), path, hcl.InitialPos)
		assert.False(t, diags.HasErrors(), path)
	})
}

func TestObjectsOfEveryReferableKind(t *testing.T) {
	for _, kind := range addr.Kinds() {
		object := schema.ObjectOf(kind)
		if kind == addr.Variable || kind == addr.Local || kind == addr.Module || kind == addr.Path {
			assert.Nil(t, object, kind)
			continue
		}
		require.NotNil(t, object, kind)
		assert.NotNil(t, object.Field("name"), kind)
		assert.True(t, object.Type().HasAttribute("address"), kind)
	}
}

func TestLookUps(t *testing.T) {
	pool := schema.Root().Block("pool")
	require.NotNil(t, pool)
	assert.Nil(t, schema.Root().Block("exports"))
	assert.Nil(t, pool.Attribute("counts"))
	assert.Equal(t, []string{"flat", "texture"}, pool.Attribute("type").ValueNames())
	assert.Nil(t, pool.Attribute("size").ValueNames())
	assert.Equal(t, "size", pool.Attribute("size").Type.String())
	assert.Nil(t, schema.ObjectOf(addr.Pool).Field("peek"))
}
