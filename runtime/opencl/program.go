package opencl

import (
	"cmp"
	"embed"
	"fmt"
	"strings"

	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/runtime/opencl/cl"
)

//go:embed kernels/*.cl
var kernels embed.FS

// source is a file of kernels without ".cl", or several joined by "+", with the compiler's options that make one variant
// of it. Each is compiled once in a session, when its first kernel is wanted.
type source struct{ file, options string }

func (s source) compare(other source) int {
	return cmp.Or(strings.Compare(s.file, other.file), strings.Compare(s.options, other.options))
}

// of returns the variant of a file for an element type: T is its name in OpenCL C.
func of(file string, dtype graph.DType) source { return source{file, "-DT=" + clTypes[dtype]} }

// raw returns the variant for elements that are moved and not computed with: T is an unsigned integer of their size.
func raw(file string, dtype graph.DType) source { return source{file, "-DT=" + rawTypes[dtype.Size()]} }

// clTypes are the element types in OpenCL C. The 16-bit floats are bits that kernels convert.
var clTypes = map[graph.DType]string{
	graph.Float32: "float", graph.Float64: "double", graph.Float16: "ushort", graph.BFloat16: "ushort",
	graph.Int8: "char", graph.Int16: "short", graph.Int32: "int", graph.Int64: "long",
	graph.Uint8: "uchar", graph.Uint16: "ushort", graph.Uint32: "uint", graph.Uint64: "ulong", graph.Bool: "uchar",
}

// rawTypes are unsigned integers by their size in bytes; 16 bytes are two of them.
var rawTypes = map[int64]string{1: "uchar", 2: "ushort", 4: "uint", 8: "ulong", 16: "ulong2"}

// standard is the version of OpenCL C of every program but that of joined launches.
const standard = "-cl-std=CL1.2"

// program compiles a source, once.
func (s *Session) program(of source) (cl.Program, error) {
	if p, ok := s.programs[of]; ok {
		return p, nil
	}
	text, err := programText(of.file)
	if err != nil {
		return 0, err
	}
	return s.build(of, text, strings.TrimSpace(standard+" "+of.options))
}

// buildError is what the compiler of the driver refuses.
type buildError struct {
	program, options, log string
	err                   error
}

// Error names the program and gives the compiler's words.
func (e *buildError) Error() string {
	return fmt.Sprintf("program %s with %q: %v\n%s", e.program, e.options, e.err, e.log)
}

// Unwrap returns the failure of the call.
func (e *buildError) Unwrap() error { return e.err }

// build compiles a text as the program of a source. It fails with a *buildError where the text does not compile.
func (s *Session) build(of source, text, options string) (cl.Program, error) {
	p, err := s.api.CreateProgram(s.ctx, text)
	if err != nil {
		return 0, fmt.Errorf("program %s: %w", of.file, err)
	}
	s.programs[of] = p
	err = s.api.BuildProgram(p, s.found.Device, options)
	if err == nil {
		return p, nil
	}
	log, logErr := s.api.BuildLog(p, s.found.Device)
	if logErr != nil {
		log = logErr.Error()
	}
	delete(s.programs, of)
	if err := s.api.ReleaseProgram(p); err != nil {
		log += "\n" + err.Error()
	}
	return 0, &buildError{of.file, options, log, err}
}

// programText is the text of a source's files after the prelude that all share.
func programText(file string) (string, error) {
	var text strings.Builder
	for _, name := range append([]string{"prelude"}, strings.Split(file, "+")...) {
		part, err := kernels.ReadFile("kernels/" + name + ".cl")
		if err != nil {
			return "", fmt.Errorf("program %s: %w", file, err)
		}
		text.Write(part)
	}
	return text.String(), nil
}
