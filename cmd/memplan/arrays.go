package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/runtime/exec"
)

// fileType is the element type that arrays of a type have in NumPy files. NumPy has no bfloat16, and float32 has all its
// values.
func fileType(t graph.DType) graph.DType {
	if t == graph.BFloat16 {
		return graph.Float32
	}
	return t
}

// readArray reads a NumPy file.
func readArray(path string) (*array.Array, diag.Diagnostics) {
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, diag.Diagnostics{unreadable(path, err)}
	}
	return exec.ReadNpy(filepath.ToSlash(path), data)
}

// readArrayType reads the type and the shape of the array in a NumPy file, and checks that its elements are there.
func readArrayType(path string) (array.Type, diag.Diagnostics) {
	start, size, err := startOf(path, exec.NpyStart)
	if err != nil {
		return array.Type{}, diag.Diagnostics{unreadable(path, err)}
	}
	return exec.ReadNpyType(filepath.ToSlash(path), start, size)
}

// startOf reads so many bytes of a file, where it has as many, and says how many it has. Devices and pipes have no size.
func startOf(path string, limit int64) (start []byte, size int64, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, 0, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return nil, 0, err
	}
	if !info.Mode().IsRegular() {
		return nil, 0, &fs.PathError{Op: "read", Path: path, Err: errors.New("is not a regular file")}
	}
	start = make([]byte, min(limit, info.Size()))
	_, err = io.ReadFull(file, start)
	return start, info.Size(), err
}

// writeArray writes a NumPy file, in the type that NumPy has for the array's.
func writeArray(path string, a *array.Array) error {
	stored, err := cast(a, fileType(a.DType))
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	var b bytes.Buffer
	if err := exec.WriteNpy(&b, stored); err != nil {
		return err
	}
	return plan.WriteFile(path, b.Bytes())
}

// cast converts the elements of an array, and returns the array itself when they have the type already.
func cast(a *array.Array, to graph.DType) (*array.Array, error) {
	if a.DType == to {
		return a, nil
	}
	out, err := array.Eval(&graph.Op{Op: "Cast"}, []*array.Array{a}, []array.Type{{DType: to, Shape: a.Shape}})
	if err != nil {
		return nil, fmt.Errorf("converting %v to %v: %w", a.DType, to, err)
	}
	return out[0], nil
}
