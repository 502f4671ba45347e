package units

import (
	"fmt"
	"strings"
)

// Reason is why a text is not an amount of memory.
type Reason uint8

// The reasons.
const (
	Malformed Reason = iota
	UnknownUnit
	Negative
	Fraction
	TooLarge
)

// Error says why a text is not an amount and what to write instead.
type Error struct {
	Reason Reason
	// Text is what was read, shortened when very long.
	Text string
	// Fixes are texts to write instead, the likeliest first; nil when there is no good guess.
	Fixes []string
}

// Error is two sentences: what is wrong and the next step.
func (e *Error) Error() string {
	text := shorten(e.Text)
	switch e.Reason {
	case UnknownUnit:
		if len(e.Fixes) > 0 {
			return fmt.Sprintf("%q has a unit that memplan does not read. Write %s.", text, e.explained())
		}
		return fmt.Sprintf("%q has a unit that memplan does not read. Use one of %s.", text, strings.Join(Names(), ", "))
	case Negative:
		return fmt.Sprintf("%s is negative. Give 0 bytes or more.", text)
	case Fraction:
		return fmt.Sprintf("%s is not a whole number of bytes. Write %s.", text, strings.Join(e.Fixes, " or "))
	case TooLarge:
		return fmt.Sprintf("%s is more than the largest size, %d bytes. Give a smaller one.", text, Max)
	}
	if len(e.Fixes) > 0 {
		return fmt.Sprintf("%q is not a size. Write %s.", text, e.explained())
	}
	return fmt.Sprintf("%q is not a size. Write a number and a unit, as in \"64KiB\"; the units are %s.", text, strings.Join(Names(), ", "))
}

// explained lists the fixes with what each one means in bytes.
func (e *Error) explained() string {
	parts := make([]string, len(e.Fixes))
	for i, fix := range e.Fixes {
		parts[i] = fmt.Sprintf("%q", fix)
		if n, err := ParseBytes(fix); err == nil {
			parts[i] += fmt.Sprintf(" (%d bytes)", n)
		}
	}
	return strings.Join(parts, " or ")
}

func shorten(text string) string {
	if len(text) <= longestText {
		return text
	}
	return strings.ToValidUTF8(text[:longestText], "") + "..."
}

// unknownUnit guesses the unit from its letters: "KB" may be KiB or kB, "mib" can only be MiB.
func unknownUnit(text, number, suffix string) *Error {
	e := &Error{Reason: UnknownUnit, Text: text}
	for _, name := range likely(suffix) {
		e.Fixes = append(e.Fixes, number+name)
	}
	return e
}

func likely(suffix string) []string {
	switch strings.ToLower(strings.TrimSpace(suffix)) {
	case "b", "byte", "bytes":
		return []string{"B"}
	case "k", "kb", "kbytes":
		return []string{"KiB", "kB"}
	case "m", "mb", "mbytes":
		return []string{"MiB", "MB"}
	case "g", "gb", "gbytes":
		return []string{"GiB", "GB"}
	case "ki", "kib":
		return []string{"KiB"}
	case "mi", "mib":
		return []string{"MiB"}
	case "gi", "gib":
		return []string{"GiB"}
	}
	return nil
}

// malformed guesses what a broken number was meant to be: ".5KiB", "1_000", "1,000" and " 64KiB ".
func malformed(text, number, suffix string) *Error {
	e := &Error{Reason: Malformed, Text: text}
	if len(text) > longestText {
		return e
	}
	candidate := strings.NewReplacer("_", "", ",", "", "'", "").Replace(strings.TrimSpace(text))
	candidate = strings.TrimPrefix(candidate, "+")
	if strings.HasPrefix(candidate, ".") {
		candidate = "0" + candidate
	}
	if strings.HasSuffix(number, ".") {
		candidate = strings.TrimSuffix(number, ".") + suffix
	}
	if candidate == text {
		return e
	}
	if _, err := ParseBytes(candidate); err == nil {
		e.Fixes = []string{candidate}
	}
	return e
}
