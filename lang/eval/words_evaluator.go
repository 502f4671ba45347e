package eval

import (
	"regexp"
	"strings"
	"sync"

	"github.com/hashicorp/hcl/v2"
)

// wording gives a finding of the evaluator in the words of this project.
type wording struct {
	summary string
	// detail matches what the evaluator says, with what is taken over in parentheses. It is compiled when first asked for: most runs
	// find nothing to say.
	detail func() *regexp.Regexp
	// text is written instead; $1 is the first of what is taken over.
	text string
}

// wordings are tried in order: those of one summary go from the special to the general.
var wordings = []wording{
	said("Invalid index", `null value as an indexing key`, "The key is null. Give it a value."),
	said("Invalid index", `fractional part`, "Elements of a list are counted in whole numbers, and the index has a fraction. Round it with floor or ceil."),
	said("Invalid index", `negative number`, "Elements of a list are counted from 0, and the index is negative. Count from the end with length."),
	said("Invalid index", `the collection has no elements`, "The value has no elements, and one of them is asked for. Ask for it with try, which takes another value where there is none."),
	said("Invalid index", `greater than or equal`, "The index is beyond the end of the list, whose first element has the index 0. Compare it with length of the list."),
	said("Invalid index", `Elements of a set`, "The elements of a set have no keys. Make it a list with tolist."),
	said("Invalid index", `does not have any indices`, "The value is no list, map or object, and an element of it is asked for. Remove the brackets."),
	said("Invalid index", `(?s).*( Did you mean .*\?)$`, "The value has no element with this key or index.$1"),
	said("Invalid index", ``, "The value has no element with this key or index."+compareKey),
	said("Attempt to index null value", ``, "The value is null and has no elements. Give it a value, or ask with try, which takes another value where there is none."),
	said("Attempt to get attribute from null value", ``, "The value is null and has no attributes. Give it a value, or ask with try, which takes another value where there is none."),
	said("Missing map element", `(".*")`, "The map has no element with the key $1. Compare the key with those that it has."),
	said("Unsupported attribute", `on a (list|set) of objects`, "The value is a $1 of objects, and an attribute belongs to one object. Choose one with its index, as in [0], or take all with [*]."),
	said("Unsupported attribute", `primitive-typed value \((\w+)\)`, "The value is a $1 and has no attributes. Remove the attribute."),
	said("Unsupported attribute", `named (".*")`, "The value has no attribute $1."+compareName),
	said("Unsupported attribute", ``, "The value has no attributes. Remove the attribute."),
	said("Variables not allowed", ``, "Nothing can be referred to here. Write the value itself."),
	said("Unknown variable", `named ("[^"]*")`, "There is nothing called $1 here."+compareStart),
	said("Function calls not allowed", ``, "No function can be called here. Write the value itself."),
	said("Call to unknown function", `named ("[^"]*")`, "There is no function $1. The page on the language lists all of them."),
	said("Call to unknown function", ``, "There are no functions with :: in their names. The page on the language lists all functions."),
	said("Invalid expanding argument value", ``, "What stands before ... in a call must be a list, a tuple or a set, and not null. Put it in brackets if it is one value."),
	said("Not enough function arguments", `Function ("[^"]*") expects( at least)? (\d+) .* value for ("[^"]*")`, "The call of $1 has too few values: it takes$2 $3. Add the one for $4."),
	said("Too many function arguments", `Function ("[^"]*") expects only (\d+)`, "The call of $1 has too many values: it takes $2. Remove those that are too many."),
	said("Invalid function argument", `(?s)value for ("[^"]*") parameter: (.*)$`, "The function cannot take this value for $1: $2 Change the value."),
	said("Error in function call", `(?s)function ("[^"]*") failed: (.*)$`, "The function $1 failed: $2 Change what it is called with."),
	said("Inconsistent conditional result types", `(?s)(?:consistent types\. |)((?:[^.]|\.[^ ])*\.)$`, "What a condition chooses from must be of one type. $1 Convert one of the two."),
	said("Null condition", ``, "The condition is null, and must be true or false. Compare it with null."),
	said("Incorrect condition type", ``, "The condition is neither true nor false. Write a comparison."),
	said("Null value as key", ``, "A key of the object is null. Give it a value."),
	said("Incorrect key type", `(?s)as a key: (.*)$`, "A key of an object is a text, and this is none: $1 Convert it with tostring."),
	said("Ambiguous attribute key", ``, "A key with dots may be a text or a reference. Put a text in double quotes and a reference in parentheses."),
	said("Iteration over null value", ``, "What the for expression goes through is null. Give it a value, or use coalesce."),
	said("Iteration over non-iterable value", `of type (.*?) cannot`, "A for expression goes through a list, a set, a map or an object, and this value is a $1. Put it in brackets if it is one value."),
	said("Condition is null", ``, "The condition after if is null, and must be true or false. Compare it with null."),
	said("Invalid 'for' condition", `must not be null`, "The condition after if is null, and must be true or false. Compare it with null."),
	said("Invalid 'for' condition", `(?s)invalid: (.*)$`, "The condition after if is neither true nor false: $1 Write a comparison."),
	said("Invalid object key", `must not produce a null`, "A key of the for expression is null. Leave such elements out with if."),
	said("Invalid object key", `(?s)result: (.*)$`, "A key of the for expression is no text: $1 Convert it with tostring."),
	said("Duplicate object key", `key (".*?") in`, "Two elements of the for expression have the key $1. Write ... after the value to collect the values of each key in a list."),
	said("Splat of null value", ``, "The value before [*] or .* is null. Give it a value."),
	said("Invalid nested splat expressions", ``, "The elements that the second [*] gives are of different types. Write a for expression, which makes a tuple of them."),
	said("Invalid template interpolation value", `is null|null value`, "A value within ${ } is null and cannot be part of a text. Give it a value, or use coalesce."),
	said("Invalid template interpolation value", `(?s)template: (.*)$`, "A value within ${ } cannot be part of a text: $1 Write it out with jsonencode or join."),
	said("Invalid operand", `(?s)for (left|right) operand: (.*)$`, "The operator cannot take what stands to its $1: $2 Convert it, or choose another operator."),
	said("Invalid operand", `(?s)unary operand: (.*)$`, "The operator cannot take what stands after it: $1 Convert it."),
	said("Operation failed", `(?s)operation: (.*)$`, "The operation has no result: $1 Change one of its operands."),
}

func said(summary, detail, text string) wording {
	return wording{summary, sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(detail) }), text}
}

// inWords says what an evaluation found in the words of this project. What a newer evaluator may find is said in its own.
func inWords(d *hcl.Diagnostic) string {
	detail := strings.TrimSpace(d.Detail)
	for i := range wordings {
		if w := &wordings[i]; w.summary == d.Summary {
			find := w.detail()
			if at := find.FindStringSubmatchIndex(detail); at != nil {
				return withNames(string(find.ExpandString(nil, w.text, detail, at)), d)
			}
		}
	}
	return d.Summary + ": " + detail
}
