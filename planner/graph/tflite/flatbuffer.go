package tflite

import (
	"encoding/binary"
	"fmt"
	"math"
	"strings"
)

// reader reads the tables of a flatbuffer. The first damage found sticks: from then on every read gives zero values,
// and fault says what was wrong where.
//
// What is decoded is charged against budget, in bytes: a file can name the same bytes any number of times, and a few
// of its own could else unfold to any amount of memory.
type reader struct {
	data   []byte
	budget int64
	fault  string
}

// tableCharge is what decoding one table costs of the budget: about what the smallest useful one takes in a file.
const tableCharge = 64

func newReader(data []byte) *reader {
	return &reader{data: data, budget: 4*int64(len(data)) + 1<<20}
}

// fail records the first damage.
func (r *reader) fail(format string, args ...any) {
	if r.fault == "" {
		r.fault = fmt.Sprintf(format, args...)
	}
}

// spend charges n bytes and reports whether reading may go on.
func (r *reader) spend(n int64) bool {
	r.budget -= n
	if r.budget < 0 {
		r.fail("its tables refer to the same bytes over and over")
	}
	return r.fault == ""
}

// has reports whether n bytes start at pos, and records a fault when they do not.
func (r *reader) has(pos, n int64) bool {
	if r.fault != "" {
		return false
	}
	if pos < 0 || n < 0 || pos > int64(len(r.data))-n {
		r.fail("%d bytes are wanted at offset %d, but it has only %d", n, pos, len(r.data))
		return false
	}
	return true
}

func (r *reader) u16(pos int64) uint16 {
	if !r.has(pos, 2) {
		return 0
	}
	return binary.LittleEndian.Uint16(r.data[pos:])
}

func (r *reader) u32(pos int64) uint32 {
	if !r.has(pos, 4) {
		return 0
	}
	return binary.LittleEndian.Uint32(r.data[pos:])
}

func (r *reader) u64(pos int64) uint64 {
	if !r.has(pos, 8) {
		return 0
	}
	return binary.LittleEndian.Uint64(r.data[pos:])
}

// indirect follows the unsigned offset at pos.
func (r *reader) indirect(pos int64) int64 { return pos + int64(r.u32(pos)) }

// table is one table of the flatbuffer. The zero table is an absent one: its fields have their defaults.
type table struct {
	r           *reader
	pos, vtable int64
	vsize       int64
}

// tableAt reads the header of the table at pos.
func (r *reader) tableAt(pos int64) table {
	if !r.spend(tableCharge) || !r.has(pos, 4) {
		return table{}
	}
	vtable := pos - int64(int32(r.u32(pos)))
	size := int64(r.u16(vtable))
	if r.fault == "" && size < 4 {
		r.fail("the table at offset %d has a header of %d bytes", pos, size)
	}
	if !r.has(vtable, size) {
		return table{}
	}
	return table{r: r, pos: pos, vtable: vtable, vsize: size}
}

// root returns the table that the file starts with.
func (r *reader) root() table { return r.tableAt(r.indirect(0)) }

// present reports whether the table is there.
func (t table) present() bool { return t.r != nil }

// field returns the position of the field with the slot, 0 when it is absent.
func (t table) field(slot int) int64 {
	entry := 4 + 2*int64(slot)
	if t.r == nil || entry+2 > t.vsize {
		return 0
	}
	offset := int64(t.r.u16(t.vtable + entry))
	if offset == 0 {
		return 0
	}
	return t.pos + offset
}

func (t table) u8(slot int) uint8 {
	at := t.field(slot)
	if at == 0 || !t.r.has(at, 1) {
		return 0
	}
	return t.r.data[at]
}

func (t table) flag(slot int) bool { return t.u8(slot) != 0 }

// i32 returns the field, or def when it is absent.
func (t table) i32(slot int, def int32) int32 {
	at := t.field(slot)
	if at == 0 {
		return def
	}
	return int32(t.r.u32(at))
}

func (t table) u32(slot int) uint32 { return uint32(t.i32(slot, 0)) }

func (t table) u64(slot int) uint64 {
	at := t.field(slot)
	if at == 0 {
		return 0
	}
	return t.r.u64(at)
}

func (t table) f32(slot int) float32 { return math.Float32frombits(t.u32(slot)) }

// child returns the table that the field points to.
func (t table) child(slot int) table {
	at := t.field(slot)
	if at == 0 {
		return table{}
	}
	return t.r.tableAt(t.r.indirect(at))
}

// vector returns the raw elements of a vector of width bytes each, aliasing the file; nil when the field is absent.
func (t table) vector(slot int, width int64) []byte {
	at := t.field(slot)
	if at == 0 {
		return nil
	}
	start := t.r.indirect(at)
	n := int64(t.r.u32(start)) * width
	if !t.r.has(start+4, n) {
		return nil
	}
	return t.r.data[start+4 : start+4+n : start+4+n]
}

// children decodes a vector of tables.
func (t table) children(slot int) []table {
	at := t.field(slot)
	raw := t.vector(slot, 4)
	if len(raw) == 0 {
		return nil
	}
	if n := int64(len(raw)) / 4; n > t.r.budget/tableCharge {
		t.r.fail("a vector at offset %d claims %d tables", at, n)
		return nil
	}
	start := t.r.indirect(at) + 4
	out := make([]table, len(raw)/4)
	for i := range out {
		out[i] = t.r.tableAt(t.r.indirect(start + 4*int64(i)))
	}
	return out
}

// ints32 decodes a vector of 32-bit integers; nil when the field is absent.
func (t table) ints32(slot int) []int32 {
	raw := t.vector(slot, 4)
	if raw == nil || !t.r.spend(int64(len(raw))) {
		return nil
	}
	out := make([]int32, len(raw)/4)
	for i := range out {
		out[i] = int32(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return out
}

// floats32 decodes a vector of floats; nil when the field is absent.
func (t table) floats32(slot int) []float32 {
	ints := t.ints32(slot)
	out := make([]float32, len(ints))
	for i, bits := range ints {
		out[i] = math.Float32frombits(uint32(bits))
	}
	return out
}

// ints64 decodes a vector of 64-bit integers; nil when the field is absent.
func (t table) ints64(slot int) []int64 {
	raw := t.vector(slot, 8)
	if raw == nil || !t.r.spend(int64(len(raw))) {
		return nil
	}
	out := make([]int64, len(raw)/8)
	for i := range out {
		out[i] = int64(binary.LittleEndian.Uint64(raw[8*i:]))
	}
	return out
}

// text decodes a string. Bytes that are not UTF-8 become U+FFFD, so that the name can be printed and looked up.
func (t table) text(slot int) string {
	raw := t.vector(slot, 1)
	if len(raw) == 0 || !t.r.spend(int64(len(raw))) {
		return ""
	}
	return strings.ToValidUTF8(string(raw), "\uFFFD")
}
