package graph

// HasContent reports whether a constant's content can be read at all: it is false without data, and for data with a
// method Absent, which an importer gives when the file states the size alone.
func HasContent(d Data) bool {
	_, absent := d.(interface{ Absent() })
	return d != nil && !absent
}
