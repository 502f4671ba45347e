package graph

// HasContent reports whether a constant's content can be read at all: it is false without data, and for data with a
// method Absent, which an importer gives when the file states the size alone.
func HasContent(d Data) bool {
	_, absent := d.(interface{ Absent() })
	return d != nil && !absent
}

// DigestOf is the digest of content that cannot be read, "sha256:" and hexadecimal digits, where the file states one; ""
// otherwise. Of two such contents of equal size and digest a plan may keep one.
func DigestOf(d Data) string {
	if known, ok := d.(interface{ Digest() string }); ok {
		return known.Digest()
	}
	return ""
}
