package exec

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"regexp"
	"strconv"
	"strings"
	"sync"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
)

// npyMagic starts every NumPy array file.
const npyMagic = "\x93NUMPY"

// maxHeader is the longest header that is read, in bytes; NumPy refuses longer ones too unless told otherwise.
const maxHeader = 10000

// npyHeader is the header that NumPy writes: a Python dictionary in one fixed form. Library readers take hostile ones
// apart by position and panic on them; this form is matched as a whole.
var npyHeader = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^\{ *'descr' *: *'([^']{1,16})' *, *'fortran_order' *: *(True|False) *, *'shape' *: *\(([0-9, ]*)\) *,? *\} *\n?$`)
})

// npyTypes are the element types by NumPy's code, without the byte order. NumPy has none for bfloat16.
var npyTypes = map[string]graph.DType{
	"f2": graph.Float16, "f4": graph.Float32, "f8": graph.Float64,
	"i1": graph.Int8, "i2": graph.Int16, "i4": graph.Int32, "i8": graph.Int64,
	"u1": graph.Uint8, "u2": graph.Uint16, "u4": graph.Uint32, "u8": graph.Uint64,
	"b1": graph.Bool, "c8": graph.Complex64, "c16": graph.Complex128,
}

// ReadNpy reads a NumPy array file, format 1 to 3, row-major and little-endian; name is for messages. The array's data
// share the file's bytes. Nothing is allocated for sizes that the file only claims.
func ReadNpy(name string, file []byte) (*array.Array, diag.Diagnostics) {
	t, start, diags := readNpyHeader(name, file, int64(len(file)))
	if len(diags) > 0 {
		return nil, diags
	}
	return &array.Array{DType: t.DType, Shape: t.Shape, Data: file[start:]}, nil
}

// NpyStart is how many bytes of a NumPy array file [ReadNpyType] wants to see, where there are as many.
const NpyStart = 12 + maxHeader

// ReadNpyType reads what the start of a NumPy array file says of a file of that many bytes, and refuses what [ReadNpy] does.
func ReadNpyType(name string, start []byte, size int64) (array.Type, diag.Diagnostics) {
	t, _, diags := readNpyHeader(name, start, size)
	return t, diags
}

// readNpyHeader returns as well at which byte the elements begin.
func readNpyHeader(name string, start []byte, size int64) (array.Type, int64, diag.Diagnostics) {
	header, at, problem := splitNpy(name, start, size)
	if problem != nil {
		return array.Type{}, 0, diag.Diagnostics{*problem}
	}
	fields := npyHeader().FindStringSubmatch(header)
	if fields == nil {
		return array.Type{}, 0, damagedNpy(name, "its header is not the dictionary of descr, fortran_order and shape that numpy.save writes")
	}
	dtype, diags := npyType(name, fields[1])
	if fields[2] == "True" {
		diags = append(diags, diag.New(diag.ArrayFileForm,
			"Array file %q is column-major (fortran_order is True). Save it again as numpy.ascontiguousarray(a).", name))
	}
	shape, reason := npyShape(fields[3])
	if reason != "" {
		return array.Type{}, 0, append(diags, damagedNpy(name, reason)...)
	}
	if len(diags) > 0 {
		return array.Type{}, 0, diags
	}
	if bytes, ok := shape.Bytes(dtype); !ok || bytes != size-at {
		return array.Type{}, 0, damagedNpy(name, fmt.Sprintf("its header promises %v %v, and %d bytes follow", dtype, shape, size-at))
	}
	return array.Type{DType: dtype, Shape: shape}, at, nil
}

// splitNpy checks the start of a file and returns its header text and at which byte its elements begin.
func splitNpy(name string, file []byte, size int64) (header string, elements int64, problem *diag.Diagnostic) {
	fail := func(reason string) (string, int64, *diag.Diagnostic) {
		return "", 0, &damagedNpy(name, reason)[0]
	}
	if len(file) < 10 || string(file[:6]) != npyMagic {
		return fail("it does not start as one")
	}
	start, length := int64(10), int64(binary.LittleEndian.Uint16(file[8:]))
	switch file[6] {
	case 1:
	case 2, 3:
		if len(file) < 12 {
			return fail("it ends inside its header")
		}
		start, length = 12, int64(binary.LittleEndian.Uint32(file[8:]))
	default:
		return fail(fmt.Sprintf("its format version is %d.%d, and versions 1 to 3 are known", file[6], file[7]))
	}
	if length > maxHeader || length > size-start || start+length > int64(len(file)) {
		return fail(fmt.Sprintf("its header claims %d bytes, and %d follow of at most %d", length, size-start, maxHeader))
	}
	elements = start + length
	return string(file[start:elements]), elements, nil
}

// npyType reads a code such as "<f4".
func npyType(name, code string) (graph.DType, diag.Diagnostics) {
	dtype, ok := npyTypes[code[1:]]
	if !ok || !strings.ContainsRune("<>|=", rune(code[0])) {
		return graph.InvalidDType, diag.Diagnostics{diag.New(diag.ArrayFileForm,
			"Array file %q has elements of type %q, which no tensor has. Convert it with a.astype(numpy.float32) or another number type.", name, code)}
	}
	if code[0] == '>' && dtype.Size() > 1 {
		return dtype, diag.Diagnostics{diag.New(diag.ArrayFileForm,
			"Array file %q is big-endian (type %q). Save it again with a.astype(%q).", name, code, "<"+code[1:])}
	}
	return dtype, nil
}

// npyShape reads the inside of a tuple such as "1, 3," and says what is wrong with it.
func npyShape(tuple string) (graph.Shape, string) {
	shape := graph.Shape{}
	tuple = strings.TrimSuffix(strings.TrimSpace(tuple), ",")
	if tuple == "" {
		return shape, ""
	}
	for field := range strings.SplitSeq(tuple, ",") {
		n, err := strconv.ParseInt(strings.TrimSpace(field), 10, 64)
		if err != nil {
			return nil, fmt.Sprintf("%q is not an extent", strings.TrimSpace(field))
		}
		if shape = append(shape, n); len(shape) > 64 {
			return nil, "it has more than 64 axes"
		}
	}
	return shape, ""
}

func damagedNpy(name, reason string) diag.Diagnostics {
	return diag.Diagnostics{diag.New(diag.DamagedArrayFile, "File %q is no NumPy array file: %s. Write it with numpy.save.", name, reason)}
}

// WriteNpy writes an array as a NumPy array file of format 1, byte for byte as NumPy does. It fails for bfloat16, which
// NumPy does not have, and when w does.
func WriteNpy(w io.Writer, a *array.Array) error {
	code := ""
	for c, d := range npyTypes {
		if d == a.DType {
			code = c
		}
	}
	if code == "" {
		return fmt.Errorf("NumPy has no type for %v", a.DType)
	}
	order := "<"
	if a.DType.Size() == 1 {
		order = "|"
	}
	header := fmt.Sprintf("{'descr': '%s%s', 'fortran_order': False, 'shape': %s, }", order, code, tuple(a.Shape))
	// The elements start at a multiple of 64 bytes.
	const fixed = len(npyMagic) + 4
	header += strings.Repeat(" ", (64-(fixed+len(header)+1)%64)%64) + "\n"
	if len(header) > math.MaxUint16 {
		return fmt.Errorf("a header of %d bytes does not fit the format", len(header))
	}
	start := append([]byte(npyMagic), 1, 0, 0, 0)
	binary.LittleEndian.PutUint16(start[8:], uint16(len(header)))
	for _, part := range [][]byte{start, []byte(header), a.Data} {
		if _, err := w.Write(part); err != nil {
			return fmt.Errorf("write array: %w", err)
		}
	}
	return nil
}

// tuple writes a shape as Python does: "()", "(3,)", "(1, 3)".
func tuple(s graph.Shape) string {
	parts := make([]string, len(s))
	for i, n := range s {
		parts[i] = strconv.FormatInt(n, 10)
	}
	if len(parts) == 1 {
		return "(" + parts[0] + ",)"
	}
	return "(" + strings.Join(parts, ", ") + ")"
}
