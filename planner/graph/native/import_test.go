package native_test

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"math"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/intervals"
	"github.com/memplan/memplan/planner/graph/native"
	"github.com/memplan/memplan/planner/graph/source"
	"github.com/memplan/memplan/planner/graph/tflite"
)

func read(content string) (*graph.Graph, diag.Diagnostics) {
	return native.Import(source.FromBytes("dir/net.json", []byte(content)))
}

// file wraps tensors and ops into a file.
func file(tensors, ops string) string {
	return fmt.Sprintf(`{"format_version": "1.0", "tensors": [%s], "ops": [%s]}`, tensors, ops)
}

const (
	x    = `{"name": "x", "role": "input", "dtype": "float32", "shape": [2]}`
	z    = `{"name": "z", "role": "output", "dtype": "float32", "shape": [2]}`
	relu = `{"name": "r", "op": "Relu", "inputs": ["x"], "outputs": ["z"]}`
)

// documented is the example of the format's documentation.
func documented(t testing.TB) string {
	t.Helper()
	page, err := os.ReadFile("../../../docs/native-graph.md")
	require.NoError(t, err)
	_, rest, ok := strings.Cut(string(page), "```json\n")
	require.True(t, ok)
	example, _, ok := strings.Cut(rest, "```")
	require.True(t, ok)
	return example
}

func TestTheDocumentedExampleIsReadAndWritten(t *testing.T) {
	example := documented(t)
	g, diags := read(example)
	require.Empty(t, diags)
	require.NoError(t, g.Validate())
	assert.Equal(t, "net", g.Name)
	assert.Equal(t, "json", g.Format)
	assert.Equal(t, source.FromBytes("", []byte(example)).Digest(), g.Digest)
	assert.Equal(t, graph.Tensor{
		Name: "x", Role: graph.Input, DType: graph.Float32, Layout: "NCHW4c",
		Shape: graph.Shape{-1, 8, 14, 14, 4}, Symbols: []string{"N", "", "", "", ""},
	}, g.Tensors[0])
	assert.Equal(t, graph.Activation, g.Tensors[2].Role)
	assert.Equal(t, graph.Op{
		Name: "conv1", Op: "Conv", Inputs: []graph.TensorID{0, 1}, Outputs: []graph.TensorID{2},
		Attrs:   graph.Attrs{"Clip.max": float32(6), "Clip.min": float32(0), "strides": []int64{1, 1}},
		Fused:   []string{"Conv", "Clip"},
		Scratch: []graph.ScratchBuffer{{Name: "im2col", Bytes: 4096}},
	}, g.Ops[0])
	axes, err := g.Tensors[3].Data.Read()
	require.NoError(t, err)
	assert.Equal(t, int64(2), int64(binary.LittleEndian.Uint64(axes)))
	assert.Equal(t, example, write(t, g))
}

func TestAConstantWithoutContentHasASizeOnly(t *testing.T) {
	g, diags := read(documented(t))
	require.Empty(t, diags)
	w := g.Tensors[1]
	assert.Equal(t, int64(8*32*3*3*4*4), w.Data.Size())
	_, err := w.Data.Read()
	assert.ErrorContains(t, err, `does not hold the 36864 bytes of constant "w"`)
}

func write(t testing.TB, g *graph.Graph) string {
	t.Helper()
	var out bytes.Buffer
	require.NoError(t, native.Write(&out, g))
	return out.String()
}

// everything is a graph with every kind of field.
func everything() *graph.Graph {
	scalar := graph.Bytes{1, 2, 3, 4}
	return &graph.Graph{
		Name: "every <kind> & \"more\"",
		Tensors: []graph.Tensor{
			{Name: "b", Role: graph.Input, DType: graph.Int8, Shape: graph.Shape{graph.Unknown, 3}},
			{Name: "a", Role: graph.Input, DType: graph.Float16, Shape: graph.Shape{graph.Unknown, graph.Unknown}, Symbols: []string{"", "höhe"}},
			{Name: "s", Role: graph.State, DType: graph.Bool, Shape: graph.Shape{0}},
			{Name: "c", Role: graph.Constant, DType: graph.Uint8, Shape: graph.Shape{4}, Data: scalar},
			{Name: "empty", Role: graph.Constant, DType: graph.Int64, Shape: graph.Shape{0}, Data: graph.Bytes{}},
			{Name: "t", Role: graph.Activation, UpperBound: true, DType: graph.BFloat16, Shape: graph.Shape{}},
			{Name: "u", Role: graph.Activation},
			{Name: "o", Role: graph.Output, DType: graph.Complex128, Shape: graph.Shape{1}, Layout: "W"},
		},
		Ops: []graph.Op{
			{
				Name: "op/1", Op: "Thing", Domain: "our.own", Inputs: []graph.TensorID{0, graph.NoTensor, 2, 4}, Outputs: []graph.TensorID{5, graph.NoTensor, 6},
				Attrs: graph.Attrs{
					"int": int64(math.MinInt64), "float": float32(1), "tiny": float32(1e-30), "inf": float32(math.Inf(-1)), "text": "a<b",
					"ints": []int64{1, 2}, "floats": []float32{1, 2.5}, "texts": []string{"x", ""}, "no ints": []int64{}, "no floats": []float32{},
					"no texts": []string{}, "odd floats": []float32{1, float32(math.Inf(1))},
					"tensor": &graph.AttrTensor{DType: graph.Float32, Shape: graph.Shape{1}, Data: scalar},
				},
			},
			{Name: "op/2", Op: "Relu", Inputs: []graph.TensorID{5, 6}, Outputs: []graph.TensorID{7}, Fused: []string{"Relu", "Clip"}},
		},
		Inputs: []graph.TensorID{1, 0}, Outputs: []graph.TensorID{7, 3, 0},
	}
}

// same compares graphs as read: where a graph came from is not in the file.
func same(t *testing.T, want, got *graph.Graph) {
	t.Helper()
	options := []cmp.Option{
		cmp.FilterPath(func(p cmp.Path) bool { return !strings.HasSuffix(p.String(), "Data") }, cmpopts.EquateEmpty()),
		cmpopts.IgnoreFields(graph.Graph{}, "Format", "Digest"),
		cmp.Comparer(func(a, b graph.Data) bool {
			if a == nil || b == nil {
				return a == nil && b == nil
			}
			if a.Size() != b.Size() || a.Size() > native.InlineLimit {
				return a.Size() == b.Size()
			}
			left, err1 := a.Read()
			right, err2 := b.Read()
			return err1 == nil && err2 == nil && bytes.Equal(left, right)
		}),
	}
	require.Empty(t, cmp.Diff(want, got, options...))
}

func TestWhatIsWrittenReadsBackEqual(t *testing.T) {
	graphs := map[string]*graph.Graph{"every kind of field": everything(), "nothing": {Name: "n"}}
	for _, name := range []string{"face_detection_short_range", "hand_landmark_lite", "palm_detection_lite"} {
		f, err := source.Open(os.DirFS("../../../testdata/models"), name+".tflite")
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, f.Close()) })
		g, diags := tflite.Import(f)
		require.Empty(t, diags)
		graphs[name] = g
	}
	g, diags := intervals.Import(source.FromBytes("t.csv", []byte("id,lower,upper,size,alignment,pool\na,-3,3,40,8,fast\nb,3,9,0,,\n")))
	require.Empty(t, diags)
	graphs["intervals"] = g
	for name, g := range graphs {
		t.Run(name, func(t *testing.T) {
			first := write(t, g)
			back, diags := read(first)
			require.Empty(t, diags)
			same(t, g, back)
			assert.Equal(t, first, write(t, back), "writing again changes nothing")
		})
	}
}

func TestNotANumberIsKept(t *testing.T) {
	g := &graph.Graph{Name: "n", Ops: []graph.Op{{Name: "o", Op: "Thing", Attrs: graph.Attrs{"a": float32(math.NaN())}}}}
	back, diags := read(write(t, g))
	require.Empty(t, diags)
	assert.True(t, math.IsNaN(float64(back.Ops[0].Attrs.Float("a", 0))))
}

func TestWhatCannotBeWrittenIsAnError(t *testing.T) {
	tests := map[string]struct {
		g    graph.Graph
		want string
	}{
		"a name that is not UTF-8": {graph.Graph{Tensors: []graph.Tensor{{Name: "\xff", Role: graph.Input}}}, "is not UTF-8"},
		"an unknown attribute":     {graph.Graph{Ops: []graph.Op{{Name: "o", Attrs: graph.Attrs{"a": 1}}}}, `attribute "a" of op "o" has the type int`},
		"a small constant that cannot be read": {
			graph.Graph{Tensors: []graph.Tensor{{Name: "c", Role: graph.Constant, Data: &graph.Lazy{Compute: func() ([]byte, error) { return nil, assert.AnError }}}}},
			`constant "c"`,
		},
		"a fault in the graph": {graph.Graph{Tensors: []graph.Tensor{{Role: graph.Input}}}, "empty or taken"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			assert.ErrorContains(t, native.Write(&bytes.Buffer{}, &test.g), test.want)
		})
	}
	assert.ErrorIs(t, native.Write(failing{}, &graph.Graph{}), assert.AnError)
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, assert.AnError }

func TestConstantsMayStandInFiles(t *testing.T) {
	const c = `{"name": "c", "role": "constant", "dtype": "uint8", "shape": [3], "file": "w.bin"}`
	fsys := fstest.MapFS{
		"m/net.json": &fstest.MapFile{Data: []byte(file(c, ""))},
		"m/w.bin":    &fstest.MapFile{Data: []byte("abc")},
	}
	f, err := source.Open(fsys, "m/net.json")
	require.NoError(t, err)
	g, diags := native.Import(f)
	require.Empty(t, diags)
	content, err := g.Tensors[0].Data.Read()
	require.NoError(t, err)
	assert.Equal(t, "abc", string(content))
	require.NoError(t, f.Close())
}

func TestRolesFollowFromOpsAndLists(t *testing.T) {
	g, diags := read(`{"format_version": "1.7", "outputs": ["b", "x"], "tensors": [` + x + `, {"name": "a"}, {"name": "b"}],
		"ops": [{"name": "1", "op": "Relu", "inputs": ["x", null, ""], "outputs": ["a"]}, {"name": "2", "op": "Relu", "inputs": ["a"], "outputs": ["b"]}]}`)
	require.Empty(t, diags)
	assert.Equal(t, "net", g.Name)
	assert.Equal(t, graph.Activation, g.Tensors[1].Role)
	assert.Equal(t, graph.Output, g.Tensors[2].Role)
	assert.Nil(t, g.Tensors[1].Shape)
	assert.Equal(t, []graph.TensorID{2, 0}, g.Outputs)
	assert.Equal(t, []graph.TensorID{0, graph.NoTensor, graph.NoTensor}, g.Ops[0].Inputs)
}

func TestFaultsHaveTheirPlace(t *testing.T) {
	four := base64.StdEncoding.EncodeToString(make([]byte, 4))
	constant := func(rest string) string {
		return file(`{"name": "c", "role": "constant", "dtype": "float32", "shape": [2]`+rest+`}`, "")
	}
	attrs := func(value string) string {
		return file(x+","+z, `{"name": "r", "op": "Relu", "inputs": ["x"], "outputs": ["z"], "attrs": {"a": `+value+`}}`)
	}
	op := func(name, in, out string) string {
		return fmt.Sprintf(`{"name": %q, "op": "Relu", "inputs": [%s], "outputs": [%s]}`, name, in, out)
	}
	// In each text the subject stands between « and », which are taken out before it is read.
	tests := map[string]struct {
		content string
		id      diag.ID
		want    string
	}{
		"an empty file":                {`«»`, "MP0370", "dir/net.json is not valid JSON: the file ends in the middle of a value."},
		"a file that breaks off":       {`{"format_version": «»`, "MP0370", "the file ends in the middle of a value"},
		"a stray character":            {`{"format_version": «?»"1.0"}`, "MP0370", "invalid character '?'"},
		"a missing comma":              {`{"format_version": "1.0" «"»tensors": []}`, "MP0370", "invalid character '\"' after object key:value pair"},
		"text behind the end":          {`{"format_version": "1.0", "tensors": []} «x»`, "MP0370", "has text behind its closing brace"},
		"an unknown field":             {file(`{"name": "x", "role": "input", "dtype": "float32", «"shap"»: [2], "shape": [2]}`, ""), "MP0371", `Field "shap" of the tensor is not known; the fields are name, role, dtype, shape, layout, data, file, digest, upper_bound, interval. Did you mean "shape"?`},
		"an unknown field of the file": {`{"format_version": "1.0", "tensors": [], «"views"»: {"a": [{}]}}`, "MP0371", `Field "views" of the graph is not known`},
		"a field twice":                {file(`{"name": "x", «"name"»: "y", "role": "input", "dtype": "float32", "shape": [2]}`, ""), "MP0372", `Field "name" of the tensor is given twice.`},
		"an attribute twice":           {attrs(`1, «"a"»: 2`), "MP0372", `Field "a" of the attributes is given twice.`},
		"a missing version":            {`«{»"tensors": []}`, "MP0373", `The graph has no field "format_version".`},
		"a missing name":               {file(`«{»"role": "input", "dtype": "float32", "shape": [2]}`, ""), "MP0373", `The tensor has no field "name".`},
		"an input without a shape":     {file(`«{"name": "x", "role": "input", "dtype": "float32"}»`, ""), "MP0373", `Tensor "x" has the role input and no field "shape"`},
		"a state without a dtype":      {file(`«{"name": "x", "role": "state", "shape": [2]}»`, ""), "MP0373", `Tensor "x" has the role state and no field "dtype"`},
		"a number for a name":          {file(`{"name": «5», "role": "input", "dtype": "float32", "shape": [2]}`, ""), "MP0374", `The tensor's name must be a string, not a number.`},
		"an object for a list":         {`{"format_version": "1.0", "tensors": «{»"a": [[]]}}`, "MP0374", "The list of tensors must be an array, not an object."},
		"a file of a list":             {`«[»]`, "MP0374", "The graph must be an object, not an array."},
		"a fraction of an axis":        {file(`{"name": "x", "role": "input", "dtype": "float32", "shape": [«2.0»]}`, ""), "MP0374", `The axis is "2.0", but must be a whole number.`},
		"a null axis":                  {file(`{"name": "x", "role": "input", "dtype": "float32", "shape": [«null»]}`, ""), "MP0374", "The axis must be a whole number or the name of a dimension, not null."},
		"a null name":                  {`{"format_version": "1.0", "inputs": [«null»], "tensors": []}`, "MP0374", "An entry of the list of inputs must be a string, not null."},
		"a flag as text":               {file(`{"name": "x", "role": "input", "dtype": "float32", "shape": [2], "upper_bound": «"yes"»}`, ""), "MP0374", "Upper_bound must be true or false"},
		"a mixed attribute":            {attrs(`«[1, "a"]»`), "MP0374", "lists both numbers and strings"},
		"a null attribute":             {attrs(`«null»`), "MP0374", "An attribute must be a number, a string"},
		"a typed attribute of nothing": {attrs(`«{}»`), "MP0374", "A typed attribute has 0 fields."},
		"an unknown type":              {attrs(`{«"flot"»: 1}`), "MP0371", `Did you mean "float"?`},
		"a huge axis":                  {file(`{"name": "x", "role": "input", "dtype": "float32", "shape": [«9223372036854775808»]}`, ""), "MP0375", "which does not fit into 64 bits"},
		"a negative axis":              {file(`{"name": "x", "role": "input", "dtype": "float32", "shape": [«-2»]}`, ""), "MP0375", "An axis has -2 elements."},
		"an open axis without a name":  {file(`{"name": "x", "role": "input", "dtype": "float32", "shape": [«""»]}`, ""), "MP0375", "An open axis has an empty name."},
		"an unknown dtype":             {file(`{"name": "x", "role": "input", "dtype": «"flaot32"», "shape": [2]}`, ""), "MP0375", `Did you mean "float32"?`},
		"an unknown role":              {file(`{"name": "x", "role": «"inputs"», "dtype": "float32", "shape": [2]}`, ""), "MP0375", `"inputs" is not a role; the roles are input, output, constant, activation, state. Did you mean "input"?`},
		"a scratch tensor":             {file(`{"name": "x", "role": «"scratch"», "dtype": "float32", "shape": [2]}`, ""), "MP0375", `List the memory under "scratch" of its op.`},
		"an empty tensor name":         {file(`{"name": «""», "role": "input", "dtype": "float32", "shape": [2]}`, ""), "MP0375", "Tensor names must not be empty."},
		"an empty op name":             {file(x+","+z, `{"name": «""», "op": "Relu", "inputs": ["x"], "outputs": ["z"]}`), "MP0375", "Op names must not be empty."},
		"an empty operator":            {file(x+","+z, `{"name": "r", "op": «""», "inputs": ["x"], "outputs": ["z"]}`), "MP0375", `Op "r" has an empty operator.`},
		"another fused operator":       {file(x+","+z, `{"name": "r", "op": "Relu", "inputs": ["x"], "outputs": ["z"], "fused": [«"Conv"»]}`), "MP0375", `Op "r" fuses "Conv" first, but its operator is "Relu".`},
		"negative scratch":             {file(x+","+z, `{"name": "r", "op": "Relu", "inputs": ["x"], "outputs": ["z"], "scratch": [{"name": "s", "bytes": «-1»}]}`), "MP0375", "A scratch buffer has -1 bytes."},
		"a float too large":            {attrs(`«1e60»`), "MP0375", `"1e60" is not a number that float32 can hold.`},
		"an empty interval":            {file(`{"name": "x", "role": "activation", "interval": «{"lower": 3, "upper": 3}»}`, ""), "MP0375", "The interval from 3 to 3 is empty"},
		"a negative alignment":         {file(`{"name": "x", "role": "activation", "interval": {"lower": 2, "upper": 3, "alignment": «-1»}}`, ""), "MP0375", "The alignment is -1."},
		"a newer major version":        {`{"format_version": «"2.0"», "tensors": []}`, "MP0376", `Format version "2.0" is not supported`},
		"a tensor twice":               {file(x+`,{"name": «"x"», "role": "input", "dtype": "float32", "shape": [2]}`, ""), "MP0377", `Tensor "x" is declared twice.`},
		"an op twice":                  {file(x+","+z, relu+`,{"name": «"r"», "op": "Relu", "inputs": ["x"], "outputs": []}`), "MP0377", `Op "r" is declared twice.`},
		"an input listed twice":        {`{"format_version": "1.0", "inputs": ["x", «"x"»], "tensors": [` + x + `]}`, "MP0377", `Tensor "x" stands in the list of inputs twice.`},
		"an undeclared input":          {file(`{"name": "image", "role": "input", "dtype": "float32", "shape": [2]},`+z, `{"name": "r", "op": "Relu", "inputs": [«"imag"»], "outputs": ["z"]}`), "MP0378", `Tensor "imag" is not declared. Did you mean "image"?`},
		"an undeclared output":         {`{"format_version": "1.0", "outputs": [«"q"»], "tensors": [` + x + `]}`, "MP0378", `Tensor "q" is not declared.`},
		"an output without a name":     {`{"format_version": "1.0", "outputs": [«""»], "tensors": [` + x + `]}`, "MP0378", "The list of outputs has an empty name."},
		"two producers":                {file(x+","+z, relu+","+op("q", `"x"`, `«"z"»`)), "MP0379", `Tensor "z" is written by op "r" and by op "q".`},
		"an output twice":              {file(x+","+z, op("q", `"x"`, `"z", «"z"»`)), "MP0379", `Tensor "z" is written by op "q" and by op "q".`},
		"a written input":              {file(x+","+z, relu+","+op("q", `"z"`, `«"x"»`)), "MP0379", `Op "q" writes tensor "x", which has the role input.`},
		"the wrong order":              {file(x+","+z+`,{"name": "y"}`, op("q", `«"y"»`, `"z"`)+","+op("p", `"x"`, `"y"`)), "MP0380", `Op "q" reads tensor "y" before op "p" writes it. Move op "p" before op "q".`},
		"a circle":                     {file(`{"name": "a"}, {"name": "b"}`, `{"name": «"q"», "op": "Relu", "inputs": ["a"], "outputs": ["b"]},`+op("p", `"b"`, `"a"`)), "MP0381", `Ops "q", "p" wait for each other`},
		"an op of itself":              {file(`{"name": "a"}`, `{"name": «"q"», "op": "Relu", "inputs": ["a"], "outputs": ["a"]}`), "MP0381", `Op "q" reads what it writes itself.`},
		"a tensor from nowhere":        {file(x+","+z+`,{"name": «"y"»}`, relu), "MP0382", `No op writes tensor "y" of role activation.`},
		"an output from nowhere":       {file(x+`,{"name": «"z"», "role": "output"}`, `{"name": "r", "op": "Print", "inputs": ["x"], "outputs": []}`), "MP0382", `No op writes tensor "z" of role output.`},
		"data that is not base64":      {constant(`, "data": «"#"»`), "MP0383", `The data of constant "c" is not base64`},
		"data of another length":       {constant(`, "data": «"` + four + `"»`), "MP0383", `The content of constant "c" has 4 bytes, but shape [2] of float32 needs 8.`},
		"both data and a file":         {constant(`, "data": "` + four + four + `", "file": «"w.bin"»`), "MP0383", `Constant "c" has both data and a file.`},
		"a digest of content":          {constant(`, "data": "` + four + four + `", "digest": «"sha256:` + strings.Repeat("0", 64) + `"»`), "MP0383", `Constant "c" has a digest, which stands for content that was left out, and content.`},
		"another digest":               {constant(`, "digest": «"md5:` + strings.Repeat("0", 64) + `"»`), "MP0383", "with 64 hexadecimal digits in lower case"},
		"a file that is missing":       {constant(`, "file": «"w.bin"»`), "MP0383", `The file of constant "c" cannot be read`},
		"a file outside":               {constant(`, "file": «"../w.bin"»`), "MP0383", "is not a plain relative path"},
		"a constant of unknown size":   {file(`«{"name": "c", "role": "constant", "dtype": "float32", "shape": [-1]}»`, ""), "MP0383", `The bytes of constant "c" with shape [?] cannot be counted.`},
		"a constant of too many bytes": {file(`«{"name": "c", "role": "constant", "dtype": "float32", "shape": [4611686018427387904, 4]}»`, ""), "MP0383", "cannot be counted"},
		"an input with content":        {file(`{"name": "x", "role": "input", "dtype": "uint8", "shape": [1], "data": «"AA=="»}`, ""), "MP0383", `Tensor "x" has content, which only constants have.`},
		"a listed activation":          {`{"format_version": "1.0", "outputs": [«"a"»], "tensors": [` + x + `, {"name": "a", "role": "activation"}], "ops": [` + op("q", `"x"`, `"a"`) + `]}`, "MP0384", `Tensor "a" is listed among the outputs, but has the role activation.`},
		"an input that is not listed":  {`{"format_version": "1.0", "inputs": [], "tensors": [{"name": «"x"», "role": "input", "dtype": "int8", "shape": [1]}]}`, "MP0384", `Tensor "x" has the role input, but does not stand in the list of inputs.`},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			from := strings.Index(test.content, "«")
			content := strings.Replace(test.content, "«", "", 1)
			to := strings.Index(content, "»")
			g, diags := read(strings.Replace(content, "»", "", 1))
			require.Nil(t, g)
			require.Len(t, diags, 1, "%v", diags)
			d := diags[0]
			assert.Equal(t, test.id, d.ID)
			assert.Contains(t, d.Detail, test.want)
			require.NotNil(t, d.Subject)
			assert.Equal(t, "dir/net.json", d.Subject.Filename)
			if from >= 0 {
				assert.Equal(t, [2]int{from, to}, [2]int{d.Subject.Start.Byte, d.Subject.End.Byte}, d.Detail)
			}
		})
	}
}

func TestNestingIsLimited(t *testing.T) {
	for _, deep := range []string{strings.Repeat("[", 1_000_000), strings.Repeat(`{"tensor":`, 1000)} {
		_, diags := read(file(x+","+z, relu[:len(relu)-1]+`, "attrs": {"a": `+deep))
		require.NotEmpty(t, diags)
		last := diags[len(diags)-1]
		assert.Equal(t, diag.NativeSyntax, last.ID)
		assert.Contains(t, last.Detail, "nests values more than 32 deep")
	}
}

func TestPlacesCountLinesAndCharacters(t *testing.T) {
	_, diags := read("{\"format_version\": \"1.0\",\n \"tensors\": [\n  {\"name\": \"ä\", \"rôle\": 1, \"role\": \"input\", \"dtype\": \"int8\", \"shape\": [1]}]}")
	require.Len(t, diags, 1)
	assert.Equal(t, 3, diags[0].Subject.Start.Line)
	assert.Equal(t, 17, diags[0].Subject.Start.Column)
	assert.Equal(t, 23, diags[0].Subject.End.Column)
}

func TestTheFirstOfTwoNamesIsShown(t *testing.T) {
	_, diags := read(file(x+","+x, ""))
	require.Len(t, diags, 1)
	require.Len(t, diags[0].Related, 1)
	assert.Less(t, diags[0].Related[0].Range.Start.Byte, diags[0].Subject.Start.Byte)
}

func TestEveryFaultIsFound(t *testing.T) {
	_, diags := read(file(`{"name": "x", "role": "imput", "dtype": "flot32", "shape": [-7], "extra": 0}`, `{"name": "r"}`))
	assert.Len(t, diags, 7)
}

func TestManyFaultsAreCounted(t *testing.T) {
	_, diags := read(file(strings.Repeat(`{"name": "x", "role": 1},`, 300)+x, ""))
	require.Len(t, diags, 101)
	assert.Equal(t, diag.ID("MP0385"), diags[100].ID)
	assert.Contains(t, diags[100].Detail, "Faults that follow from here on: ")
}

func TestEveryPrefixOfAFileIsRefused(t *testing.T) {
	content := strings.TrimRight(documented(t), "\n")
	for n := range content {
		g, diags := read(content[:n])
		require.Nil(t, g)
		require.True(t, diags.HasErrors())
	}
}

func FuzzImport(f *testing.F) {
	f.Add([]byte(documented(f)))
	f.Add([]byte(write(f, everything())))
	f.Add([]byte(file(x+","+z, relu)))
	f.Add([]byte(file(`{"name": "a"}, {"name": "b"}`, `{"name": "q", "op": "Relu", "inputs": ["a"], "outputs": ["b"]}`)))
	f.Add([]byte(`{"format_version": "1.0", "tensors": [[[{}]]], "ops": null}`))
	f.Fuzz(func(t *testing.T, content []byte) {
		g, diags := native.Import(source.FromBytes("net.json", content))
		if (g == nil) != diags.HasErrors() {
			t.Fatalf("graph %v, diagnostics %v", g, diags)
		}
		for _, d := range diags {
			if d.Subject == nil || d.Subject.Start.Byte > d.Subject.End.Byte || d.Subject.End.Byte > len(content) {
				t.Fatalf("%v has the range %v", d, d.Subject)
			}
		}
		if g == nil {
			return
		}
		var first, second bytes.Buffer
		if err := native.Write(&first, g); err != nil {
			t.Fatal(err)
		}
		back, diags := native.Import(source.FromBytes("net.json", first.Bytes()))
		if back == nil {
			t.Fatalf("%s\n%v", first.String(), diags)
		}
		if err := native.Write(&second, back); err != nil || first.String() != second.String() {
			t.Fatalf("%v\n%s\n%s", err, first.String(), second.String())
		}
	})
}

func BenchmarkImport(b *testing.B) {
	var tensors, ops strings.Builder
	fmt.Fprint(&tensors, `{"name": "t0", "role": "input", "dtype": "float32", "shape": [1, 8, 8, 4]}`)
	for i := range 10_000 {
		fmt.Fprintf(&tensors, `,{"name": "t%d", "dtype": "float32", "shape": [1, 8, 8, 4], "layout": "NHWC"}`, i+1)
		fmt.Fprintf(&ops, `{"name": "o%d", "op": "Relu", "inputs": ["t%d"], "outputs": ["t%d"]},`, i, i, i+1)
	}
	content := []byte(file(tensors.String(), strings.TrimSuffix(ops.String(), ",")))
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := native.Import(source.FromBytes("net.json", content)); diags != nil {
			b.Fatal(diags)
		}
	}
}
