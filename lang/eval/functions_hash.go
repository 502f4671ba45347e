package eval

import (
	"crypto/md5"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
)

// hashFunctions are the digests of texts. MD5 and SHA-1 serve to compare with what other tools wrote.
func hashFunctions() []Function {
	const category = "Encodings"
	return []Function{
		{"base64sha256", category, "base64sha256(text)", "The SHA-256 digest in Base64.", `substr(base64sha256(""), 0, 8) # "47DEQpj8"`, textFunction(inBase64(sha256Sum))},
		{"base64sha512", category, "base64sha512(text)", "The SHA-512 digest in Base64.", `substr(base64sha512(""), 0, 8) # "z4PhNX7v"`, textFunction(inBase64(sha512Sum))},
		{"md5", category, "md5(text)", "The MD5 digest in hexadecimal, to compare with what other tools wrote.", `md5("") # "d41d8cd98f00b204e9800998ecf8427e"`, textFunction(inHex(md5Sum))},
		{"sha1", category, "sha1(text)", "The SHA-1 digest in hexadecimal, to compare with what other tools wrote.", `substr(sha1(""), 0, 8) # "da39a3ee"`, textFunction(inHex(sha1Sum))},
		{"sha256", category, "sha256(text)", "The SHA-256 digest in hexadecimal.", `substr(sha256(""), 0, 8) # "e3b0c442"`, textFunction(inHex(sha256Sum))},
		{"sha512", category, "sha512(text)", "The SHA-512 digest in hexadecimal.", `substr(sha512(""), 0, 8) # "cf83e135"`, textFunction(inHex(sha512Sum))},
	}
}

func md5Sum(text []byte) []byte {
	sum := md5.Sum(text)
	return sum[:]
}

func sha1Sum(text []byte) []byte {
	sum := sha1.Sum(text)
	return sum[:]
}

func sha256Sum(text []byte) []byte {
	sum := sha256.Sum256(text)
	return sum[:]
}

func sha512Sum(text []byte) []byte {
	sum := sha512.Sum512(text)
	return sum[:]
}

func inHex(sum func([]byte) []byte) func(string) (string, error) {
	return func(text string) (string, error) { return hex.EncodeToString(sum([]byte(text))), nil }
}

func inBase64(sum func([]byte) []byte) func(string) (string, error) {
	return func(text string) (string, error) { return base64.StdEncoding.EncodeToString(sum([]byte(text))), nil }
}
