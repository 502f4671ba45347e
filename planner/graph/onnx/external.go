package onnx

import (
	"fmt"
	"math"
	"strconv"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// externalRange says where the values of a tensor stand: bytes [offset, offset+length) of the file at location, which
// is relative to the model's directory.
type externalRange struct {
	location       string
	offset, length int64
}

// externalData returns the bytes of a tensor that are in another file, without copying them. The file must lie in the
// model's directory or below. Its checksum is not compared: that would mean reading all weights.
func (im *importer) externalData(t *tensorProto, size int64, what string) graph.Data {
	fail := func(format string, args ...any) graph.Data {
		im.report(diag.ONNXExternalData, "the values of %s are in another file: %s", what, diag.Format(format, args...))
		return nil
	}
	r, err := parseExternal(t.entries)
	if err != nil {
		return fail("%s. Export the model again.", err)
	}
	file, err := im.file.Sibling(r.location)
	if err != nil {
		return fail("%q cannot be used: %s. Put the file beside the model; it must be in the model's directory or below.", r.location, err)
	}
	content := file.Bytes()
	total := int64(len(content))
	if r.offset > total {
		return fail("%q has %d bytes, and the values start at byte %d. Copy the file again, it is incomplete.", r.location, total, r.offset)
	}
	if r.length < 0 {
		r.length = size
	}
	if r.length != size {
		return fail("the model says that they are %d bytes of %q, but the shape needs %d. Export the model again.", r.length, r.location, size)
	}
	if r.length > total-r.offset {
		return fail("%q has %d bytes, and the values need %d from byte %d on. Copy the file again, it is incomplete.", r.location, total, r.length, r.offset)
	}
	return graph.Bytes(content[r.offset : r.offset+r.length : r.offset+r.length])
}

// parseExternal reads the entries that describe external data. length is -1 when the model does not say it; keys that
// are not known are passed over.
func parseExternal(entries []entryProto) (externalRange, error) {
	r := externalRange{length: -1}
	for _, e := range entries {
		var err error
		switch e.key {
		case "location":
			r.location = e.value
		case "offset":
			r.offset, err = parseByteCount(e)
		case "length":
			r.length, err = parseByteCount(e)
		}
		if err != nil {
			return r, err
		}
	}
	if r.location == "" {
		return r, fmt.Errorf("the model does not say which")
	}
	return r, nil
}

func parseByteCount(e entryProto) (int64, error) {
	n, err := strconv.ParseInt(e.value, 10, 64)
	if err != nil || n < 0 {
		return 0, fmt.Errorf("their %s is %q, not a number of bytes from 0 to %d", e.key, e.value, int64(math.MaxInt64))
	}
	return n, nil
}
