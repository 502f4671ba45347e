package tvmjson

import (
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// words are how faults of the JSON itself are reported.
var words = jsontext.Words{
	Syntax: diag.TVMSyntax, Repeated: diag.TVMLengths, Type: diag.TVMValue, Value: diag.TVMValue, More: diag.TVMMore,
	Advice: "Write the file again, or correct it at this place.",
}

// reader reads the parts of a file.
type reader struct{ *jsontext.Reader }
