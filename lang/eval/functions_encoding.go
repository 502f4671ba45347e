package eval

import (
	"encoding/base64"
	"errors"
	"net/url"
	"strings"
	"unicode/utf8"

	ctyyaml "github.com/zclconf/go-cty-yaml"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func encodingFunctions() []Function {
	const category = "Encodings"
	return []Function{
		{"base64decode", category, "base64decode(text)", "The UTF-8 text that was encoded.", `base64decode("aGk=") # "hi"`, textFunction(decodeBase64)},
		{"base64encode", category, "base64encode(text)", "In Base64.", `base64encode("hi") # "aGk="`, guard(textFunction(encodeBase64), nil)},
		{"csvdecode", category, "csvdecode(text)", "The lines of a CSV text as a list of objects, named by the first line.", `csvdecode("a,b\n1,2")[0].b # "2"`, guard(stdlib.CSVDecodeFunc, nil)},
		{"jsondecode", category, "jsondecode(text)", "The value of a JSON text.", `jsondecode("[1]")[0] # 1`, guard(stdlib.JSONDecodeFunc, jsonDepth)},
		{"jsonencode", category, "jsonencode(value)", "The value as JSON.", `jsonencode({ a = 1 }) # "{\"a\":1}"`, guard(stdlib.JSONEncodeFunc, nil)},
		{"urldecode", category, "urldecode(text)", "What was escaped for the query of a URL.", `urldecode("a+b") # "a b"`, textFunction(unescape)},
		{"urlencode", category, "urlencode(text)", "Escaped for the query of a URL.", `urlencode("a b") # "a+b"`, guard(textFunction(escape), nil)},
		{"yamldecode", category, "yamldecode(text)", "The value of a YAML text.", `yamldecode("a: [1, 2]").a[1] # 2`, guard(ctyyaml.YAMLDecodeFunc, yamlSize)},
		{"yamlencode", category, "yamlencode(value)", "The value as YAML.", `yamlencode({ a = 1 }) # "\"a\": 1\n"`, guard(ctyyaml.YAMLEncodeFunc, nil)},
	}
}

func textFunction(f func(string) (string, error)) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			result, err := f(args[0].AsString())
			if err != nil {
				return cty.DynamicVal, function.NewArgError(0, err)
			}
			return cty.StringVal(result), nil
		},
	})
}

func encodeBase64(text string) (string, error) {
	return base64.StdEncoding.EncodeToString([]byte(text)), nil
}

func decodeBase64(text string) (string, error) {
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return "", errors.New("the text is not valid Base64")
	}
	if !utf8.Valid(decoded) {
		return "", errors.New("what was encoded is not UTF-8 text")
	}
	return string(decoded), nil
}

func escape(text string) (string, error) { return url.QueryEscape(text), nil }

func unescape(text string) (string, error) {
	plain, err := url.QueryUnescape(text)
	if err != nil || !utf8.ValidString(plain) {
		return "", errors.New("the text is not escaped as in a URL")
	}
	return plain, nil
}

// mostYAML is the largest YAML text that is decoded, in bytes: its parser is recursive and aliases repeat what they name.
const mostYAML = 1 << 20

func yamlSize(args []cty.Value) error {
	text := args[0].AsString()
	if len(text) > mostYAML {
		return errors.New("the YAML text has more than 1 MiB")
	}
	// A block is nested no deeper than its column.
	for line := range strings.SplitSeq(text, "\n") {
		if len(line)-len(strings.TrimLeft(line, " \t-?:")) > 2*deepestJSON {
			return errors.New("the YAML text is nested too deep")
		}
	}
	return jsonDepth(args)
}

// deepestJSON is the deepest nesting of a JSON text that is decoded: the decoder is recursive.
const deepestJSON = 200

func jsonDepth(args []cty.Value) error {
	depth, quoted, escaped := 0, false, false
	for _, c := range []byte(args[0].AsString()) {
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '[' || c == '{':
			depth++
		case c == ']' || c == '}':
			depth--
		}
		if depth > deepestJSON {
			return errors.New("the JSON text is nested too deep")
		}
	}
	return nil
}
