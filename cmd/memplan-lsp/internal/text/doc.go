// Package text relates the bytes of a text to the positions that language clients count in. Start from [NewMapper]. It
// must not know what the text means.
package text
