package exec_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/array"
	"github.com/memplan/memplan/runtime/exec"
	"github.com/sbinet/npyio/npy"
	"github.com/stretchr/testify/require"
)

// npyFile is a file of format 1 with a header as given.
func npyFile(header string, data ...byte) []byte {
	file := append([]byte("\x93NUMPY\x01\x00"), 0, 0)
	binary.LittleEndian.PutUint16(file[8:], uint16(len(header)))
	return append(append(file, header...), data...)
}

func TestArrayFilesAreThoseOfNumPy(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, exec.WriteNpy(&file, floatArray(graph.Shape{2, 3}, 1, 2, 3, 4, 5, 6)))
	// numpy.save of numpy.arange(1, 7, dtype="float32").reshape(2, 3) starts with the same 128 bytes.
	require.Equal(t, 128+24, file.Len())
	require.Equal(t, "\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", file.String()[:69])
	require.Equal(t, byte('\n'), file.Bytes()[127])

	r, err := npy.NewReader(bytes.NewReader(file.Bytes()))
	require.NoError(t, err)
	require.Equal(t, []int{2, 3}, r.Header.Descr.Shape)
	var values []float32
	require.NoError(t, r.Read(&values))
	require.Equal(t, []float32{1, 2, 3, 4, 5, 6}, values)
}

func TestArraysOfEveryTypeComeBackFromAFile(t *testing.T) {
	for _, name := range graph.DTypeNames() {
		dtype, _ := graph.ParseDType(name)
		for _, shape := range []graph.Shape{{}, {3}, {2, 0, 4}, {1, 2, 3, 4, 5}} {
			n, _ := shape.Bytes(dtype)
			a := &array.Array{DType: dtype, Shape: shape, Data: make([]byte, n)}
			for i := range a.Data {
				a.Data[i] = byte(i * 7)
			}
			var file bytes.Buffer
			err := exec.WriteNpy(&file, a)
			if dtype == graph.BFloat16 {
				require.Error(t, err)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, 0, (file.Len()-len(a.Data))%64, "the elements are aligned")
			back, diags := exec.ReadNpy("a.npy", file.Bytes())
			require.Empty(t, diags)
			require.Equal(t, a.DType, back.DType)
			require.Equal(t, a.Shape, back.Shape)
			require.True(t, bytes.Equal(a.Data, back.Data))
		}
	}
}

func TestFilesOfTheLibraryAreRead(t *testing.T) {
	var file bytes.Buffer
	require.NoError(t, npy.Write(&file, []float64{1, 2, math.Pi}))
	a, diags := exec.ReadNpy("a.npy", file.Bytes())
	require.Empty(t, diags)
	values, err := a.Floats()
	require.NoError(t, err)
	require.Equal(t, []float64{1, 2, math.Pi}, values)
}

func TestArrayFilesThatCannotBeReadSayWhy(t *testing.T) {
	good := "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n"
	cases := []struct {
		name string
		file []byte
		id   string
		word string
	}{
		{"an empty file", nil, "MP0806", "does not start as one"},
		{"another file", []byte("PK\x03\x04 a zip archive"), "MP0806", "does not start as one"},
		{"an unknown version", []byte("\x93NUMPY\x09\x00\x00\x00\x00\x00"), "MP0806", "9.0"},
		{"a header that the file does not hold", []byte("\x93NUMPY\x01\x00\xff\x00{"), "MP0806", "255"},
		{"a header of gigabytes", []byte("\x93NUMPY\x02\x00\xff\xff\xff\xff{"), "MP0806", "4294967295"},
		{"half a header length", []byte("\x93NUMPY\x02\x00\xff\xff"), "MP0806", "ends inside"},
		{"a header that is no dictionary", npyFile("hello\n"), "MP0806", "dictionary"},
		{"too little data", npyFile(good, 1, 2, 3), "MP0806", "3 bytes follow"},
		{"too much data", npyFile(good, make([]byte, 9)...), "MP0806", "9 bytes follow"},
		{"a shape that overflows", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), }"), "MP0806", "promises"},
		{"an extent that is no number", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1 2,), }"), "MP0806", "extent"},
		{"an extent beyond 64 bits", npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,), }"), "MP0806", "extent"},
		{"column-major order", npyFile("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }\n", 0, 0, 0, 0), "MP0807", "ascontiguousarray"},
		{"big-endian elements", npyFile("{'descr': '>f4', 'fortran_order': False, 'shape': (1,), }\n", 0, 0, 0, 0), "MP0807", "big-endian"},
		{"text", npyFile("{'descr': '<U4', 'fortran_order': False, 'shape': (1,), }\n", make([]byte, 16)...), "MP0807", "<U4"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			a, diags := exec.ReadNpy("in.npy", c.file)
			require.Nil(t, a)
			requireOne(t, diags, c.id, `"in.npy"`, c.word)
			start := c.file[:min(len(c.file), exec.NpyStart)]
			_, again := exec.ReadNpyType("in.npy", start, int64(len(c.file)))
			require.Equal(t, diags, again)
		})
	}
}

func TestTheStartOfAnArrayFileTellsItsType(t *testing.T) {
	file := npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (5000, 2), }\n", make([]byte, 40_000)...)
	of, diags := exec.ReadNpyType("a.npy", file[:exec.NpyStart], int64(len(file)))
	require.Empty(t, diags)
	require.Equal(t, "float32 [5000, 2]", of.String())
	_, diags = exec.ReadNpyType("a.npy", file[:exec.NpyStart], int64(len(file))-1)
	requireOne(t, diags, "MP0806", `"a.npy"`, "39999 bytes follow")
}

func FuzzReadNpy(f *testing.F) {
	f.Add(npyFile("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }\n", 1, 2, 3, 4))
	f.Add(npyFile("{'descr': '|b1', 'fortran_order': False, 'shape': (), }\n", 1))
	f.Add([]byte("\x93NUMPY\x03\x00\x01\x00\x00\x00\n"))
	f.Fuzz(func(t *testing.T, file []byte) {
		a, diags := exec.ReadNpy("a.npy", file)
		if (a == nil) != (len(diags) > 0) {
			t.Fatalf("array %v with diagnostics %v", a, diags)
		}
		if a == nil {
			return
		}
		var out bytes.Buffer
		if err := exec.WriteNpy(&out, a); err != nil {
			t.Fatal(err)
		}
		back, diags := exec.ReadNpy("b.npy", out.Bytes())
		if len(diags) > 0 || !bytes.Equal(back.Data, a.Data) || !back.Shape.Equal(a.Shape) {
			t.Fatalf("%v became %v, %v", a, back, diags)
		}
	})
}

func TestASeedMakesTheSameArrayEverywhere(t *testing.T) {
	a, err := exec.Seed(7, graph.Shape{2, 2}, graph.Float32)
	require.NoError(t, err)
	// Worked out by an independent program from the documented formula.
	require.Equal(t, []float32{0.3898297, 0.016788244, 0.90076065, 0.58293027}, floatsOf(a))
	i, err := exec.Seed(7, graph.Shape{4}, graph.Int64)
	require.NoError(t, err)
	values, err := i.Ints()
	require.NoError(t, err)
	for k, v := range values {
		require.Equal(t, int64(floatsOf(a)[k]*(1<<24))%128, v)
	}
	for _, name := range graph.DTypeNames() {
		dtype, _ := graph.ParseDType(name)
		_, err := exec.Seed(1, graph.Shape{3}, dtype)
		require.Equal(t, dtype == graph.Complex64 || dtype == graph.Complex128, err != nil, name)
	}
	_, err = exec.Seed(1, graph.Shape{1 << 40, 1 << 20}, graph.Float32)
	require.Error(t, err)
}
