package tvmjson_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// TestBadFilesAreRefusedAtTheirPlace changes one place of a sound file. What stands at the reported place is checked
// by its beginning.
func TestBadFilesAreRefusedAtTheirPlace(t *testing.T) {
	for name, c := range map[string]struct {
		old, new string
		id       string
		at       string
		detail   string
	}{
		"JSON that breaks off":                 {`"node_row_ptr": [0, 1, 2, 3, 4, 5, 6]` + "\n}\n", ``, "MP0340", "", "ends in the middle"},
		"JSON with a fault":                    {`"arg_nodes": [0, 2]`, `"arg_nodes": [0, 2}`, "MP0340", "}", "not valid JSON"},
		"text behind the object":               {"5, 6]\n}", "5, 6]\n} tail", "MP0340", "tail", "behind its closing brace"},
		"values nested too deep":               {`"arg_nodes"`, `"x": ` + strings.Repeat("[", 40) + strings.Repeat("]", 40) + `, "arg_nodes"`, "MP0340", "[", "32 deep"},
		"no list of arguments":                 {`"arg_nodes"`, `"arguments"`, "MP0341", "{", `no field "arg_nodes"`},
		"no shapes":                            {`"shape"`, `"shapes"`, "MP0341", "{", `no list "shape"`},
		"no element types":                     {`"dltype"`, `"dtype"`, "MP0341", "{", `no list "dltype"`},
		"a node without a name":                {`"name": "p0", `, ``, "MP0341", `{"op": "null", "inputs"`[:1], `no field "name"`},
		"a node without inputs":                {`"name": "p0", "inputs": []`, `"name": "p0"`, "MP0341", "{", `"p0", has no field "inputs"`},
		"a call without a function":            {`"func_name": "__copy"`, `"func": "__copy"`, "MP0341", "{", `"__copy" has no attribute "func_name"`},
		"a call without a number of outputs":   {`"num_outputs": "1", "num_inputs": "1", "flatten_data": "0", "func_name": "__copy"`, `"num_inputs": "1", "func_name": "__copy"`, "MP0341", "{", `no attribute "num_outputs"`},
		"an unknown op":                        {`"op": "null", "name": "p0"`, `"op": "nul", "name": "p0"`, "MP0342", `"nul"`, `Did you mean "null"?`},
		"an input with inputs":                 {`"name": "p0", "inputs": []`, `"name": "p0", "inputs": [[0, 0]]`, "MP0342", `{"op"`, `"p0" has the op "null" and inputs`},
		"an empty name":                        {`"name": "p0"`, `"name": ""`, "MP0342", `""`, "empty name"},
		"a name that is a number":              {`"name": "p0"`, `"name": 7`, "MP0342", "7", "must be a string, not a number"},
		"a list that is an object":             {`"arg_nodes": [0, 2]`, `"arg_nodes": {"a": [0]}`, "MP0342", "{", "must be an array, not an object"},
		"a shape that is null":                 {`[1, 4, 8, 8, 4]`, `null`, "MP0342", "null", "must be an array, not null"},
		"a name that is true":                  {`"name": "p0"`, `"name": true`, "MP0342", "true", "not a boolean"},
		"an object that is a string":           {`"attrs": {"num_outputs": "1", "num_inputs": "1", "flatten_data": "0", "func_name": "__copy"}`, `"attrs": "x"`, "MP0342", `"x"`, "must be an object, not a string"},
		"a reference of one number":            {`"heads": [[5, 0, 0]]`, `"heads": [[5]]`, "MP0342", "[5]", "has 1 numbers"},
		"a reference of four numbers":          {`"heads": [[5, 0, 0]]`, `"heads": [[5, 0, 0, 0]]`, "MP0342", "[5, 0, 0, 0]", "has 4 numbers"},
		"a fraction":                           {`"heads": [[5, 0, 0]]`, `"heads": [[5.5, 0, 0]]`, "MP0342", "5.5", "must be a whole number"},
		"a number beyond 64 bits":              {`"node_row_ptr": [0`, `"node_row_ptr": [99999999999999999999`, "MP0342", "9999", "does not fit into 64 bits"},
		"a negative axis":                      {`[1, 4, 8, 8, 4]`, `[1, -4, 8, 8, 4]`, "MP0342", "-4", "-4 elements"},
		"a shape of too many bytes":            {`[1, 4, 8, 8, 4]`, `[4294967296, 4294967296]`, "MP0342", `["list_shape"`, "more than 2^63-1 bytes"},
		"a list of another type":               {`["list_shape"`, `["list_int"`, "MP0342", `"list_int"`, `must be "list_shape"`},
		"a list without its type":              {`"shape": ["list_shape", `, `"shape": [`, "MP0342", "[[1, 8, 10, 10]", "must be a string"},
		"a list with a third part":             {`["list_int", [0, 1, 2, 3, 4, 5]]`, `["list_int", [0, 1, 2, 3, 4, 5], 0]`, "MP0342", `["list_int"`, "has 3 parts"},
		"a number of outputs that is none":     {`"num_outputs": "1", "num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, `"num_outputs": "one", "num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, "MP0342", `"one"`, "1 or more"},
		"a call without outputs":               {`"num_outputs": "1", "num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, `"num_outputs": "0", "num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, "MP0342", `"0"`, "1 or more"},
		"a field twice":                        {`"name": "p0"`, `"name": "p0", "name": "p1"`, "MP0343", `"name"`, "given twice"},
		"too few shapes":                       {`, [1, 4, 8, 8, 4]]]`, `]]`, "MP0343", "{", `"tvmgen_default_fused_concatenate" has 1 outputs, and the list shape has 5`},
		"too many shapes":                      {`[1, 4, 8, 8, 4]]]`, `[1, 4, 8, 8, 4], []]]`, "MP0343", `["list_shape"`, "shape has 7 entries; the nodes have 6"},
		"too few element types":                {`"dltype": ["list_str", ["float32", `, `"dltype": ["list_str", [`, "MP0343", `["list_str"`, "dltype has 5 entries"},
		"too few scopes":                       {`["list_str", ["", `, `["list_str", [`, "MP0343", `["list_str"`, "storage_scope has 5 entries"},
		"too few storages":                     {`["list_int", [0, 1, 2, 3, 4, 5]]`, `["list_int", [0, 1, 2, 3, 4]]`, "MP0343", `["list_int"`, "storage_id has 5 entries"},
		"too many rows":                        {`"node_row_ptr": [0, 1, 2, 3, 4, 5, 6]`, `"node_row_ptr": [0, 1, 2, 3, 4, 5, 6, 7]`, "MP0343", "[0, 1", "has 8 entries; 6 nodes need 7"},
		"rows that are not the outputs'":       {`"node_row_ptr": [0, 1, 2, 3, 4, 5, 6]`, `"node_row_ptr": [0, 1, 3, 3, 4, 5, 6]`, "MP0343", "3", `has 3 where the outputs of the nodes before "p0" end at 2`},
		"rows that go back":                    {`"node_row_ptr": [0, 1, 2, 3, 4, 5, 6]`, `"node_row_ptr": [0, 1, 2, 3, 4, 5, -6]`, "MP0343", "-6", "before the end end at 6"},
		"a huge number of outputs":             {`"num_outputs": "1", "num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, `"num_outputs": "9223372036854775807", "num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, "MP0343", "{", "has 9223372036854775807 outputs"},
		"another number of inputs":             {`"num_inputs": "2", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, `"num_inputs": "3", "flatten_data": "0", "func_name": "tvmgen_default_fused_c`, "MP0343", `"3"`, "has 2 inputs, but num_inputs is 3"},
		"two arguments of one name":            {`"name": "p0"`, `"name": "image"`, "MP0343", `"image"`, `named "image"`},
		"an argument listed twice":             {`"arg_nodes": [0, 2]`, `"arg_nodes": [0, 2, 0]`, "MP0343", "0", `names "image" twice`},
		"a copy of another size":               {`[1, 2, 8, 8, 4], [1, 2, 8, 8, 4], [`, `[1, 2, 8, 8, 4], [1, 2, 8, 8], [`, "MP0343", "{", "2048 bytes"},
		"a copy of two tensors":                {`"num_inputs": "1", "flatten_data": "0", "func_name": "__copy"},` + "\n" + `      "inputs": [[3, 0, 0]]`, `"num_inputs": "2", "flatten_data": "0", "func_name": "__copy"},` + "\n" + `      "inputs": [[3, 0, 0], [2, 0, 0]]`, "MP0343", "{", "2 inputs and 1 outputs"},
		"an input that does not exist":         {`[[1, 0, 0], [2, 0, 0]]`, `[[1, 0, 0], [77, 0, 0]]`, "MP0344", "[77", "the node 77, and the file has 6"},
		"a negative input":                     {`[[1, 0, 0], [2, 0, 0]]`, `[[1, 0, 0], [-1, 0, 0]]`, "MP0344", "[-1", "the node -1"},
		"an input from further down":           {`[[1, 0, 0], [2, 0, 0]]`, `[[1, 0, 0], [4, 0, 0]]`, "MP0344", "[4", `reads "__copy", which does not stand before it`},
		"an input from itself":                 {`[[1, 0, 0], [2, 0, 0]]`, `[[1, 0, 0], [3, 0, 0]]`, "MP0344", "[3", `reads "tvmgen_default_fused_nn_conv2d_nn_relu", which does not stand before it`},
		"an output that does not exist":        {`[[1, 0, 0], [2, 0, 0]]`, `[[1, 0, 0], [2, 1, 0]]`, "MP0344", "[2, 1", `output 1 of "p0", which has 1`},
		"a head that does not exist":           {`"heads": [[5, 0, 0]]`, `"heads": [[6, 0, 0]]`, "MP0344", "[6", "heads names the node 6"},
		"a negative output as head":            {`"heads": [[5, 0, 0]]`, `"heads": [[5, -1, 0]]`, "MP0344", "[5", "output -1"},
		"an argument that does not exist":      {`"arg_nodes": [0, 2]`, `"arg_nodes": [0, 9]`, "MP0344", "9", "arg_nodes names the node 9"},
		"an argument that is computed":         {`"arg_nodes": [0, 2]`, `"arg_nodes": [0, 1]`, "MP0344", "1", "no argument"},
		"a vector type":                        {`"dltype": ["list_str", ["float32"`, `"dltype": ["list_str", ["float32x4"`, "MP0345", `"float32x4"`, `"image" has the element type "float32x4", a vector`},
		"a type smaller than a byte":           {`"dltype": ["list_str", ["float32"`, `"dltype": ["list_str", ["int4"`, "MP0345", `"int4"`, "not planned"},
		"a type with a slip":                   {`"dltype": ["list_str", ["float32"`, `"dltype": ["list_str", ["flaot32"`, "MP0345", `"flaot32"`, `Did you mean "float32"?`},
		"a scope with a slip":                  {`["", "global.texture-nhwc"`, `["global.textur", "global.texture-nhwc"`, "MP0346", `"global.textur"`, `Did you mean "global.texture"?`},
		"a scope that is not planned":          {`["", "global.texture-nhwc"`, `["global.vtcm", "global.texture-nhwc"`, "MP0346", `"global.vtcm"`, `"image" has the storage scope "global.vtcm"`},
		"a type that is a number, in the list": {`"dltype": ["list_str", ["float32"`, `"dltype": ["list_str", [32`, "MP0342", "32", "must be a string"},
	} {
		t.Run(name, func(t *testing.T) {
			sound := text(t, "texture_copy.json")
			require.Contains(t, sound, c.old)
			changed := strings.Replace(sound, c.old, c.new, 1)
			g, diags := importText(t, changed)
			assert.Nil(t, g)
			require.NotEmpty(t, diags)
			d := diags[0]
			assert.Equal(t, c.id, string(d.ID), d.Detail)
			assert.Contains(t, d.Detail, c.detail)
			require.NotNil(t, d.Subject)
			assert.Equal(t, "net.json", d.Subject.Filename)
			assert.True(t, strings.HasPrefix(changed[d.Subject.Start.Byte:], c.at), "at %q", changed[d.Subject.Start.Byte:min(len(changed), d.Subject.Start.Byte+20)])
			assert.Equal(t, 1+strings.Count(changed[:d.Subject.Start.Byte], "\n"), d.Subject.Start.Line)
		})
	}
}

func TestAGraphThatWasNotCompiledIsCalledSo(t *testing.T) {
	_, diags := importText(t, `{"nodes": [{"op": "null", "name": "data", "inputs": []}, {"op": "Convolution", "name": "conv0", "inputs": [[0, 0, 0]]}],
		"arg_nodes": [0], "heads": [[1, 0, 0]], "attrs": {"mxnet_version": ["int", 10000]}}`)
	require.Len(t, diags, 1)
	assert.Equal(t, "MP0342", string(diags[0].ID))
	assert.Contains(t, diags[0].Detail, `"conv0" is the operator "Convolution"`)
}

func TestFilesThatBreakOffNeverPassAsGraphs(t *testing.T) {
	sound := text(t, "texture_copy.json")
	for end := range len(sound) - 1 {
		g, diags := importText(t, sound[:end])
		require.Nil(t, g)
		require.NotEmpty(t, diags)
		require.Equal(t, "MP0340", string(diags[len(diags)-1].ID))
	}
}

func TestObjectsNestedTooDeepAreRefused(t *testing.T) {
	_, diags := importText(t, strings.Repeat(`{"attrs": `, 40))
	require.NotEmpty(t, diags)
	assert.Equal(t, "MP0340", string(diags[len(diags)-1].ID))
}

func TestLongTextsAreShortenedInMessages(t *testing.T) {
	_, diags := importText(t, strings.Replace(text(t, "texture_copy.json"), `["", "global.texture-nhwc"`, `["`+strings.Repeat("é", 5000)+`", "global.texture-nhwc"`, 1))
	require.Len(t, diags, 1)
	assert.Less(t, len(diags[0].Detail), 500)
}

func TestAllFaultsOfOneKindAreReportedAtOnce(t *testing.T) {
	_, diags := importText(t, strings.Replace(text(t, "texture_copy.json"), `["float32", "float32"`, `["int4", "handle"`, 1))
	require.Len(t, diags, 2)
}

func TestFaultsBeyondAHundredAreCounted(t *testing.T) {
	bad := strings.Repeat(`[0], `, 150)
	_, diags := importText(t, strings.Replace(text(t, "texture_copy.json"), `"heads": [`, `"heads": [`+bad, 1))
	require.Len(t, diags, 101)
	assert.Equal(t, "MP0348", string(diags[100].ID))
	assert.Contains(t, diags[100].Detail, "from here on: 50.")
}

func TestNamesThatRepeatAreKeptApart(t *testing.T) {
	var nodes, shapes, types, rows strings.Builder
	const calls = 2000
	for i := range calls {
		fmt.Fprintf(&nodes, `, {"op": "tvm_op", "name": "same", "attrs": {"func_name": "f", "num_inputs": "1", "num_outputs": "1"}, "inputs": [[%d, 0]]}`, i)
		shapes.WriteString(", [1]")
		types.WriteString(`, "int8"`)
		fmt.Fprintf(&rows, ", %d", i+2)
	}
	g, diags := importText(t, fmt.Sprintf(`{"nodes": [{"op": "null", "name": "same_3", "inputs": []}%s], "arg_nodes": [0], "heads": [[%d, 0]],
		"attrs": {"shape": ["list_shape", [[1]%s]], "dltype": ["list_str", ["int8"%s]]}, "node_row_ptr": [0, 1%s]}`, nodes.String(), calls, shapes.String(), types.String(), rows.String()))
	require.Empty(t, diags)
	require.NoError(t, g.Validate())
	assert.Equal(t, "same_4", g.Tensors[4].Name)
}
