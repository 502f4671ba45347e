package export

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"math"
	"slices"
	"strings"

	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
	"github.com/memplan/memplan/planner/plan"
)

// The metadata of TensorFlow Lite Micro, from its docs/memory_management.md and micro_allocation_info.cc.
const (
	tflmMetadata = "OfflineMemoryAllocation"
	// tflmVersion and tflmSubgraph are the version of the format and the index of the subgraph that the offsets are for.
	tflmVersion, tflmSubgraph = 1, 0
	// tflmOnline stands in place of an offset for a tensor that the runtime places.
	tflmOnline = -1
	// tflmAlignment is what the runtime gives every tensor, in bytes.
	tflmAlignment = 16
)

// writeTFLM writes a copy of the model file with the plan's offsets as metadata: 32-bit little-endian integers, the version
// of the format, the index of the subgraph, the number n of the tensors of all subgraphs, and n offsets from the start of
// the arena, -1 for what the runtime places itself. Those are constants, state, tensors without bytes and tensors that the
// plan does not have since a rewrite took them away.
//
// The runtime runs the operators in the order of the file and trusts the offsets: whatever the plan says of lifetimes, two
// tensors that it keeps at the same time must not share bytes. That is checked here against the file alone.
func writeTFLM(w io.Writer, s *Subject, o *Options) error {
	g := s.graph()
	if g == nil {
		return fmt.Errorf("one graph is meant, and none was named")
	}
	if err := s.unordered("TensorFlow Lite Micro"); err != nil {
		return err
	}
	if g.Format != "tflite" {
		return fmt.Errorf("the graph %q comes from a file of format %q, and only .tflite files have this metadata", g.Name, g.Format)
	}
	file, err := s.Source()
	if err != nil {
		return err
	}
	if sum := sha256.Sum256(file); "sha256:"+hex.EncodeToString(sum[:]) != g.Digest {
		return fmt.Errorf("the file %q is not the one that was planned", g.Source)
	}
	stored, ds := tflite.Read(source.FromBytes(g.Source, file))
	if ds.HasErrors() {
		return fmt.Errorf("the file %q cannot be read: %s", g.Source, ds[0].Detail)
	}
	t := &tflm{plan: s.Plan, g: g, stored: stored}
	if err := t.place(o.Arena); err != nil {
		return err
	}
	if err := t.verify(); err != nil {
		return err
	}
	out, err := tflite.WithMetadata(file, tflmMetadata, t.content())
	if err != nil {
		return err
	}
	_, err = bytes.NewReader(out).WriteTo(w)
	return err
}

// tflm is the placement of one model file.
type tflm struct {
	plan   *plan.Plan
	g      *plan.Graph
	stored *tflite.Stored
	// offsets are by number of tensor, tflmOnline for what the runtime places.
	offsets []int64
}

// place finds the offset of each tensor of the file.
func (t *tflm) place(arena []string) error {
	byName := make(map[string]*plan.Tensor, len(t.g.Tensors))
	for i := range t.g.Tensors {
		byName[t.g.Tensors[i].Name] = &t.g.Tensors[i]
	}
	starts, err := t.starts(arena)
	if err != nil {
		return err
	}
	t.offsets = make([]int64, len(t.stored.Tensors))
	for i := range t.stored.Tensors {
		stored := &t.stored.Tensors[i]
		t.offsets[i] = tflmOnline
		row := byName[stored.Name]
		if row == nil || stored.Constant || stored.Variable || stored.Bytes == 0 || row.Role == "constant" || row.Role == "state" {
			continue
		}
		switch start, ok := starts[row.Pool]; {
		case row.Pool == "":
			return fmt.Errorf("the tensor %q lies in memory of the caller; the runtime has one arena for everything. Plan with io = \"planned\"", row.Name)
		case row.Offset == nil || row.Scope != "global":
			return fmt.Errorf("the tensor %q is an image, and the runtime has none", row.Name)
		case !ok:
			return fmt.Errorf("the tensor %q is in pool %q, which is not among the pools of the arena: %s", row.Name, row.Pool, strings.Join(arena, ", "))
		case stored.Bytes > row.Size:
			return fmt.Errorf("the tensor %q has %d bytes in the file and %d in the plan", row.Name, stored.Bytes, row.Size)
		case (start+*row.Offset)%tflmAlignment != 0:
			return fmt.Errorf("the tensor %q is at byte %d of the arena, and the runtime aligns tensors to %d bytes. Give the pool %q alignment = %d, and the pools before it in the arena a size that is a multiple of that",
				row.Name, start+*row.Offset, tflmAlignment, row.Pool, tflmAlignment)
		case start+*row.Offset > math.MaxInt32:
			return fmt.Errorf("the tensor %q is at byte %d of the arena, beyond the 32 bits of an offset", row.Name, start+*row.Offset)
		default:
			t.offsets[i] = start + *row.Offset
		}
	}
	return nil
}

// starts says where each pool starts in the arena: one after the other, each with its whole capacity. Without a list the
// arena is the one pool that has anything but constants and state.
func (t *tflm) starts(arena []string) (map[string]int64, error) {
	if len(arena) == 0 {
		for i := range t.g.Tensors {
			if row := &t.g.Tensors[i]; row.Role != "constant" && row.Role != "state" && row.Pool != "" && !slices.Contains(arena, row.Pool) {
				arena = append(arena, row.Pool)
			}
		}
		if len(arena) > 1 {
			return nil, fmt.Errorf("the graph %q lies in the pools %s, and the runtime has one arena. Where these follow each other in the address space, list them in that order as the arena", t.g.Name, strings.Join(arena, " and "))
		}
	}
	starts := map[string]int64{}
	next := int64(0)
	for i, name := range arena {
		at := slices.IndexFunc(t.plan.Pools, func(p plan.Pool) bool { return p.Name == name })
		if at < 0 || t.plan.Pools[at].Type != "flat" {
			return nil, fmt.Errorf("the arena's pool %q is not a flat pool of the plan", name)
		}
		starts[name] = next
		switch pool := &t.plan.Pools[at]; {
		case i == len(arena)-1:
		case pool.Capacity == nil:
			return nil, fmt.Errorf("the pool %q has no size, so it is not known where the next pool of the arena starts", name)
		case *pool.Capacity > math.MaxInt64-next:
			return nil, fmt.Errorf("the pools of the arena are larger than 2^63-1 bytes together")
		default:
			next += *pool.Capacity
		}
	}
	return starts, nil
}

// content is the metadata.
func (t *tflm) content() []byte {
	words := []int64{tflmVersion, tflmSubgraph, int64(len(t.offsets) + t.stored.Others)}
	words = append(words, t.offsets...)
	for range t.stored.Others {
		words = append(words, tflmOnline)
	}
	var out []byte
	for _, word := range words {
		out = binary.LittleEndian.AppendUint32(out, uint32(int32(word)))
	}
	return out
}
