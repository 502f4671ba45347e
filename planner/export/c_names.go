package export

import (
	"crypto/sha256"
	"fmt"
	"strings"
)

// cNameLength bounds the part of an identifier that is a tensor's or a pool's name. C99 promises to tell 63 characters apart,
// and "_TENSOR_" and "_OFFSET" stand around it.
const cNameLength = 40

// cNames gives each text its part of identifiers: letters and digits in upper case, an underscore for each run of anything
// else. What more than one text gives, and what is longer than cNameLength, ends in a digest of the text. So a name is the same
// whatever the order of the texts, and never goes over to another text. It costs O(n log n) in the texts and O(bytes).
func cNames(texts []string) []string {
	words := make([]string, len(texts))
	count := map[string]int{}
	for i, text := range texts {
		words[i] = cWord(text)
		count[words[i]]++
	}
	taken := map[string]bool{}
	for i, text := range texts {
		if count[words[i]] > 1 || len(words[i]) > cNameLength {
			words[i] = cDigested(words[i], text)
		}
		words[i] = unclaimed(taken, words[i])
	}
	return words
}

// cDigested is the start and the end of a word that is too long, or all of it, with a digest of the text that it is made of.
func cDigested(word, text string) string {
	const digits, start = 8, 12
	sum := sha256.Sum256([]byte(text))
	if rest := cNameLength - digits - 1; len(word) > rest {
		head, tail := word[:start], word[len(word)-(rest-start-1):]
		if cut := strings.IndexByte(tail, '_'); cut >= 0 && cut < len(tail)/2 {
			tail = tail[cut+1:] // a part of a word says nothing
		}
		word = strings.TrimSuffix(head, "_") + "_" + tail
	}
	return fmt.Sprintf("%s_%X", word, sum[:digits/2])
}

// unclaimed is the word, with a number behind it where it is taken: by the very same text, or by one made to look like a digest.
func unclaimed(taken map[string]bool, word string) string {
	name := word
	for k := 2; taken[name]; k++ {
		name = fmt.Sprintf("%s_%d", word, k)
	}
	taken[name] = true
	return name
}

func cWord(text string) string {
	var b strings.Builder
	gap := false
	for _, r := range strings.ToUpper(text) {
		if r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' {
			if gap && b.Len() > 0 {
				b.WriteByte('_')
			}
			gap = false
			b.WriteRune(r)
			continue
		}
		gap = true
	}
	if b.Len() == 0 {
		return "UNNAMED"
	}
	return b.String()
}

// cPrefix is the text as the start of identifiers, none of which may begin with a digit.
func cPrefix(text string) string {
	word := cWord(text)
	if word[0] >= '0' && word[0] <= '9' {
		return "N" + word
	}
	return word
}

// cString is the text as a string literal. Question marks are escaped for the sake of trigraphs, and bytes beyond ASCII
// as three octal digits, which end where a hexadecimal escape would go on.
func cString(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := range len(text) {
		switch c := text[i]; {
		case c == '"' || c == '\\' || c == '?':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c > '~':
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

// cComment is the text as a part of a comment, which it neither ends nor continues on another line.
func cComment(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '\\' || r == '?' {
			return '.'
		}
		return r
	}, text)
	return strings.NewReplacer("*/", "* /", "/*", "/ *").Replace(text)
}

// cNumber is a number of bytes as a literal of an unsigned type that holds it.
func cNumber(n int64) string {
	if n>>32 != 0 {
		return fmt.Sprintf("%dull", n)
	}
	return fmt.Sprintf("%du", n)
}
