package intervals_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/intervals"
	"github.com/memplan/memplan/planner/graph/source"
)

func read(content string) (*graph.Graph, diag.Diagnostics) {
	return intervals.Import(source.FromBytes("dir/t.csv", []byte(content)))
}

func TestRowsBecomeTensors(t *testing.T) {
	tests := map[string]string{
		"our own spelling":              "id,lower,upper,size,alignment,pool\na,0,3,40,8,fast\nb,3,9,0,,\n",
		"columns in any order":          "size,pool,id,upper,alignment,lower\n40,fast,a,3,8,0\n0,,b,9,,3\n",
		"start and buffer":              "buffer,start,upper,size,alignment,pool\na,0,3,40,8,fast\nb,3,9,0,,\n",
		"begin and an inclusive end":    "buffer_id,begin,end,size,alignment,pool\na,0,2,40,8,fast\nb,3,8,0,,\n",
		"carriage returns and spaces":   "\uFEFFid, lower ,upper,size,alignment,pool\r\n a,0, 3 ,40,\t8,fast\r\nb,3,9,0,,\r\n\r\n  \r\n",
		"quotes, and no last line feed": "\"id\",lower,upper,size,alignment,pool\n\"a\" ,\"0\",3,40,8,\"fast\"\nb,3,9,0,,\"\"",
	}
	for name, content := range tests {
		t.Run(name, func(t *testing.T) {
			g, diags := read(content)
			require.Empty(t, diags)
			require.NoError(t, g.Validate())
			assert.Equal(t, "t", g.Name)
			assert.Equal(t, "intervals", g.Format)
			assert.Equal(t, []graph.Tensor{
				{Name: "a", Role: graph.Activation, DType: graph.Uint8, Shape: graph.Shape{40}, Given: &graph.Given{Last: 3, Alignment: 8, Pool: "fast"}},
				{Name: "b", Role: graph.Activation, DType: graph.Uint8, Shape: graph.Shape{0}, Given: &graph.Given{First: 3, Last: 9}},
			}, g.Tensors)
		})
	}
}

func TestQuotedIdsMayHoldCommasAndQuotes(t *testing.T) {
	g, diags := read("id,lower,upper,size\n\"a,\"\"b\"\"\",0,1,2\n")
	require.Empty(t, diags)
	assert.Equal(t, `a,"b"`, g.Tensors[0].Name)
}

func TestBenchmarkFilesAreRead(t *testing.T) {
	tests := []struct {
		file        string
		buffers     int
		bound, time int64
	}{
		{"A.1048576.csv", 154, 1_048_576, 995_328},
		{"input.12.csv", 5, 12, 3},
		{"mobilenet_v2.6021120.csv", 65, 6_021_120, 0},
	}
	for _, test := range tests {
		t.Run(test.file, func(t *testing.T) {
			f, err := source.Open(os.DirFS("testdata"), test.file)
			require.NoError(t, err)
			g, diags := intervals.Import(f)
			require.NoError(t, f.Close())
			require.Empty(t, diags)
			assert.Len(t, g.Tensors, test.buffers)
			assert.Equal(t, test.bound, mostLive(g))
		})
	}
}

// mostLive is the largest sum of live bytes, by definition.
func mostLive(g *graph.Graph) int64 {
	var most int64
	for _, at := range g.Tensors {
		var live int64
		for _, other := range g.Tensors {
			if other.Given.First <= at.Given.First && at.Given.First < other.Given.Last {
				live += other.Shape[0]
			}
		}
		most = max(most, live)
	}
	return most
}

func TestFaultsHaveTheirPlace(t *testing.T) {
	const header = "id,lower,upper,size\n"
	tests := map[string]struct {
		content string
		id      diag.ID
		// at is line:column-column of the subject.
		at, want string
	}{
		"an empty file":                  {"", "MP0390", "1:1-1", "dir/t.csv is empty"},
		"a blank line before the header": {"\n" + header, "MP0390", "1:1-1", "names none of them"},
		"a missing column":               {"id,lower,size\n", "MP0390", "1:1-14", `lacks "upper"`},
		"no header":                      {"a,0,1,4\n", "MP0390", "1:1-8", "names none of them"},
		"a misspelt column":              {"id,lower,uper,size\n", "MP0391", "1:10-14", `Did you mean "upper"?`},
		"a column twice":                 {"id,lower,upper,size,size\n", "MP0391", "1:21-25", `Column "size" means the same as column "size"`},
		"a synonym twice":                {"id,lower,upper,end,size\n", "MP0391", "1:16-19", `Column "end" means the same as column "upper"`},
		"a hint column":                  {"id,lower,upper,size,hint\n", "MP0392", "1:21-25", "memplan solve"},
		"an offset column":               {"id,offset,lower,upper,size\n", "MP0392", "1:4-10", `Column "offset"`},
		"a gaps column":                  {"id,lower,upper,size,gaps\n", "MP0392", "1:21-25", `Column "gaps"`},
		"a field too few":                {header + "a,0,1\n", "MP0393", "2:1-6", "This row has 3 fields, but the header names 4 columns."},
		"a field too many":               {header + "a,0,1,4,5\n", "MP0393", "2:1-10", "This row has 5 fields"},
		"a blank line":                   {header + "a,0,1,4\n\nb,0,1,4\n", "MP0393", "3:1-1", "Line 3 is blank"},
		"blank lines":                    {header + " \n\n\nb,0,1,4\n", "MP0393", "2:1-1", "3 lines from line 2 on are blank"},
		"a word for a number":            {header + "a,0,1,four\n", "MP0394", "2:7-11", `The size "four" is not a whole number.`},
		"a fraction":                     {header + "a,0,1.5,4\n", "MP0394", "2:5-8", `The upper "1.5" is not a whole number.`},
		"a size with a unit":             {header + "a,0,1,4KiB\n", "MP0394", "2:7-11", `The size "4KiB"`},
		"an empty number":                {header + "a,,1,4\n", "MP0394", "2:3-3", `The lower ""`},
		"a reversed lifetime":            {header + "ä,5,3,4\n", "MP0395", "2:5-6", "The lifetime from 5 to 3 holds no time."},
		"an empty lifetime":              {header + "a,3,3,4\n", "MP0395", "2:5-6", "The lifetime from 3 to 3 holds no time."},
		"an inclusive lifetime reversed": {"id,lower,end,size\na,3,2,4\n", "MP0395", "2:5-6", "The lifetime from 3 to 2 holds no time."},
		"a negative size":                {header + "a,0,1,-4\n", "MP0396", "2:7-9", `Buffer "a" has a size of -4 bytes.`},
		"a huge size":                    {header + "a,0,1,9223372036854775808\n", "MP0396", "2:7-26", "does not fit into 64 bits"},
		"a last time at the limit":       {"id,lower,end,size\na,0,9223372036854775807,4\n", "MP0396", "2:5-24", "leaves no room"},
		"a lifetime over everything":     {header + "a,-5,9223372036854775807,4\n", "MP0396", "2:6-25", "is longer than 2^63-1"},
		"an alignment of zero":           {"id,lower,upper,size,alignment\na,0,1,4,0\n", "MP0396", "2:9-10", `Buffer "a" has an alignment of 0.`},
		"a negative alignment":           {"id,lower,upper,size,alignment\na,0,1,4,-8\n", "MP0396", "2:9-11", `Buffer "a" has an alignment of -8.`},
		"an id twice":                    {header + "a,0,1,4\nb,0,1,4\na,0,1,4\n", "MP0397", "4:1-2", `Buffer "a" stands in line 2 already.`},
		"an empty id":                    {header + ",0,1,4\n", "MP0398", "2:1-1", "The id of this row is empty"},
		"an id that is not UTF-8":        {header + "\xff,0,1,4\n", "MP0398", "2:1-2", "not UTF-8"},
		"a pool that is not UTF-8":       {"id,lower,upper,size,pool\na,0,1,4,\xff\n", "MP0398", "2:9-10", `The pool of buffer "a"`},
		"an open quote":                  {header + "\"a,0,1,4\n", "MP0398", "2:1-9", "opening double quote"},
		"text behind a quote":            {header + "\"a\"b,0,1,4\n", "MP0398", "2:1-11", "opening double quote"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			g, diags := read(test.content)
			require.Nil(t, g)
			require.Len(t, diags, 1, "%v", diags)
			d := diags[0]
			assert.Equal(t, test.id, d.ID)
			assert.Contains(t, d.Detail, test.want)
			require.NotNil(t, d.Subject)
			assert.Equal(t, "dir/t.csv", d.Subject.Filename)
			at := fmt.Sprintf("%d:%d-%d", d.Subject.Start.Line, d.Subject.Start.Column, d.Subject.End.Column)
			assert.Equal(t, test.at, at)
		})
	}
}

func TestEveryFaultIsFound(t *testing.T) {
	_, diags := read("id,lower,upper,size\na,x,1,y\nb,2,1,-1\n")
	assert.Len(t, diags, 4)
}

func TestManyFaultsAreCounted(t *testing.T) {
	_, diags := read("id,lower,upper,size\n" + strings.Repeat("a,0,1\n", 250))
	require.Len(t, diags, 101)
	last := diags[100]
	assert.Equal(t, diag.ID("MP0399"), last.ID)
	assert.Contains(t, last.Detail, "from here on: 150.")
	assert.Equal(t, 102, last.Subject.Start.Line)
}

func TestAnyTableIsReadAsWritten(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) graph.Given {
			first := rapid.Int64Range(-1000, 1000).Draw(t, "first")
			return graph.Given{
				First: first, Last: first + rapid.Int64Range(1, 1000).Draw(t, "duration"),
				Alignment: rapid.Int64Range(0, 64).Draw(t, "alignment"), Pool: rapid.StringMatching("[a-z]{0,3}").Draw(t, "pool"),
			}
		}), 0, 3000).Draw(t, "rows")
		var csv strings.Builder
		csv.WriteString("pool,id,lower,end,size,alignment\n")
		for i, g := range want {
			fmt.Fprintf(&csv, "%s,t%d,%d,%d,%d,", g.Pool, i, g.First, g.Last-1, i)
			if g.Alignment > 0 {
				fmt.Fprint(&csv, g.Alignment)
			}
			csv.WriteString("\n")
		}
		g, diags := read(csv.String())
		require.Empty(t, diags)
		require.Len(t, g.Tensors, len(want))
		for i, tensor := range g.Tensors {
			require.Equal(t, want[i], *tensor.Given)
			require.Equal(t, graph.Shape{int64(i)}, tensor.Shape)
		}
	})
}

func FuzzImport(f *testing.F) {
	f.Add([]byte("id,lower,upper,size\na,0,1,4\n"))
	f.Add([]byte("buffer,start,end,size,alignment,pool\n\"a\",0,1,4,,x\r\n\n"))
	f.Add([]byte("id,lower,upper,size\n\"a\"\"b,0\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		g, diags := intervals.Import(source.FromBytes("t.csv", content))
		if (g == nil) != diags.HasErrors() {
			t.Fatalf("graph %v, diagnostics %v", g, diags)
		}
		for _, d := range diags {
			if d.Subject == nil || d.Subject.End.Byte > len(content) || d.Subject.Start.Byte > d.Subject.End.Byte {
				t.Fatalf("%v has the range %v", d, d.Subject)
			}
		}
		if g != nil {
			if err := g.Validate(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

func BenchmarkImport(b *testing.B) {
	var csv strings.Builder
	csv.WriteString("id,lower,upper,size\n")
	for i := range 100_000 {
		fmt.Fprintf(&csv, "%d,%d,%d,%d\n", i, i, i+1+i%1000, 64*(i%977))
	}
	content := []byte(csv.String())
	b.SetBytes(int64(len(content)))
	b.ReportAllocs()
	for b.Loop() {
		if _, diags := intervals.Import(source.FromBytes("t.csv", content)); diags != nil {
			b.Fatal(diags)
		}
	}
}
