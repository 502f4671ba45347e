package eval

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
	"github.com/zclconf/go-cty/cty/function/stdlib"
)

func stringFunctions() []Function {
	const category = "Text"
	return []Function{
		{"chomp", category, "chomp(text)", "Without line breaks at the end.", `chomp("a\n") # "a"`, stdlib.ChompFunc},
		{"endswith", category, "endswith(text, end)", "Whether the text ends so.", `endswith("conv_w", "_w") # true`, predicate("end", strings.HasSuffix)},
		{"format", category, "format(text, values...)", "The text with its verbs replaced: %s, %d, %q, %v and others.", `format("t%02d", 7) # "t07"`, guard(stdlib.FormatFunc, widths)},
		{"formatlist", category, "formatlist(text, lists...)", "A list of formatted texts.", `formatlist("t%d", [1, 2]) # ["t1", "t2"]`, guard(stdlib.FormatListFunc, widths)},
		{"indent", category, "indent(spaces, text)", "Every line but the first moved right.", `indent(2, "a\nb") # "a\n  b"`, guard(stdlib.IndentFunc, indentWidth)},
		{"join", category, "join(separator, list)", "The elements with the separator between.", `join("/", ["a", "b"]) # "a/b"`, guard(stdlib.JoinFunc, joinLength)},
		{"lower", category, "lower(text)", "In lower case.", `lower("Conv") # "conv"`, stdlib.LowerFunc},
		{"regex", category, "regex(pattern, text)", "What the first match captures; an error without a match.", `regex("[0-9]+", "conv12") # "12"`, stdlib.RegexFunc},
		{"regexall", category, "regexall(pattern, text)", "The list of all matches.", `length(regexall("a", "banana")) # 3`, guard(stdlib.RegexAllFunc, nil)},
		{"replace", category, "replace(text, part, by)", "Every occurrence of the part replaced; a part between slashes is a pattern.", `replace("a-b", "-", "_") # "a_b"`, guard(replace, func(args []cty.Value) error { return repeats(args[0], args[2]) })},
		{"split", category, "split(separator, text)", "The list of parts between separators.", `split("/", "a/b") # ["a", "b"]`, guard(stdlib.SplitFunc, nil)},
		{"startswith", category, "startswith(text, start)", "Whether the text begins so.", `startswith("conv_w", "conv") # true`, predicate("start", strings.HasPrefix)},
		{"strcontains", category, "strcontains(text, part)", "Whether the part occurs in the text.", `strcontains("conv_w", "nv") # true`, predicate("part", strings.Contains)},
		{"strrev", category, "strrev(text)", "The characters backwards.", `strrev("abc") # "cba"`, stdlib.ReverseFunc},
		{"substr", category, "substr(text, offset, length)", "A part of the text, counted in characters; length -1 means the rest.", `substr("memplan", 0, 3) # "mem"`, stdlib.SubstrFunc},
		{"title", category, "title(text)", "Every word with a capital.", `title("a b") # "A B"`, stdlib.TitleFunc},
		{"trim", category, "trim(text, characters)", "Without these characters at both ends.", `trim("--a--", "-") # "a"`, stdlib.TrimFunc},
		{"trimprefix", category, "trimprefix(text, start)", "Without this beginning.", `trimprefix("conv_w", "conv_") # "w"`, stdlib.TrimPrefixFunc},
		{"trimspace", category, "trimspace(text)", "Without white space at both ends.", `trimspace(" a ") # "a"`, stdlib.TrimSpaceFunc},
		{"trimsuffix", category, "trimsuffix(text, end)", "Without this end.", `trimsuffix("a.onnx", ".onnx") # "a"`, stdlib.TrimSuffixFunc},
		{"upper", category, "upper(text)", "In upper case.", `upper("conv") # "CONV"`, stdlib.UpperFunc},
	}
}

func predicate(second string, holds func(text, other string) bool) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: second, Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			return cty.BoolVal(holds(args[0].AsString(), args[1].AsString())), nil
		},
	})
}

// replace takes a part between slashes for a regular expression, as Terraform does.
var replace = function.New(&function.Spec{
	Params: []function.Parameter{{Name: "text", Type: cty.String}, {Name: "part", Type: cty.String}, {Name: "by", Type: cty.String}},
	Type:   function.StaticReturnType(cty.String),
	Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
		text, part, by := args[0].AsString(), args[1].AsString(), args[2].AsString()
		if len(part) < 2 || part[0] != '/' || part[len(part)-1] != '/' {
			return cty.StringVal(strings.ReplaceAll(text, part, by)), nil
		}
		pattern, err := regexp.Compile(part[1 : len(part)-1])
		if err != nil {
			return cty.DynamicVal, function.NewArgError(1, err)
		}
		return cty.StringVal(pattern.ReplaceAllString(text, by)), nil
	},
})

// widest is the largest width or precision in a format, and the largest indentation.
const widest = 10_000

var number = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`[0-9]+`)
})

// widths refuses formats that pad to an enormous width.
func widths(args []cty.Value) error {
	if len(args) == 0 || !args[0].IsKnown() || args[0].IsNull() {
		return nil
	}
	for _, digits := range number().FindAllString(args[0].AsString(), -1) {
		if n, err := strconv.Atoi(digits); err != nil || n > widest {
			return fmt.Errorf("the format has a number above %d", widest)
		}
	}
	return nil
}

func indentWidth(args []cty.Value) error {
	if n := args[0].AsBigFloat(); n.IsInf() || n.MantExp(nil) > 10 {
		return fmt.Errorf("the indentation is above 1023 spaces")
	}
	spaces, _ := args[0].AsBigFloat().Int64()
	if int(spaces)*strings.Count(args[1].AsString(), "\n") > maxText {
		return fmt.Errorf("the result would have more than %d bytes of text", maxText)
	}
	return nil
}

func joinLength(args []cty.Value) error {
	total := 0
	for _, list := range args[1:] {
		if list.IsKnown() && !list.IsNull() {
			total += list.LengthInt() * len(args[0].AsString())
		}
	}
	if total > maxText {
		return fmt.Errorf("the result would have more than %d bytes of text", maxText)
	}
	return nil
}
