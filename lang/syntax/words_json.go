package syntax

import "github.com/memplan/memplan/lang/diag"

// jsonWordings are for what the reader of the JSON syntax finds.
var jsonWordings = []diag.Wording{
	diag.Said("Extraneous data after value", ``, "The JSON value ends, and the text goes on here. Remove the rest, or the bracket that ends the value too early."),
	diag.Said("Missing JSON value", ``, "A value is missing here. Write one: a text in double quotes, a number, true, false, null, [ ] or { }."),
	diag.Said("Missing array element value", ``, "A list has an element without a value here. Write the value, or remove the comma."),
	diag.Said("Missing value", ``, "The text ends where a value belongs. Write the value, and close what is open."),
	diag.Said("Invalid start of value", ``, "No value begins so. Write a text in double quotes, a number, true, false, null, [ ] or { }."),
	diag.Said("Invalid object property name", ``, "The name of a property is a text. Put it in double quotes."),
	diag.Said("Missing object value", ``, "The property has no value. Write a colon and the value after its name."),
	diag.Said("Missing property value colon", `equals sign`, "JSON has a colon between name and value, and here is an equals sign. Write a colon."),
	diag.Said("Missing property value colon", ``, "A colon belongs between the name of a property and its value. Write it here."),
	diag.Said("Trailing comma in object", ``, "JSON has no comma after the last property of an object. Remove it."),
	diag.Said("Trailing comma in array", ``, "JSON has no comma after the last value of a list. Remove it."),
	diag.Said("Unclosed object", `brace`, "The object has no closing brace. Write } where it ends."),
	diag.Said("Unclosed object", ``, "The list has no closing bracket. Write ] where it ends."),
	diag.Said("Mismatched braces", ``, "An object ends with a brace, and here is a bracket. Write }."),
	diag.Said("Mismatched brackets", ``, "A list ends with a bracket, and here is a brace. Write ]."),
	diag.Said("Missing attribute seperator comma", `object`, "The properties of an object have commas between them, and one is missing. Write it here."),
	diag.Said("Missing attribute seperator comma", ``, "The values of a list have commas between them, and one is missing. Write it here."),
	diag.Said("Invalid array value", ``, "A list has values without names, and here is a colon. Remove the name, or write { and } around name and value."),
	diag.Said("Invalid JSON number", ``, "The number cannot be read. Write it as JSON does, as in 1024 or 1.5, without a + or a leading 0."),
	diag.Said("Invalid JSON string", ``, "The text cannot be read. Close it with a quote on its line, and write \\n, \\t, \\\" and \\\\ with a backslash."),
	diag.Said("Invalid JSON keyword", `identifier (".*?")`, "$1 is no value in JSON. Write null."),
	diag.Said("Invalid JSON keyword", `(?s)^(".*?") is.*Did you mean (".*?")`, "$1 is no value in JSON. Did you mean $2?"),
	diag.Said("Invalid JSON keyword", `^(".*?") is`, "$1 is no value in JSON. Put a text in double quotes, or write true, false or null."),
	diag.Said("Root value must be object", ``, "A file in JSON syntax holds one object, or a list of objects. Write { and } around its content."),
	// What a file is to hold.
	diag.Said("Incorrect JSON value type", `labels? for`, "An object belongs here whose property is the name of the block. Write { \"NAME\": { ... } }."),
	diag.Said("Incorrect JSON value type", `contents of one or more (".*?") blocks`, "An object, or a list of objects, belongs here for the $1 blocks. Write { ... }."),
	diag.Said("Incorrect JSON value type", `labels`, "An object belongs here whose property is the name of the block. Write { \"NAME\": { ... } }."),
	diag.Said("Incorrect JSON value type", ``, "An object belongs here, with the attributes and blocks of this block. Write { ... }."),
	diag.Said("Missing block label", `represents the (.*) block's`, "A $1 block has a name here. Write { \"NAME\": { ... } }."),
	diag.Said("(?:Duplicate argument|Duplicate attribute definition)", `argument (".*?") was`, "The argument $1 is set twice. Remove one of the two."),
	diag.Said("Missing required argument", `argument (".*?") is`, "The argument $1 is missing. Add it."),
	diag.Said("Extraneous JSON object property", `named (".*?")\.`, "There is no attribute and no block $1 here. Remove it."),
	// Values.
	diag.Said("Invalid object key expression", `null`, "A key of an object is null. Give it a value."),
	diag.Said("Invalid object key expression", `(?s)key: (.*)$`, "A key of an object is a text, and this is none: $1 Write a text."),
	diag.Said("Duplicate object attribute", `named (".*?") was`, "The object has two values with the key $1. Remove one of the two."),
}
