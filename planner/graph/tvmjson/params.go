package tvmjson

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// The numbers that a parameter file and each array in it start with.
const (
	paramListMagic = 0xF7E58D4F05049CB7
	arrayMagic     = 0xDD5E40F096B4A13F
)

// maxRank is the largest number of axes that is read.
const maxRank = 32

// param is an array of a parameter file.
type param struct {
	file  string
	dtype graph.DType // invalid when it is none that can be planned
	shape graph.Shape
	// data aliases the file.
	data graph.Bytes
}

// openParams reads the parameter file beside the graph. The second result is false when there is none.
func (im *importer) openParams() (map[string]param, bool) {
	for _, name := range paramFiles(baseName(im.file)) {
		f, err := im.file.Sibling(name)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue
		}
		if err != nil {
			im.Add(diag.New(diag.TVMParams, "The parameters in %s cannot be read: %v. Check that the file can be read, or move it away.", name, err))
			return nil, true
		}
		params, err := parseParams(f.Bytes(), name)
		if err != nil {
			im.Add(diag.New(diag.TVMParams, "%s is no sound parameter file of TVM: %v. Write it again, or move it away.", name, err))
		}
		return params, true
	}
	return nil, false
}

// paramFiles are the names that the parameters of a graph file can have.
func paramFiles(base string) []string {
	names := []string{base + ".params"}
	if stem, ok := strings.CutSuffix(base, "_graph"); ok {
		names = append(names, stem+"_param.params", stem+".params")
	}
	return names
}

// parseParams reads a parameter file: two numbers, the names, and the arrays in the order of the names. Contents are
// not copied, and nothing is allocated that the file is too short for.
func parseParams(b []byte, file string) (map[string]param, error) {
	c := cursor{rest: b}
	if magic := c.uint64(); magic != paramListMagic {
		return nil, errors.New("it does not start as one")
	}
	c.uint64() // reserved
	names := make([]string, 0, c.count(8))
	for range cap(names) {
		names = append(names, string(c.take(c.uint64())))
	}
	if arrays := c.count(1); c.err == nil && arrays != len(names) {
		return nil, fmt.Errorf("it has %d names and %d arrays", len(names), arrays)
	}
	params := make(map[string]param, len(names))
	for _, name := range names {
		p := c.array()
		p.file = file
		if c.err != nil {
			return nil, fmt.Errorf("the parameter %s: %w", jsontext.Quoted(name), c.err)
		}
		if _, twice := params[name]; twice {
			return nil, fmt.Errorf("it has two parameters named %s", jsontext.Quoted(name))
		}
		params[name] = p
	}
	return params, c.err
}

// cursor reads little-endian numbers. The first error sticks, and later reads give zeros.
type cursor struct {
	rest []byte
	err  error
}

var errTooShort = errors.New("the file ends too early")

func (c *cursor) take(n uint64) []byte {
	if c.err == nil && n > uint64(len(c.rest)) {
		c.err = errTooShort
	}
	if c.err != nil {
		return nil
	}
	out := c.rest[:n:n]
	c.rest = c.rest[n:]
	return out
}

func (c *cursor) uint64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (c *cursor) uint32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

// count reads the number of things that take at least size bytes each.
func (c *cursor) count(size uint64) int {
	n := c.uint64()
	if c.err == nil && n > uint64(len(c.rest))/size {
		c.err = errTooShort
	}
	if c.err != nil {
		return 0
	}
	return int(n)
}

// array reads a magic number, a reserved one, the device, the rank, the element type, the shape, the number of bytes
// and the elements.
func (c *cursor) array() param {
	if magic := c.uint64(); c.err == nil && magic != arrayMagic {
		c.err = errors.New("no array starts where it must")
	}
	c.uint64() // reserved
	c.uint64() // device type and number
	rank := c.uint32()
	if rank > maxRank && c.err == nil {
		c.err = fmt.Errorf("its array has %d axes; the most that are read is %d", rank, maxRank)
	}
	if c.err != nil {
		return param{}
	}
	p := param{dtype: c.dtype(), shape: make(graph.Shape, rank)}
	for i := range p.shape {
		p.shape[i] = int64(c.uint64())
	}
	p.data = c.take(c.uint64())
	want, ok := p.shape.Bytes(p.dtype)
	if c.err == nil && p.dtype != graph.InvalidDType && (!ok || want != p.data.Size()) {
		c.err = fmt.Errorf("its array has %d bytes, which do not match the shape %s of %s", p.data.Size(), p.shape, p.dtype)
	}
	return p
}

// dtypeCodes are the kinds of elements by DLPack's number.
var dtypeCodes = map[byte]string{0: "int", 1: "uint", 2: "float", 4: "bfloat", 6: "bool"}

// dtype reads code, bits and lanes.
func (c *cursor) dtype() graph.DType {
	b := c.take(4)
	if b == nil || b[2] != 1 || b[3] != 0 {
		return graph.InvalidDType
	}
	kind, ok := dtypeCodes[b[0]]
	if !ok || kind == "bool" && b[1] != 8 {
		return graph.InvalidDType
	}
	if kind == "bool" {
		return graph.Bool
	}
	return dtypes[fmt.Sprintf("%s%d", kind, b[1])]
}
