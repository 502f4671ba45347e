package schema

import (
	"github.com/memplan/memplan/lang/addr"
)

// Type is what an attribute takes.
type Type uint8

// The types.
const (
	// Text is a string.
	Text Type = iota
	// Bool is true or false.
	Bool
	// Whole is a whole number within Min and Max.
	Whole
	// Real is a number that is 0 or more.
	Real
	// Size is an amount of memory: a number of bytes or a string with a unit.
	Size
	// Texts is a list of strings.
	Texts
	// Wholes is a list of whole numbers within Min and Max.
	Wholes
	// Reference is a reference to a block of kind Refers, References a list of them.
	Reference
	References
	// Selection is a list of references to blocks of kind Refers or globs for their names.
	Selection
	// Dimensions is a map from the name of a symbolic dimension to its value or { max = bound }.
	Dimensions
	// TypeConstraint is a type, such as list(string).
	TypeConstraint
	// Condition is an expression that gives true or false.
	Condition
	// Any is a value of any type.
	Any
	// Address is an address that is written out, such as pool.bank["fast"]; it is not evaluated.
	Address
)

// String returns the type's name in the documentation.
func (t Type) String() string {
	return [...]string{
		Text: "string", Bool: "bool", Whole: "whole number", Real: "number", Size: "size", Texts: "list of strings", Wholes: "list of whole numbers",
		Reference: "reference", References: "list of references", Selection: "list of references or globs", Dimensions: "map of dimensions",
		TypeConstraint: "type constraint", Condition: "condition", Any: "any", Address: "address",
	}[t]
}

// Phase is when an attribute is evaluated, and so what it may refer to.
type Phase uint8

// The phases.
const (
	// BeforePlanning is needed to make the plan: planned values are errors.
	BeforePlanning Phase = iota
	// DuringPlanning is evaluated for each tensor.
	DuringPlanning
	// AfterPlanning may use planned values.
	AfterPlanning
	// Constant may refer to nothing.
	Constant
)

// Value is one value of an enumeration.
type Value struct{ Name, Doc string }

// Attribute describes one attribute.
type Attribute struct {
	Name     string
	Type     Type
	Required bool
	// Default is the value in effect when the attribute is left out, as a configuration would write it; "" when there
	// is none. DefaultDoc says it in words when it depends on something.
	Default, DefaultDoc string
	// Doc is one or more sentences in Markdown, Example a value as a configuration would write it.
	Doc, Example string
	// Values is the enumeration of a Text or of the elements of Texts, nil when free.
	Values []Value
	// Refers is the kind of block that a Reference, References or a Selection refers to.
	Refers addr.Kind
	Phase  Phase
	// Min and Max bound a Whole or Size, inclusive; Max 0 is the largest int64.
	Min, Max int64
	// PowerOfTwo restricts a Whole or Size.
	PowerOfTwo bool
	// Glob marks Texts that are patterns for names.
	Glob bool
	// Deprecated says what takes the attribute's place, "" when it is current.
	Deprecated string
}

// ValueNames lists the enumeration, nil when the attribute is free.
func (a *Attribute) ValueNames() []string {
	if len(a.Values) == 0 {
		return nil
	}
	names := make([]string, len(a.Values))
	for i, v := range a.Values {
		names[i] = v.Name
	}
	return names
}

// Label describes the label of a block.
type Label struct {
	// Name is what the label is, such as "name" or "tensor".
	Name, Doc string
	// Free marks labels that need not be identifiers, such as the names of tensors.
	Free bool
}

// Block describes one block type.
type Block struct {
	Type string
	// Label is nil for a block without one.
	Label *Label
	// Kind is the kind of address that the block declares, "" when it declares none.
	Kind addr.Kind
	Doc  string
	// Example is a whole block in canonical format.
	Example string
	// Once marks a block that may appear once in its surroundings, Required one that must appear.
	Once, Required bool
	// Free marks a block whose attributes have names of the user's choice.
	Free bool
	// Attributes and Blocks are in the order of the documentation.
	Attributes []Attribute
	Blocks     []Block
}

// Attribute returns the attribute with the name, nil when there is none.
func (b *Block) Attribute(name string) *Attribute {
	for i := range b.Attributes {
		if b.Attributes[i].Name == name {
			return &b.Attributes[i]
		}
	}
	return nil
}

// Block returns the block with the type inside b, nil when there is none. It finds dynamic blocks where they may stand.
func (b *Block) Block(blockType string) *Block {
	if blockType == dynamicBlock.Type && b.TakesDynamic() {
		return &dynamicBlock
	}
	for i := range b.Blocks {
		if b.Blocks[i].Type == blockType {
			return &b.Blocks[i]
		}
	}
	return nil
}

// AttributeNames lists the attributes.
func (b *Block) AttributeNames() []string {
	names := make([]string, len(b.Attributes))
	for i := range b.Attributes {
		names[i] = b.Attributes[i].Name
	}
	return names
}

// BlockTypes lists the blocks inside b, "dynamic" last where it may stand.
func (b *Block) BlockTypes() []string {
	types := make([]string, len(b.Blocks), len(b.Blocks)+1)
	for i := range b.Blocks {
		types[i] = b.Blocks[i].Type
	}
	if b.TakesDynamic() {
		types = append(types, dynamicBlock.Type)
	}
	return types
}
