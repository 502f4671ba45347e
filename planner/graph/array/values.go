package array

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/memplan/memplan/planner/graph"
	"github.com/x448/float16"
)

// Value is a Go type that has an element type of its own.
type Value interface {
	float32 | float64 | int8 | int16 | int32 | int64 | uint8 | uint16 | uint32 | uint64 | bool
}

func dtypeOf[T Value]() graph.DType {
	var zero T
	switch any(zero).(type) {
	case float32:
		return graph.Float32
	case float64:
		return graph.Float64
	case int8:
		return graph.Int8
	case int16:
		return graph.Int16
	case int32:
		return graph.Int32
	case int64:
		return graph.Int64
	case uint8:
		return graph.Uint8
	case uint16:
		return graph.Uint16
	case uint32:
		return graph.Uint32
	case uint64:
		return graph.Uint64
	}
	return graph.Bool
}

// put writes v as element i of data, on any host.
func put[T Value](data []byte, i int, v T) {
	switch v := any(v).(type) {
	case float32:
		binary.LittleEndian.PutUint32(data[4*i:], math.Float32bits(v))
	case float64:
		binary.LittleEndian.PutUint64(data[8*i:], math.Float64bits(v))
	case int8:
		data[i] = byte(v)
	case int16:
		binary.LittleEndian.PutUint16(data[2*i:], uint16(v))
	case int32:
		binary.LittleEndian.PutUint32(data[4*i:], uint32(v))
	case int64:
		binary.LittleEndian.PutUint64(data[8*i:], uint64(v))
	case uint8:
		data[i] = v
	case uint16:
		binary.LittleEndian.PutUint16(data[2*i:], v)
	case uint32:
		binary.LittleEndian.PutUint32(data[4*i:], v)
	case uint64:
		binary.LittleEndian.PutUint64(data[8*i:], v)
	case bool:
		data[i] = 0
		if v {
			data[i] = 1
		}
	}
}

// Ints returns the elements of an integer or bool array as a new slice, in O(elements). It fails for other element
// types and for a uint64 above 2^63-1.
func (a *Array) Ints() ([]int64, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	if a.DType.Size() == 0 {
		return nil, fmt.Errorf("%v has no integer elements", a.DType)
	}
	out := make([]int64, int64(len(a.Data))/a.DType.Size())
	for i := range out {
		v, err := a.intAt(i)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (a *Array) intAt(i int) (int64, error) {
	switch a.DType {
	case graph.Int8:
		return int64(int8(a.Data[i])), nil
	case graph.Uint8, graph.Bool:
		return int64(a.Data[i]), nil
	case graph.Int16:
		return int64(int16(binary.LittleEndian.Uint16(a.Data[2*i:]))), nil
	case graph.Uint16:
		return int64(binary.LittleEndian.Uint16(a.Data[2*i:])), nil
	case graph.Int32:
		return int64(int32(binary.LittleEndian.Uint32(a.Data[4*i:]))), nil
	case graph.Uint32:
		return int64(binary.LittleEndian.Uint32(a.Data[4*i:])), nil
	case graph.Int64:
		return int64(binary.LittleEndian.Uint64(a.Data[8*i:])), nil
	case graph.Uint64:
		v := binary.LittleEndian.Uint64(a.Data[8*i:])
		if v > math.MaxInt64 {
			return 0, fmt.Errorf("element %d is %d, above %d", i, v, int64(math.MaxInt64))
		}
		return int64(v), nil
	}
	return 0, fmt.Errorf("%v elements are not integers", a.DType)
}

// Floats returns the elements of a real or bool array as a new slice, in O(elements). 64-bit integers are rounded to
// the nearest float64. It fails for complex arrays.
func (a *Array) Floats() ([]float64, error) {
	if err := a.check(); err != nil {
		return nil, err
	}
	out := make([]float64, int64(len(a.Data))/a.DType.Size())
	for i := range out {
		v, err := a.floatAt(i)
		if err != nil {
			return nil, err
		}
		out[i] = v
	}
	return out, nil
}

func (a *Array) floatAt(i int) (float64, error) {
	switch a.DType {
	case graph.Float32:
		return float64(math.Float32frombits(binary.LittleEndian.Uint32(a.Data[4*i:]))), nil
	case graph.Float64:
		return math.Float64frombits(binary.LittleEndian.Uint64(a.Data[8*i:])), nil
	case graph.Float16:
		return float64(float16.Frombits(binary.LittleEndian.Uint16(a.Data[2*i:])).Float32()), nil
	case graph.BFloat16:
		return float64(math.Float32frombits(uint32(binary.LittleEndian.Uint16(a.Data[2*i:])) << 16)), nil
	case graph.Uint64:
		return float64(binary.LittleEndian.Uint64(a.Data[8*i:])), nil
	case graph.Complex64, graph.Complex128:
		return 0, fmt.Errorf("%v elements are not real numbers", a.DType)
	}
	v, err := a.intAt(i)
	return float64(v), err
}
