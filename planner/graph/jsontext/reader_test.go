package jsontext_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/planner/graph/jsontext"
)

var words = jsontext.Words{Syntax: "MP0370", Repeated: "MP0372", Type: "MP0374", Value: "MP0375", More: "MP0385", Advice: "Correct it."}

// walk reads any JSON value with the reader's own methods.
func walk(r *jsontext.Reader) {
	switch t, at := r.Token(); v := t.(type) {
	case json.Delim:
		if v == '{' {
			r.Fields("an object", at, func(string, jsontext.Span) { walk(r) })
		} else {
			r.Elements(at, func(int) { walk(r) })
		}
	case json.Number:
		r.ParseInteger("a number", v, at)
	}
}

func TestEachFaultHasItsIDAndItsPlace(t *testing.T) {
	for _, c := range []struct{ name, text, id, at string }{
		{"sound", `{"a": [1, "x", null, true, {}]}`, "", ""},
		{"a field twice", `{"a": 1, "a": 2}`, "MP0372", `"a": 2`},
		{"a field twice by an escape", `{"a": 1, "\u0061": 2}`, "MP0372", `"\u0061"`},
		{"the case of names matters", `{"a": 1, "A": 2}`, "", ""},
		{"a fraction", `[1.5]`, "MP0374", "1.5"},
		{"beyond 64 bits", `[9223372036854775808]`, "MP0375", "9223372036854775808"},
		{"a comma too many", `[1,]`, "MP0370", "]"},
		{"the end in a value", `{"a": [`, "MP0370", ""},
		{"nothing at all", ``, "MP0370", ""},
		{"text behind", `[] x`, "MP0370", "x"},
		{"too deep", strings.Repeat("[", 40), "MP0370", "["},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := jsontext.New("x.json", []byte(c.text), words)
			walk(r)
			r.End()
			diags := r.All()
			if c.id == "" {
				require.Empty(t, diags)
				return
			}
			require.Len(t, diags, 1)
			require.Equal(t, c.id, string(diags[0].ID))
			require.Equal(t, "x.json", diags[0].Subject.Filename)
			require.True(t, strings.HasPrefix(c.text[diags[0].Subject.Start.Byte:], c.at), diags[0].Subject)
		})
	}
}

func TestValuesOfAnotherTypeAreSkipped(t *testing.T) {
	r := jsontext.New("x.json", []byte(`[{"a": [1]}, [2], "3", 4, null]`), words)
	_, ok := r.Array("the list", func(i int) {
		switch i {
		case 0:
			_, ok := r.Text("the name")
			require.False(t, ok)
		case 1:
			n, ok := r.Integer("the number")
			require.False(t, ok)
			require.Equal(t, jsontext.Span{From: 13, To: 14}, n.At)
		case 2:
			require.False(t, r.Flag("the flag"))
		case 3:
			_, ok := r.Object("the object", nil)
			require.False(t, ok)
		default:
			r.Skip()
		}
	})
	require.True(t, ok)
	r.End()
	var details []string
	for _, d := range r.All() {
		details = append(details, d.Detail)
	}
	require.Equal(t, []string{
		"The name must be a string, not an object. Correct it.",
		"The number must be a whole number, not an array. Correct it.",
		"The flag must be true or false, not a string. Correct it.",
		"The object must be an object, not a number. Correct it.",
	}, details)
}

func TestFaultsBeyondAHundredAreCounted(t *testing.T) {
	r := jsontext.New("x.json", []byte("["+strings.Repeat("1.5,\n", 149)+"1.5]"), words)
	walk(r)
	diags := r.All()
	require.Len(t, diags, 101)
	require.Contains(t, diags[100].Detail, "from here on: 50.")
	require.Equal(t, 101, diags[100].Subject.Start.Line)
	require.True(t, r.Full())
	r.Forget()
	require.Empty(t, r.All())
}

func FuzzReader(f *testing.F) {
	for _, seed := range []string{`{"a": [1, "x", null, true, {}]}`, `{"a":1,"a":2}`, `[1,]`, `[[[[`, `{"a" 1}`, "\xff", `[1e999, -0]`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		r := jsontext.New("x.json", data, words)
		walk(r)
		r.End()
		for _, d := range r.All() {
			if d.Subject.Start.Byte > d.Subject.End.Byte || d.Subject.End.Byte > len(data) {
				t.Fatal(fmt.Sprint(d.Subject))
			}
		}
		if len(r.All()) == 0 && !json.Valid(data) {
			t.Fatalf("%q passes for JSON", data)
		}
	})
}
