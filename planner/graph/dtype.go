package graph

import "fmt"

// DType is the element type of a tensor.
type DType uint8

// The element types. Sub-byte types are not supported; importers refuse them by name.
const (
	InvalidDType DType = iota
	Float32
	Float16
	BFloat16
	Float64
	Int8
	Int16
	Int32
	Int64
	Uint8
	Uint16
	Uint32
	Uint64
	Bool
	Complex64
	Complex128
)

var dtypes = [...]struct {
	name string
	size int64
}{
	InvalidDType: {"invalid", 0},
	Float32:      {"float32", 4},
	Float16:      {"float16", 2},
	BFloat16:     {"bfloat16", 2},
	Float64:      {"float64", 8},
	Int8:         {"int8", 1},
	Int16:        {"int16", 2},
	Int32:        {"int32", 4},
	Int64:        {"int64", 8},
	Uint8:        {"uint8", 1},
	Uint16:       {"uint16", 2},
	Uint32:       {"uint32", 4},
	Uint64:       {"uint64", 8},
	Bool:         {"bool", 1},
	Complex64:    {"complex64", 8},
	Complex128:   {"complex128", 16},
}

// String returns the name used in configurations, plans and native graph files, such as "float32".
func (d DType) String() string {
	if int(d) < len(dtypes) {
		return dtypes[d].name
	}
	return fmt.Sprintf("dtype(%d)", uint8(d))
}

// Size returns the bytes of one element, 0 for an invalid type.
func (d DType) Size() int64 {
	if int(d) < len(dtypes) {
		return dtypes[d].size
	}
	return 0
}

// IsFloat reports whether d is a real floating-point type.
func (d DType) IsFloat() bool {
	return d == Float32 || d == Float16 || d == BFloat16 || d == Float64
}

// ParseDType is the inverse of String. The second result is false for an unknown name.
func ParseDType(name string) (DType, bool) {
	for d := Float32; int(d) < len(dtypes); d++ {
		if dtypes[d].name == name {
			return d, true
		}
	}
	return InvalidDType, false
}

// DTypeNames lists the valid names in declaration order, for messages.
func DTypeNames() []string {
	names := make([]string, 0, len(dtypes)-1)
	for d := Float32; int(d) < len(dtypes); d++ {
		names = append(names, dtypes[d].name)
	}
	return names
}
