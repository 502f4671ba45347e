package eval

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/bmatcuk/doublestar/v4"
	"github.com/zclconf/go-cty/cty"
	"github.com/zclconf/go-cty/cty/function"
)

// fileSet lists the files of one directory whose names match a pattern.
func (f files) fileSet() function.Function {
	return function.New(&function.Spec{
		Params: []function.Parameter{{Name: "dir", Type: cty.String}, {Name: "pattern", Type: cty.String}},
		Type:   function.StaticReturnType(cty.Set(cty.String)),
		Impl: func(args []cty.Value, _ cty.Type) (cty.Value, error) {
			found, err := f.matching(args[0].AsString(), args[1].AsString())
			if err != nil {
				return cty.DynamicVal, err
			}
			if len(found) == 0 {
				return cty.SetValEmpty(cty.String), nil
			}
			return cty.SetVal(found), nil
		},
	})
}

func (f files) matching(dir, pattern string) ([]cty.Value, error) {
	inner, base := path.Split(pattern)
	if !doublestar.ValidatePattern(pattern) || strings.ContainsAny(inner, `*?[{\`) || strings.Contains(base, "**") {
		return nil, function.NewArgErrorf(1, "%q is not a pattern for the files of one directory, such as models/*.onnx", pattern)
	}
	full, err := f.resolve(path.Join(dir, inner))
	if err != nil {
		return nil, function.NewArgError(0, err)
	}
	names, err := f.reader.ReadDir(full)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("the directory %q could not be read", path.Join(dir, inner))
	}
	slices.Sort(names)
	var found []cty.Value
	for _, name := range names {
		if ok, err := doublestar.Match(base, name); err == nil && ok {
			found = append(found, cty.StringVal(inner+name))
		}
	}
	return found, nil
}
