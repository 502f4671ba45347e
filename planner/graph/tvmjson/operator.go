package tvmjson

import (
	"slices"
	"strings"
)

// operator is what the name of a function tells of it.
type operator struct {
	name  string
	fused []string
}

// provided are the functions of TVM's runtime itself.
var provided = map[string]operator{"__nop": {name: "Reshape"}, "__copy": {name: "Copy"}}

// parseFunction reads the operators that run as one function from the name that TVM's compiler gave it: a prefix,
// "fused", the operators' own names with underscores for dots, and a number.
// What is in no vocabulary stays as it is. A run of reshapes is one Reshape.
func parseFunction(name string) operator {
	if op, ok := provided[name]; ok {
		return op
	}
	words, ok := fusedWords(name)
	if !ok {
		return operator{name: name}
	}
	ops, recognised := recognise(words)
	switch {
	case !recognised:
		return operator{name: name}
	case len(ops) == 1:
		return operator{name: ops[0]}
	case !slices.ContainsFunc(ops, func(op string) bool { return op != "Reshape" }):
		return operator{name: "Reshape"}
	}
	return operator{name: ops[0], fused: ops}
}

// fusedWords returns the words behind "fused", or behind "fuse" as older compilers wrote, without the number that tells
// functions of one name apart. A name that was cut short ends in a hash and an underscore, of which the hash stays: it
// stands for operators that nobody knows.
func fusedWords(name string) ([]string, bool) {
	prefix, rest, ok := strings.Cut(name, "fused_")
	if !ok {
		prefix, rest, ok = strings.Cut(name, "fuse_")
	}
	if !ok || prefix != "" && !strings.HasSuffix(prefix, "_") {
		return nil, false
	}
	words := slices.DeleteFunc(strings.Split(rest, "_"), func(word string) bool { return word == "" })
	if last := len(words) - 1; last > 0 && isNumber(words[last]) && strings.HasSuffix(rest, words[last]) {
		words = words[:last]
	}
	return words, true
}

func isNumber(word string) bool {
	return strings.Trim(word, "0123456789") == "" && word != ""
}

// recognise takes the longest operator name that the words start with, again and again, and keeps words between them.
// It reports whether it found any.
func recognise(words []string) ([]string, bool) {
	var ops, unknown []string
	found := false
	flush := func() {
		if len(unknown) > 0 {
			ops, unknown = append(ops, strings.Join(unknown, "_")), nil
		}
	}
	for len(words) > 0 {
		op, length := longest(words)
		if length == 0 {
			unknown, words = append(unknown, words[0]), words[1:]
			continue
		}
		flush()
		ops, words, found = append(ops, op), words[length:], true
	}
	flush()
	return ops, found
}

// longestName is the number of words of the longest name in the vocabulary.
const longestName = 7

func longest(words []string) (string, int) {
	for length := min(longestName, len(words)); length > 0; length-- {
		if op, ok := vocabulary[strings.Join(words[:length], "_")]; ok {
			return op, length
		}
	}
	return "", 0
}
