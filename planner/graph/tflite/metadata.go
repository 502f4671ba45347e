package tflite

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// The slots that only the writing of metadata looks at.
const (
	modelMetadata, modelSlots = 6, 8
	metadataName              = 0
	operatorLargeOptions      = 9
)

// metadataAlignment is what the schema asks of the content of buffers, in bytes; a file that is moved by a multiple of 64
// keeps every alignment that a converter may have given its own.
const (
	metadataAlignment = 16
	fileAlignment     = 64
)

// WithMetadata returns a copy of a model with the content as metadata of that name, in place of metadata that had it
// before. A flatbuffer refers forwards only, so a new root with its list of buffers stands before the old file, every byte of
// which is in the copy as it was. It fails on a damaged file, and on data that a file refers to by its distance from the
// start of the file. The cost is O(file).
func WithMetadata(file []byte, name string, content []byte) ([]byte, error) {
	r := newReader(file)
	if len(file) < 8 || string(file[4:8]) != "TFL3" {
		return nil, errors.New("the file does not carry the identifier TFL3")
	}
	m := metadataWriter{r: r, root: r.root(), buffers: r.root().children(modelBuffers)}
	for _, old := range m.root.children(modelMetadata) {
		if old.text(metadataName) != name {
			m.metadata = append(m.metadata, old)
		}
	}
	if err := m.refusal(); err != nil {
		return nil, err
	}
	out := m.head(name, content)
	if r.fault != "" {
		return nil, fmt.Errorf("the file is damaged: %s", r.fault)
	}
	if int64(len(out))+int64(len(file)) > math.MaxInt32 {
		return nil, errors.New("the file would exceed the 2 GiB that a flatbuffer may have")
	}
	return append(out, file...), nil
}

// metadataWriter writes what stands before the old file.
type metadataWriter struct {
	r                 *reader
	root              table
	buffers, metadata []table
	out               []byte
	// forward are the positions in out of offsets to positions in the old file.
	forward []forwardOffset
}

type forwardOffset struct{ at, target int64 }

// refusal says why the file cannot be moved.
func (m *metadataWriter) refusal() error {
	for slot := modelSlots; int64(slot) < (m.root.vsize-4)/2; slot++ {
		if m.root.field(slot) != 0 {
			return fmt.Errorf("the model has field %d, of a later version of the schema", slot)
		}
	}
	for i, b := range m.buffers {
		if b.u64(bufferOffset) > 1 {
			return fmt.Errorf("buffer %d lies behind the flatbuffer, where a reader finds it by its distance from the start", i)
		}
	}
	for _, subgraph := range m.root.children(modelSubgraphs) {
		for i, op := range subgraph.children(subgraphOperators) {
			if op.u64(operatorLargeOptions) > 1 {
				return fmt.Errorf("the options of operator %d lie behind the flatbuffer, where a reader finds them by their distance from the start", i)
			}
		}
	}
	if m.r.fault != "" {
		return fmt.Errorf("the file is damaged: %s", m.r.fault)
	}
	return nil
}

// head writes the new root, the lists of buffers and metadata, and the new entry of each.
func (m *metadataWriter) head(name string, content []byte) []byte {
	m.out = append(m.out, 0, 0, 0, 0, 'T', 'F', 'L', '3')
	fields := m.rootTable()
	if len(m.buffers) == 0 {
		m.buffers = []table{{}} // number 0 is the empty buffer by convention
	}
	buffers := m.list(fields[modelBuffers], m.buffers)
	metadata := m.list(fields[modelMetadata], m.metadata)

	entry := m.table([]int64{4, 8}, 12)
	m.point(metadata, entry)
	m.put32(entry+8, uint32(len(m.buffers)))
	m.pad(4, 0)
	m.point(entry+4, int64(len(m.out)))
	m.out = binary.LittleEndian.AppendUint32(m.out, uint32(len(name)))
	m.out = append(append(m.out, name...), 0)

	buffer := m.table([]int64{4}, 8)
	m.point(buffers, buffer)
	m.pad(metadataAlignment, 4)
	m.point(buffer+4, int64(len(m.out)))
	m.out = binary.LittleEndian.AppendUint32(m.out, uint32(len(content)))
	m.out = append(m.out, content...)
	m.pad(fileAlignment, 0)
	for _, f := range m.forward {
		m.point(f.at, int64(len(m.out))+f.target)
	}
	return m.out
}

// rootTable writes the model's table and returns where its fields are, by slot.
func (m *metadataWriter) rootTable() [modelSlots]int64 {
	var at [modelSlots]int64
	offsets := make([]int64, modelSlots)
	size := int64(4)
	for slot := range offsets {
		if m.root.field(slot) != 0 || slot == modelBuffers || slot == modelMetadata {
			offsets[slot] = size
			size += 4
		}
	}
	root := m.table(offsets, size)
	m.point(0, root)
	for slot, offset := range offsets {
		at[slot] = root + offset
		switch {
		case offset == 0 || slot == modelBuffers || slot == modelMetadata:
		case slot == modelVersion:
			m.put32(at[slot], m.root.u32(slot))
		default:
			target := m.r.indirect(m.root.field(slot))
			m.r.has(target, 4)
			m.forward = append(m.forward, forwardOffset{at[slot], target})
		}
	}
	return at
}

// list writes a list of tables of the old file with one more behind them, makes the field refer to it, and returns where
// the offset to the last is.
func (m *metadataWriter) list(field int64, old []table) int64 {
	m.pad(4, 0)
	m.point(field, int64(len(m.out)))
	m.out = binary.LittleEndian.AppendUint32(m.out, uint32(len(old)+1))
	at := int64(len(m.out))
	m.out = append(m.out, make([]byte, 4*(len(old)+1))...)
	for i, t := range old {
		if t.present() {
			m.forward = append(m.forward, forwardOffset{at + 4*int64(i), t.pos})
		}
	}
	last := at + 4*int64(len(old))
	for i, t := range old {
		if !t.present() {
			m.point(at+4*int64(i), m.table(nil, 4))
		}
	}
	return last
}

// table writes a table of size bytes, its header before it, and returns its position. The offsets are those of the fields
// by slot, 0 for one that is absent.
func (m *metadataWriter) table(offsets []int64, size int64) int64 {
	header := 4 + 2*len(offsets)
	m.pad(4, int64(header))
	start := int64(len(m.out))
	m.out = binary.LittleEndian.AppendUint16(m.out, uint16(header))
	m.out = binary.LittleEndian.AppendUint16(m.out, uint16(size))
	for _, offset := range offsets {
		m.out = binary.LittleEndian.AppendUint16(m.out, uint16(offset))
	}
	at := int64(len(m.out))
	m.out = append(m.out, make([]byte, size)...)
	m.put32(at, uint32(at-start))
	return at
}

// pad writes zeros until what follows after the given number of bytes is aligned.
func (m *metadataWriter) pad(alignment, after int64) {
	for (int64(len(m.out))+after)%alignment != 0 {
		m.out = append(m.out, 0)
	}
}

// point writes the distance from at to the target, both positions in the copy.
func (m *metadataWriter) point(at, target int64) { m.put32(at, uint32(target-at)) }

func (m *metadataWriter) put32(at int64, value uint32) {
	binary.LittleEndian.PutUint32(m.out[at:], value)
}
