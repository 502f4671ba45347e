package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/convert"
	"github.com/zclconf/go-cty/cty/function"

	"github.com/memplan/memplan/lang/syntax"
)

// files gives functions access to files below a directory.
type files struct {
	reader syntax.Reader
	dir    string
}

// fileFunctions lists the functions on files; others are what a template may call.
func fileFunctions(r syntax.Reader, dir string, others []Function) []Function {
	const category = "Files"
	f := files{r, dir}
	return []Function{
		{"basename", category, "basename(path)", "The last part of the path.", `basename("a/b.onnx") # "b.onnx"`, textFunction(func(p string) (string, error) { return path.Base(p), nil })},
		{"dirname", category, "dirname(path)", "The path without its last part.", `dirname("a/b.onnx") # "a"`, textFunction(func(p string) (string, error) { return path.Dir(p), nil })},
		{"file", category, "file(path)", "The UTF-8 text of a file. Paths are relative to the directory of the configuration.", `jsondecode(file("sizes.json"))`, textFunction(f.read)},
		{"fileexists", category, "fileexists(path)", "Whether there is such a file.", `fileexists("no-such-file") # false`, f.existsFunction()},
		{"fileset", category, "fileset(dir, pattern)", "The files of one directory whose names match the pattern, as a set.", `fileset(".", "*.json") # ["sizes.json"]`, f.fileSet()},
		{"templatefile", category, "templatefile(path, vars)", "The text of a file with its `${...}` replaced; it sees the vars and the other functions.", `templatefile("name.tmpl", { n = 1 })`, f.templateFunction(others)},
		{"templatestring", category, "templatestring(template, vars)", "A text with its `${...}` replaced; it sees the vars and the other functions.", `templatestring("$${n} KiB", { n = 1 }) # "1 KiB"`, templateString(others)},
	}
}

// resolve keeps configurations portable: a path that works on one machine only is refused.
func (f files) resolve(name string) (string, error) {
	if path.IsAbs(name) || strings.Contains(name, `\`) || len(name) > 1 && name[1] == ':' {
		return "", fmt.Errorf("%q is not a relative path with forward slashes; give the path relative to the configuration", name)
	}
	return path.Join(f.dir, name), nil
}

func (f files) read(name string) (string, error) {
	full, err := f.resolve(name)
	if err != nil {
		return "", err
	}
	content, err := f.reader.ReadFile(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", fmt.Errorf("there is no file %q; paths are relative to the configuration", name)
	case err != nil:
		return "", fmt.Errorf("%q could not be read", name)
	case len(content) > syntax.MaxFileSize:
		return "", fmt.Errorf("%q has more than %d bytes", name, syntax.MaxFileSize)
	case !utf8.Valid(content):
		return "", fmt.Errorf("%q is not UTF-8 text", name)
	}
	return string(content), nil
}

func (f files) existsFunction() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Bool),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			full, err := f.resolve(args[0].AsString())
			if err != nil {
				return cty.DynamicVal, function.NewArgError(0, err)
			}
			_, err = f.reader.ReadFile(full)
			if err != nil && !errors.Is(err, fs.ErrNotExist) {
				return cty.DynamicVal, function.NewArgErrorf(0, "%q could not be read", args[0].AsString())
			}
			return cty.BoolVal(err == nil), nil
		},
	})
}

func (f files) templateFunction(others []Function) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "path", Type: cty.String}, {Name: "vars", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if t := args[1].Type(); !t.IsObjectType() && !t.IsMapType() {
				return cty.DynamicVal, function.NewArgErrorf(1, "an object is needed, not %s", t.FriendlyName())
			}
			text, err := f.read(args[0].AsString())
			if err != nil {
				return cty.DynamicVal, function.NewArgError(0, err)
			}
			return render(args[0].AsString(), text, args[1].AsValueMap(), others)
		},
	})
}

// templateString renders a template that is a value.
func templateString(others []Function) function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "template", Type: cty.String}, {Name: "vars", Type: cty.DynamicPseudoType}},
		Type:   function.StaticReturnType(cty.String),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			if t := args[1].Type(); !t.IsObjectType() && !t.IsMapType() {
				return cty.DynamicVal, function.NewArgErrorf(1, "an object is needed, not %s", t.FriendlyName())
			}
			return render("the template", args[0].AsString(), args[1].AsValueMap(), others)
		},
	})
}

func render(name, text string, vars map[string]cty.Value, functions []Function) (cty.Value, error) {
	expr, ds := syntax.ParseTemplate(name, []byte(text))
	if ds.HasErrors() {
		return cty.DynamicVal, function.NewArgErrorf(0, "%s:%d: %s", name, ds[0].Subject.Start.Line, ds[0].Detail)
	}
	v, hclDiags := expr.Value(&hcl.EvalContext{Variables: vars, Functions: Table(functions)})
	if hclDiags.HasErrors() {
		return cty.DynamicVal, function.NewArgErrorf(0, "%s", hclDiags.Error())
	}
	if v.IsNull() || !v.IsKnown() || !v.Type().IsPrimitiveType() {
		return cty.DynamicVal, function.NewArgErrorf(0, "%q does not give a text", name)
	}
	if err := magnitude(v); err != nil {
		return cty.DynamicVal, err
	}
	return convert.Convert(v, cty.String)
}

// ReadsFiles reports whether what a function gives depends on files and not on its arguments alone.
func ReadsFiles(name string) bool {
	switch name {
	case "file", "fileexists", "fileset", "templatefile":
		return true
	}
	return false
}
