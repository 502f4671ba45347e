package onnx

import (
	"fmt"
	"strings"

	"google.golang.org/protobuf/encoding/protowire"
)

// field is one field of a message, as it stands on the wire.
type field struct {
	num protowire.Number
	typ protowire.Type
	// number holds a varint or a fixed value.
	number uint64
	// bytes holds a length-delimited value. It aliases the file.
	bytes []byte
}

// is reports whether the field is the one numbered num and on the wire as typ. A known number with another type is
// passed over as an unknown field is, as protobuf wants it.
func (f field) is(num protowire.Number, typ protowire.Type) bool { return f.num == num && f.typ == typ }

// damage is a place in the file where it stops to be a valid message.
type damage struct {
	// left is the number of bytes from the place to the end of the file. All slices of the decoder alias one array
	// and reach, by capacity, to its end.
	left int
	err  error
}

func (d *damage) Error() string { return d.err.Error() }

// eachField calls visit for each field of a message in order, and stops at the first error. It costs O(fields); groups
// are skipped. Lengths are checked against what is there, so nothing is allocated for what a file only claims to hold.
func eachField(msg []byte, visit func(field) error) error {
	for len(msg) > 0 {
		num, typ, n := protowire.ConsumeTag(msg)
		if n < 0 {
			return damaged(msg, n)
		}
		rest := msg[n:]
		f := field{num: num, typ: typ}
		switch typ {
		case protowire.VarintType:
			f.number, n = protowire.ConsumeVarint(rest)
		case protowire.Fixed32Type:
			var v uint32
			v, n = protowire.ConsumeFixed32(rest)
			f.number = uint64(v)
		case protowire.Fixed64Type:
			f.number, n = protowire.ConsumeFixed64(rest)
		case protowire.BytesType:
			f.bytes, n = protowire.ConsumeBytes(rest)
		default:
			n = protowire.ConsumeFieldValue(num, typ, rest)
		}
		if n < 0 {
			return damaged(rest, n)
		}
		msg = rest[n:]
		if err := visit(f); err != nil {
			return err
		}
	}
	return nil
}

func damaged(at []byte, code int) error {
	return &damage{left: cap(at), err: protowire.ParseError(code)}
}

// text copies a string field. Bytes that are not UTF-8 are replaced, since names reach JSON documents.
func text(b []byte) string { return strings.ToValidUTF8(string(b), "\uFFFD") }

// within says in which part of the model an error of the decoder lies.
func within(part string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", part, err)
}

// eachVarint calls visit for each value of a repeated varint field, which writers may pack or not.
func eachVarint(f field, visit func(uint64)) error {
	if f.typ == protowire.VarintType {
		visit(f.number)
		return nil
	}
	if f.typ != protowire.BytesType {
		return nil
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeVarint(b)
		if n < 0 {
			return damaged(b, n)
		}
		visit(v)
		b = b[n:]
	}
	return nil
}

// eachFixed32 calls visit for each value of a repeated float field, which writers may pack or not.
func eachFixed32(f field, visit func(uint32)) error {
	if f.typ == protowire.Fixed32Type {
		visit(uint32(f.number))
		return nil
	}
	if f.typ != protowire.BytesType {
		return nil
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeFixed32(b)
		if n < 0 {
			return damaged(b, n)
		}
		visit(v)
		b = b[n:]
	}
	return nil
}

// eachFixed64 calls visit for each value of a repeated double field, which writers may pack or not.
func eachFixed64(f field, visit func(uint64)) error {
	if f.typ == protowire.Fixed64Type {
		visit(f.number)
		return nil
	}
	if f.typ != protowire.BytesType {
		return nil
	}
	for b := f.bytes; len(b) > 0; {
		v, n := protowire.ConsumeFixed64(b)
		if n < 0 {
			return damaged(b, n)
		}
		visit(v)
		b = b[n:]
	}
	return nil
}
