package plan

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/hashicorp/hcl/v2"

	"github.com/memplan/memplan/lang/diag"
)

// maxFaults is the number of faults reported of one file; a file with more is not a plan gone slightly wrong.
const maxFaults = 20

// reader binds JSON text to Go values by their struct tags and reports each fault with its place in the text.
type reader struct {
	filename string
	src      []byte
	dec      *json.Decoder
	fields   fields
	// lenient allows members that no struct declares: the file is of a later minor version.
	lenient bool
	// starts holds the byte at which each object starts, by path.
	starts map[string]int
	diags  diag.Diagnostics
}

func newReader(filename string, data []byte) *reader {
	r := &reader{filename: filename, src: data, dec: json.NewDecoder(bytes.NewReader(data)), fields: fields{}, starts: map[string]int{}}
	r.dec.UseNumber()
	return r
}

// path is the way from the root to a value; nil is the root.
type path struct {
	parent *path
	name   string
	index  int
}

func (p *path) String() string {
	switch {
	case p == nil:
		return ""
	case p.name == "":
		return p.parent.String() + "[" + strconv.Itoa(p.index) + "]"
	case p.parent == nil:
		return p.name
	}
	return p.parent.String() + "." + p.name
}

// named is the path as it stands in a sentence.
func (p *path) named() string {
	if p == nil {
		return "The plan"
	}
	return p.String()
}

// value reads the next value into v. A fault is reported and the value skipped; the error is for broken JSON only.
func (r *reader) value(v reflect.Value, at *path) error {
	kind := v.Kind()
	start := r.next()
	if kind == reflect.Pointer {
		if r.peek() == 'n' {
			return r.skip()
		}
		v.Set(reflect.New(v.Type().Elem()))
		return r.value(v.Elem(), at)
	}
	if kind == reflect.Interface {
		return r.setting(v, at)
	}
	if want := expected(kind); want.first != 0 && want.first != r.peek() || want.first == 0 && !want.accepts(r.peek()) {
		err := r.skip()
		r.report(diag.InvalidPlan, start, r.end(), "%s is %s; it must be %s.", at.named(), describe(r.src[start]), want.text)
		return err
	}
	switch kind {
	case reflect.Struct:
		return r.object(v, at, start)
	case reflect.Map:
		return r.mapping(v, at)
	case reflect.Slice:
		return r.list(v, at)
	}
	return r.scalar(v, at, start)
}

func (r *reader) object(v reflect.Value, at *path, start int) error {
	r.starts[at.String()] = start
	declared := r.fields.of(v.Type())
	seen := make(map[string]bool, len(declared))
	err := r.eachMember(func(name string, from int) error {
		for _, f := range declared {
			if f.name != name {
				continue
			}
			if seen[name] {
				r.report(diag.InvalidPlan, from, r.end(), "%s has %q twice.", at.named(), name)
			}
			seen[name] = true
			return r.value(v.FieldByIndex(f.index), &path{parent: at, name: name})
		}
		if !r.lenient {
			r.report(diag.InvalidPlan, from, r.end(), "%s has a member %q, which format version %s does not know.%s", at.named(), name, FormatVersion, diag.DidYouMean(name, namesOf(declared)))
		}
		return r.skip()
	})
	for _, f := range declared {
		if err == nil && !seen[f.name] && !f.omitEmpty {
			r.report(diag.InvalidPlan, start, start+1, "%s has no %q, which every file of format version %s has.", at.named(), f.name, FormatVersion)
		}
	}
	return err
}

func (r *reader) mapping(v reflect.Value, at *path) error {
	v.Set(reflect.MakeMap(v.Type()))
	return r.eachMember(func(name string, from int) error {
		key := reflect.ValueOf(name)
		if v.MapIndex(key).IsValid() {
			r.report(diag.InvalidPlan, from, r.end(), "%s has %q twice.", at.named(), name)
		}
		elem := reflect.New(v.Type().Elem()).Elem()
		err := r.value(elem, &path{parent: at, name: name})
		v.SetMapIndex(key, elem)
		return err
	})
}

func (r *reader) eachMember(member func(name string, from int) error) error {
	if _, err := r.dec.Token(); err != nil {
		return err
	}
	for r.dec.More() {
		from := r.next()
		name, err := r.dec.Token()
		if err != nil {
			return err
		}
		if err := member(name.(string), from); err != nil {
			return err
		}
	}
	_, err := r.dec.Token()
	return err
}

func (r *reader) list(v reflect.Value, at *path) error {
	if _, err := r.dec.Token(); err != nil {
		return err
	}
	v.Set(reflect.MakeSlice(v.Type(), 0, 0))
	for i := 0; r.dec.More(); i++ {
		elem := reflect.New(v.Type().Elem()).Elem()
		if err := r.value(elem, &path{parent: at, index: i}); err != nil {
			return err
		}
		v.Set(reflect.Append(v, elem))
	}
	_, err := r.dec.Token()
	return err
}

func (r *reader) scalar(v reflect.Value, at *path, start int) error {
	token, err := r.dec.Token()
	if err != nil {
		return err
	}
	switch value := token.(type) {
	case string:
		v.SetString(value)
	case bool:
		v.SetBool(value)
	case json.Number:
		n, err := strconv.ParseInt(value.String(), 10, 64)
		if err != nil {
			r.report(diag.InvalidPlan, start, r.end(), "%s is %s; it must be a whole number from -2^63 to 2^63-1, written without fraction or exponent.", at.named(), value)
		}
		v.SetInt(n)
	}
	return nil
}

// setting reads the value of a setting, which is of any plain type or a list of such: whole numbers become int64.
func (r *reader) setting(v reflect.Value, at *path) error {
	start := r.next()
	var value any
	if err := r.dec.Decode(&value); err != nil {
		return err
	}
	plain, ok := plainSetting(value)
	if !ok {
		r.report(diag.InvalidPlan, start, r.end(), "%s is %s; a setting is text, a number, true, false, null or a list of such.", at.named(), describe(r.src[start]))
		return nil
	}
	if plain != nil {
		v.Set(reflect.ValueOf(plain))
	}
	return nil
}

func plainSetting(value any) (any, bool) {
	switch value := value.(type) {
	case json.Number:
		if n, err := value.Int64(); err == nil {
			return n, true
		}
		f, err := value.Float64()
		return f, err == nil
	case []any:
		out := make([]any, 0, len(value))
		for _, item := range value {
			plain, ok := plainSetting(item)
			if _, nested := plain.([]any); !ok || nested {
				return nil, false
			}
			out = append(out, plain)
		}
		return out, true
	case map[string]any:
		return nil, false
	}
	return value, true
}

func (r *reader) skip() error {
	var ignored json.RawMessage
	return r.dec.Decode(&ignored)
}

// next returns the byte offset at which the next token starts.
func (r *reader) next() int {
	at := r.end()
	for at < len(r.src) && bytes.IndexByte([]byte(" \t\r\n:,"), r.src[at]) >= 0 {
		at++
	}
	return at
}

func (r *reader) peek() byte {
	if at := r.next(); at < len(r.src) {
		return r.src[at]
	}
	return 0
}

func (r *reader) end() int { return int(r.dec.InputOffset()) }

func (r *reader) report(id diag.ID, start, end int, detail string, args ...any) {
	switch {
	case len(r.diags) < maxFaults:
	case len(r.diags) == maxFaults:
		detail, args = "The file has more faults than these %d.", []any{maxFaults}
	default:
		return
	}
	if id == diag.InvalidPlan {
		detail += " Restore the file from version control, or make it again with memplan."
	}
	r.diags = append(r.diags, diag.New(id, "%s", diag.Format(detail, args...)).At(r.rangeOf(start, end)))
}

func (r *reader) rangeOf(start, end int) hcl.Range {
	start = min(max(start, 0), len(r.src))
	end = min(max(end, start), len(r.src))
	return hcl.Range{Filename: r.filename, Start: r.position(start), End: r.position(end)}
}

func (r *reader) position(at int) hcl.Pos {
	before := r.src[:at]
	line := 1 + bytes.Count(before, []byte{'\n'})
	column := 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
	return hcl.Pos{Line: line, Column: column, Byte: at}
}
