package tabular

import "strings"

// Shorten keeps a message readable when what it quotes is very long: more than 80 bytes are cut, never within a character.
func Shorten(text string) string {
	const most = 80
	if len(text) <= most {
		return text
	}
	return strings.ToValidUTF8(text[:most], "") + "..."
}
