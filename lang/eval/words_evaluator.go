package eval

import (
	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// wordings are tried in order: those of one summary go from the special to the general, as [diag.InWords] takes them.
var wordings = []diag.Wording{
	diag.Said("Invalid index", `null value as an indexing key`, "The key is null. Give it a value."),
	diag.Said("Invalid index", `fractional part`, "Elements of a list are counted in whole numbers, and the index has a fraction. Round it with floor or ceil."),
	diag.Said("Invalid index", `negative number`, "Elements of a list are counted from 0, and the index is negative. Count from the end with length."),
	diag.Said("Invalid index", `the collection has no elements`, "The value has no elements, and one of them is asked for. Ask for it with try, which takes another value where there is none."),
	diag.Said("Invalid index", `greater than or equal`, "The index is beyond the end of the list, whose first element has the index 0. Compare it with length of the list."),
	diag.Said("Invalid index", `Elements of a set`, "The elements of a set have no keys. Make it a list with tolist."),
	diag.Said("Invalid index", `does not have any indices`, "The value is no list, map or object, and an element of it is asked for. Remove the brackets."),
	diag.Said("Invalid index", `(?s).*( Did you mean .*\?)$`, "The value has no element with this key or index.$1"),
	diag.Said("Invalid index", ``, "The value has no element with this key or index."+compareKey),
	diag.Said("Attempt to index null value", ``, "The value is null and has no elements. Give it a value, or ask with try, which takes another value where there is none."),
	diag.Said("Attempt to get attribute from null value", ``, "The value is null and has no attributes. Give it a value, or ask with try, which takes another value where there is none."),
	diag.Said("Missing map element", `(".*")`, "The map has no element with the key $1. Compare the key with those that it has."),
	diag.Said("Unsupported attribute", `on a (list|set) of objects`, "The value is a $1 of objects, and an attribute belongs to one object. Choose one with its index, as in [0], or take all with [*]."),
	diag.Said("Unsupported attribute", `primitive-typed value \((\w+)\)`, "The value is a $1 and has no attributes. Remove the attribute."),
	diag.Said("Unsupported attribute", `named (".*")`, "The value has no attribute $1."+compareName),
	diag.Said("Unsupported attribute", ``, "The value has no attributes. Remove the attribute."),
	diag.Said("Variables not allowed", ``, "Nothing can be referred to here. Write the value itself."),
	diag.Said("Unknown variable", `named ("[^"]*")`, "There is nothing called $1 here."+compareStart),
	diag.Said("Function calls not allowed", ``, "No function can be called here. Write the value itself."),
	diag.Said("Call to unknown function", `named ("[^"]*")`, "There is no function $1. The page on the language lists all of them."),
	diag.Said("Call to unknown function", ``, "There are no functions with :: in their names. The page on the language lists all functions."),
	diag.Said("Invalid expanding argument value", ``, "What stands before ... in a call must be a list, a tuple or a set, and not null. Put it in brackets if it is one value."),
	diag.Said("Not enough function arguments", `Function ("[^"]*") expects( at least)? (\d+) .* value for ("[^"]*")`, "The call of $1 has too few values: it takes$2 $3. Add the one for $4."),
	diag.Said("Too many function arguments", `Function ("[^"]*") expects only (\d+)`, "The call of $1 has too many values: it takes $2. Remove those that are too many."),
	diag.Said("Invalid function argument", `(?s)value for ("[^"]*") parameter: (.*)$`, "The function cannot take this value for $1: $2 Change the value."),
	diag.Said("Error in function call", `(?s)function ("[^"]*") failed: (.*)$`, "The function $1 failed: $2 Change what it is called with."),
	diag.Said("Inconsistent conditional result types", `(?s)(?:consistent types\. |)((?:[^.]|\.[^ ])*\.)$`, "What a condition chooses from must be of one type. $1 Convert one of the two."),
	diag.Said("Null condition", ``, "The condition is null, and must be true or false. Compare it with null."),
	diag.Said("Incorrect condition type", ``, "The condition is neither true nor false. Write a comparison."),
	diag.Said("Null value as key", ``, "A key of the object is null. Give it a value."),
	diag.Said("Incorrect key type", `(?s)as a key: (.*)$`, "A key of an object is a text, and this is none: $1 Convert it with tostring."),
	diag.Said("Ambiguous attribute key", ``, "A key with dots may be a text or a reference. Put a text in double quotes and a reference in parentheses."),
	diag.Said("Iteration over null value", ``, "What the for expression goes through is null. Give it a value, or use coalesce."),
	diag.Said("Iteration over non-iterable value", `of type (.*?) cannot`, "A for expression goes through a list, a set, a map or an object, and this value is a $1. Put it in brackets if it is one value."),
	diag.Said("Condition is null", ``, "The condition after if is null, and must be true or false. Compare it with null."),
	diag.Said("Invalid 'for' condition", `must not be null`, "The condition after if is null, and must be true or false. Compare it with null."),
	diag.Said("Invalid 'for' condition", `(?s)invalid: (.*)$`, "The condition after if is neither true nor false: $1 Write a comparison."),
	diag.Said("Invalid object key", `must not produce a null`, "A key of the for expression is null. Leave such elements out with if."),
	diag.Said("Invalid object key", `(?s)result: (.*)$`, "A key of the for expression is no text: $1 Convert it with tostring."),
	diag.Said("Duplicate object key", `key (".*?") in`, "Two elements of the for expression have the key $1. Write ... after the value to collect the values of each key in a list."),
	diag.Said("Splat of null value", ``, "The value before [*] or .* is null. Give it a value."),
	diag.Said("Invalid nested splat expressions", ``, "The elements that the second [*] gives are of different types. Write a for expression, which makes a tuple of them."),
	diag.Said("Invalid template interpolation value", `is null|null value`, "A value within ${ } is null and cannot be part of a text. Give it a value, or use coalesce."),
	diag.Said("Invalid template interpolation value", `(?s)template: (.*)$`, "A value within ${ } cannot be part of a text: $1 Write it out with jsonencode or join."),
	diag.Said("Invalid operand", `for (left|right) operand: a number is required`, "The operator cannot take what stands to its $1: a number is required. Write a size as kib(4) or bytes(\"4KiB\"), and another text with tonumber."),
	diag.Said("Invalid operand", `(?s)for (left|right) operand: (.*)$`, "The operator cannot take what stands to its $1: $2 Convert it, or choose another operator."),
	diag.Said("Invalid operand", `(?s)unary operand: (.*)$`, "The operator cannot take what stands after it: $1 Convert it."),
	diag.Said("Operation failed", `(?s)operation: (.*)$`, "The operation has no result: $1 Change one of its operands."),
}

// inWords says what an evaluation found in the words of this project. What a newer evaluator may find is said in its own.
func inWords(d *hcl.Diagnostic) string {
	text, ours := diag.InWords(wordings, d)
	if !ours {
		return text
	}
	return withNames(text, d)
}
