package onnx_test

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/memplan/memplan/planner/graph/onnx"
	"github.com/memplan/memplan/testdata/needs"
	"github.com/stretchr/testify/require"
)

// python is the interpreter that Debian's python3-onnx belongs to.
const python = "/usr/bin/python3"

// TestConstantsAreThoseOfTheReferenceLibrary compares every constant of the real models and of the backend tests with
// what ONNX's own library reads. Constants that the importer leaves out, since nothing reads them, are not compared.
func TestConstantsAreThoseOfTheReferenceLibrary(t *testing.T) {
	if err := exec.Command(python, "-c", "import onnx").Run(); err != nil {
		needs.Missing(t, "the reference library of ONNX is not there: apt-get install python3-onnx")
	}
	files, err := filepath.Glob(filepath.Join(models, "*.onnx"))
	require.NoError(t, err)
	tests, err := filepath.Glob(filepath.Join(corpus, "*", "*", "model.onnx"))
	require.NoError(t, err)
	files = append(files, tests...)
	want, err := exec.Command(python, append([]string{filepath.Join("testdata", "constants.py")}, files...)...).Output()
	require.NoError(t, err)
	got := map[string]string{}
	for _, name := range files {
		addConstants(t, got, name)
	}
	compared := 0
	for lines := bufio.NewScanner(bytes.NewReader(want)); lines.Scan(); {
		model, rest, _ := strings.Cut(lines.Text(), "\t")
		name, description, _ := strings.Cut(rest, "\t")
		if ours, ok := got[model+"\t"+name]; ok {
			require.Equal(t, description, ours, "%s of %s", name, model)
			compared++
		}
	}
	require.Greater(t, compared, 300, "the real models alone have as many")
	t.Logf("%d constants agree", compared)
}

// addConstants adds the description of every constant of a model, if it imports, by model and name.
func addConstants(t *testing.T, to map[string]string, model string) {
	t.Helper()
	g, _ := onnx.Import(openFile(t, model))
	if g == nil {
		return
	}
	for i := range g.Tensors {
		if tensor := &g.Tensors[i]; tensor.Data != nil {
			to[model+"\t"+tensor.Name] = fmt.Sprintf("%s\t%s\t%x", tensor.DType, tensor.Shape, sha256.Sum256(read(t, tensor)))
		}
	}
}
