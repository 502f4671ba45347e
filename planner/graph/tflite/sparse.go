package tflite

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
)

// sparse is a constant stored as a tree: one level for each axis of the tensor and for each axis of its blocks, in the
// order of traversal. A dense level has every index, a compressed one lists, as the rows of a CSR matrix do, the
// indices that each node above has. The leaves are the stored elements, in order.
type sparse struct {
	shape  graph.Shape
	levels []level
	// block is the size of a block along each axis of the tensor, 1 where there are no blocks.
	block   []int64
	width   int64 // bytes of an element
	content []byte
}

// level is one level of the tree.
type level struct {
	// axis is the axis of the tensor that the level's index counts on: whole blocks, or elements in a block.
	axis  int
	inner bool
	// size is the number of indices of a dense level; for a compressed one segments and indices are set instead.
	size              int64
	segments, indices []int64
}

// maxDense is the number of bytes up to which the dense form of a sparse constant is made.
const maxDense = 1 << 31

// addSparse gives the tensor the dense form of its content, made when it is read.
func (im *importer) addSparse(info *tensorInfo, t *graph.Tensor, content []byte) {
	bytes, ok := t.Shape.Bytes(t.DType)
	if !ok {
		im.report(diag.TFLiteSparse, "Sparse constant %q of shape %s is larger than 2^63-1 bytes. Convert the model again.",
			t.Name, t.Shape)
		return
	}
	s, err := decodeSparse(info.sparsity, t, content)
	if err != nil {
		im.report(diag.TFLiteSparse, "Sparse constant %q of shape %s cannot be read: %v. Convert the model again.",
			t.Name, t.Shape, err)
		return
	}
	name := t.Name
	t.Data = &graph.Lazy{Bytes: bytes, Compute: func() ([]byte, error) {
		if bytes > maxDense {
			return nil, fmt.Errorf("sparse constant %q has %d bytes when dense, more than %d", name, bytes, int64(maxDense))
		}
		return s.dense(bytes), nil
	}}
}

// decodeSparse reads and checks the whole index structure: afterwards dense cannot fail. It costs O(index entries).
func decodeSparse(t table, of *graph.Tensor, content []byte) (*sparse, error) {
	order, blockMap, dims := t.ints32(sparseOrder), t.ints32(sparseBlockMap), t.children(sparseDims)
	s := &sparse{shape: of.Shape, width: of.DType.Size(), content: content, block: make([]int64, len(of.Shape))}
	for axis := range s.block {
		s.block[axis] = 1
	}
	rank := len(of.Shape)
	if len(order) != rank+len(blockMap) || len(dims) != len(order) {
		return nil, fmt.Errorf("it has %d axes, %d block axes, %d in traversal order and %d with metadata",
			rank, len(blockMap), len(order), len(dims))
	}
	if err := s.readOrder(order, blockMap, dims); err != nil {
		return nil, err
	}
	return s, s.check()
}

// readOrder decodes the levels in the order of traversal.
func (s *sparse) readOrder(order, blockMap []int32, dims []table) error {
	rank := len(s.shape)
	seen := make([]bool, len(order))
	for i, axis := range order {
		// The first levels walk the tensor, the last ones a block.
		if axis < 0 || int(axis) >= len(order) || seen[axis] || (int(axis) >= rank) != (i >= rank) {
			return fmt.Errorf("its traversal order is not one")
		}
		seen[axis] = true
		l := level{axis: int(axis), inner: i >= rank}
		if l.inner {
			of := blockMap[int(axis)-rank]
			if of < 0 || int(of) >= rank {
				return fmt.Errorf("a block axis belongs to axis %d of %d", of, rank)
			}
			l.axis = int(of)
		}
		if err := l.read(dims[i]); err != nil {
			return err
		}
		if l.inner {
			if l.segments != nil || l.size < 1 || s.block[l.axis] != 1 || s.shape[l.axis]%l.size != 0 {
				return fmt.Errorf("axis %d of %d elements has blocks that do not divide it", l.axis, s.shape[l.axis])
			}
			s.block[l.axis] = l.size
		}
		s.levels = append(s.levels, l)
	}
	return nil
}

// read decodes the metadata of a level.
func (l *level) read(t table) error {
	switch format := t.u8(dimFormat); format {
	case 0:
		l.size = int64(t.i32(dimSize, 0))
		if l.size < 0 {
			return fmt.Errorf("a level has %d indices", l.size)
		}
		return nil
	case 1:
		var err error
		if l.segments, err = indexVector(t, dimSegmentsType, dimSegments); err != nil {
			return err
		}
		l.indices, err = indexVector(t, dimIndexType, dimIndices)
		return err
	default:
		return fmt.Errorf("a level has the unknown format %d", format)
	}
}

// indexVector decodes a vector of 32, 16 or 8 bits for each entry.
func indexVector(t table, typeSlot, slot int) ([]int64, error) {
	holder := t.child(slot)
	width := map[uint8]int64{1: 4, 2: 2, 3: 1}[t.u8(typeSlot)]
	if width == 0 || !holder.present() {
		return nil, fmt.Errorf("an index vector is missing or of unknown type")
	}
	raw := holder.vector(0, width)
	out := make([]int64, 0, int64(len(raw))/width)
	if !holder.r.spend(int64(len(raw))) {
		return out, nil
	}
	for ; len(raw) > 0; raw = raw[width:] {
		switch width {
		case 4:
			out = append(out, int64(int32(binary.LittleEndian.Uint32(raw))))
		case 2:
			out = append(out, int64(binary.LittleEndian.Uint16(raw)))
		default:
			out = append(out, int64(raw[0]))
		}
	}
	return out, nil
}

// check verifies that the levels fit the shape, each other and the stored elements.
func (s *sparse) check() error {
	nodes := int64(1)
	for _, l := range s.levels {
		extent := s.shape[l.axis] / s.block[l.axis]
		if l.inner {
			extent = s.block[l.axis]
		}
		if l.segments == nil {
			if l.size != extent {
				return fmt.Errorf("axis %d has %d indices in its metadata, but %d in the shape", l.axis, l.size, extent)
			}
			if l.size > 0 && nodes > math.MaxInt64/l.size {
				return fmt.Errorf("its index is larger than 2^63-1")
			}
			nodes *= l.size
			continue
		}
		if err := l.checkCompressed(nodes, extent); err != nil {
			return err
		}
		nodes = int64(len(l.indices))
	}
	if nodes > math.MaxInt64/s.width || nodes*s.width != int64(len(s.content)) {
		return fmt.Errorf("its index has %d elements of %d bytes, but %d bytes are stored", nodes, s.width, len(s.content))
	}
	return nil
}

// checkCompressed verifies a compressed level below the given number of nodes.
func (l *level) checkCompressed(nodes, extent int64) error {
	if int64(len(l.segments))-1 != nodes || l.segments[0] != 0 || l.segments[nodes] != int64(len(l.indices)) {
		return fmt.Errorf("axis %d has %d segments over %d indices below %d nodes", l.axis, len(l.segments)-1, len(l.indices), nodes)
	}
	for i := range nodes {
		if l.segments[i] > l.segments[i+1] {
			return fmt.Errorf("the segments of axis %d do not ascend", l.axis)
		}
	}
	for _, index := range l.indices {
		if index < 0 || index >= extent {
			return fmt.Errorf("index %d lies outside of the %d of axis %d", index, extent, l.axis)
		}
	}
	return nil
}

// dense scatters the stored elements over zeros. It costs O(dense bytes + stored elements * axes).
func (s *sparse) dense(bytes int64) []byte {
	out := make([]byte, bytes)
	if len(s.content) > 0 {
		s.scatter(out, 0, 0, 0)
	}
	return out
}

// scatter walks the node of the given number at a depth; offset is the element that the indices so far lead to.
func (s *sparse) scatter(out []byte, depth int, node, offset int64) {
	if depth == len(s.levels) {
		copy(out[offset*s.width:(offset+1)*s.width], s.content[node*s.width:])
		return
	}
	l := &s.levels[depth]
	stride := s.stride(l)
	if l.segments == nil {
		for i := range l.size {
			s.scatter(out, depth+1, node*l.size+i, offset+i*stride)
		}
		return
	}
	for at := l.segments[node]; at < l.segments[node+1]; at++ {
		s.scatter(out, depth+1, at, offset+l.indices[at]*stride)
	}
}

// stride returns the elements of the dense tensor between two indices of a level.
func (s *sparse) stride(l *level) int64 {
	stride := int64(1)
	for _, n := range s.shape[l.axis+1:] {
		stride *= n
	}
	if !l.inner {
		stride *= s.block[l.axis]
	}
	return stride
}
