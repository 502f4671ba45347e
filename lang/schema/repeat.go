package schema

import "github.com/zclconf/go-cty/cty"

// MostInstances is the largest number of instances of one block.
const MostInstances = 10_000

// repeats are the attributes that make a block stand for several.
var repeats = []Attribute{
	{Name: "for_each", Type: Any, DefaultDoc: "one block", Example: `{ fast = "64KiB", slow = "1MiB" }`,
		Doc: "Makes one instance for each element of a map, an object or a set of strings, at addresses such as `pool.bank[\"fast\"]`. Inside, `each.key` and `each.value` are the element. The keys must be known before planning and not sensitive."},
	{Name: "count", Type: Whole, DefaultDoc: "one block", Min: 0, Max: MostInstances, Example: "4",
		Doc: "Makes this many instances, at addresses such as `pool.bank[0]`. Inside, `count.index` is the number of the instance, from 0. Not together with `for_each`."},
}

// repeated adds the attributes for several instances to those of a block.
func repeated(attributes ...Attribute) []Attribute { return append(attributes, repeats...) }

// Repeats reports whether the block may have for_each or count.
func (b *Block) Repeats() bool { return b.Attribute("for_each") != nil }

var eachObject = Object{
	Name: "each", Doc: "The element that an instance is for, in a block with `for_each`.",
	Fields: []Field{
		{Name: "key", Type: cty.String, Doc: "The key in the map, or the member of the set."},
		{Name: "value", Type: cty.DynamicPseudoType, Doc: "The value in the map; of a set the member again."},
	},
}

var countObject = Object{
	Name: "count", Doc: "The instance, in a block with `count`.",
	Fields: []Field{{Name: "index", Type: cty.Number, Doc: "The number of the instance, from 0."}},
}

// Each returns the object that expressions see in blocks with for_each.
func Each() *Object { return &eachObject }

// Count returns the object that expressions see in blocks with count.
func Count() *Object { return &countObject }

// Iterator returns the object that the content of a dynamic block sees under the given name.
func Iterator(name string) *Object {
	return &Object{Name: name, Doc: "The element that the block is made for.", Fields: []Field{
		{Name: "key", Type: cty.DynamicPseudoType, Doc: "The key in the map, or the index in the list."},
		{Name: "value", Type: cty.DynamicPseudoType, Doc: "The value."},
	}}
}

// dynamicBlock makes blocks inside a block. Its content takes what the block takes that it makes.
var dynamicBlock = Block{
	Type:  "dynamic",
	Label: &Label{Name: "block type", Doc: "The type of the blocks to make."},
	Doc: "Makes blocks inside another block, one for each element of a collection: what `content` holds is what each of them does. Inside, an object with the name of " +
		"the block type has the fields `key` and `value`. It may stand in every block that takes blocks, but for `variable`.",
	Example: `graph "detector" {
  source = "models/detector.onnx"
  device = device.gpu
  dynamic "place" {
    for_each = { logits = 0, boxes = 4096 }
    labels   = [place.key]
    content {
      pool   = pool.arena
      offset = place.value
    }
  }
}`,
	Attributes: []Attribute{
		{Name: "for_each", Type: Any, Required: true, Example: "{ logits = 0, boxes = 4096 }",
			Doc: "A map, an object, a list or a set. It must be known before planning and not sensitive. In order of keys, or of the list."},
		{Name: "iterator", Type: Any, Phase: Constant, DefaultDoc: "the block type", Example: "pin", Doc: "Another name for the object that the content sees, as a bare word."},
		{Name: "labels", Type: Texts, DefaultDoc: "none", Example: "[place.key]", Doc: "The labels of each block, where the type has them."},
	},
	Blocks: []Block{{Type: "content", Once: true, Required: true, Doc: "What each block holds."}},
}

// Dynamic returns the schema of a dynamic block. That of its content is the schema of the block it makes.
func Dynamic() *Block { return &dynamicBlock }

// TakesDynamic reports whether a dynamic block may stand in b.
func (b *Block) TakesDynamic() bool {
	return len(b.Blocks) > 0 && b.Type != "" && b.Type != "variable" && b.Type != "dynamic"
}
