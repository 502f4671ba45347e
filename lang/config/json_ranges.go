package config

import (
	"reflect"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"
	"github.com/hashicorp/hcl/v2/hclsyntax"
)

// escapes says for each byte of the content of a JSON string, and for its end, how many bytes of escapes stand before it in
// the string's source, which is given with its quotes; nil when there are none.
func escapes(source []byte) []int {
	if len(source) < 2 {
		return nil
	}
	var out []int
	extra := 0
	for i := 1; i < len(source)-1; {
		width, decoded := 1, 1
		if source[i] == '\\' && i+1 < len(source)-1 {
			width = 2
			if source[i+1] == 'u' {
				width, decoded = unicodeEscape(source[i:])
			}
		}
		for range decoded {
			out = append(out, extra)
		}
		extra += width - decoded
		i += width
	}
	if extra == 0 {
		return nil
	}
	return append(out, extra)
}

// unicodeEscape returns the bytes of an escape \uXXXX, or of a pair of them, and those of the character that it stands for.
func unicodeEscape(source []byte) (width, decoded int) {
	unit := func(at int) rune {
		if at+6 > len(source) || source[at] != '\\' || source[at+1] != 'u' {
			return utf8.RuneError
		}
		n := rune(0)
		for _, c := range source[at+2 : at+6] {
			n <<= 4
			switch {
			case '0' <= c && c <= '9':
				n |= rune(c - '0')
			case 'a' <= c|0x20 && c|0x20 <= 'f':
				n |= rune(c|0x20-'a') + 10
			}
		}
		return n
	}
	first := unit(0)
	if 0xd800 <= first && first < 0xdc00 {
		if second := unit(6); 0xdc00 <= second && second < 0xe000 {
			return 12, 4
		}
	}
	return min(6, len(source)), max(1, utf8.RuneLen(first))
}

// relocate moves the ranges of everything in an expression, which was read from the content of a JSON string that begins at
// start, to where it stands in the source.
func relocate(expr hclsyntax.Expression, start int, extra []int) {
	move := func(p *hcl.Pos) {
		if at := p.Byte - start; at >= 0 && at < len(extra) {
			p.Byte += extra[at]
			p.Column += extra[at]
		}
	}
	ranges := map[any]bool{}
	var visit func(v reflect.Value)
	visit = func(v reflect.Value) {
		switch v.Kind() {
		case reflect.Pointer:
			if v.IsNil() || ranges[v.Interface()] {
				return
			}
			ranges[v.Interface()] = true
			visit(v.Elem())
		case reflect.Interface:
			if v.IsNil() {
				return
			}
			inner := v.Elem()
			if inner.Kind() == reflect.Struct && v.CanSet() {
				// A step of a traversal is a value: it is replaced as a whole.
				moved := reflect.New(inner.Type()).Elem()
				moved.Set(inner)
				visit(moved)
				v.Set(moved)
				return
			}
			visit(inner)
		case reflect.Slice:
			for i := range v.Len() {
				visit(v.Index(i))
			}
		case reflect.Struct:
			if v.CanAddr() && v.Addr().CanInterface() {
				if r, ok := v.Addr().Interface().(*hcl.Range); ok {
					move(&r.Start)
					move(&r.End)
					return
				}
			}
			for i := range v.NumField() {
				if v.Type().Field(i).IsExported() {
					visit(v.Field(i))
				}
			}
		}
	}
	visit(reflect.ValueOf(expr))
}
