package problemfile_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/layout"
	"github.com/memplan/memplan/planner/layout/problemfile"
)

func read(t *testing.T, text string, pools ...problemfile.Pool) *problemfile.File {
	t.Helper()
	f, ds := problemfile.Read("t.csv", []byte(text), pools)
	require.Empty(t, ds)
	require.NoError(t, f.Problem.Validate())
	return f
}

func TestSpellingsOfCSVMeanTheSame(t *testing.T) {
	want := read(t, "id,lower,upper,size,alignment,hint,offset,gaps\na,0,9,40,8,,,2-4 6-7\nb,3,9,0,,16,32,\n")
	require.Equal(t, []layout.Buffer{
		{Size: 40, Alignment: 8, Live: layout.Span{First: 0, Last: 9}, Gaps: []layout.Gap{{Span: layout.Span{First: 2, Last: 4}, To: 40}, {Span: layout.Span{First: 6, Last: 7}, To: 40}}, Pools: []int{0}},
		{Size: 0, Alignment: 1, Live: layout.Span{First: 3, Last: 9}, Pools: []int{0}, Pinned: true, Offset: 32, Hint: &layout.Place{Offset: 16}},
	}, want.Problem.Buffers)
	for name, text := range map[string]string{
		"columns in any order":         "gaps,offset,hint,size,alignment,upper,lower,id\n2-4 6-7,,,40,8,9,0,a\n,32,16,0,1,9,3,b\n",
		"start and buffer":             "buffer,start,upper,size,alignment,hint,offset,gaps\na,0,9,40,8,-1,-1,6-7 2-4\nb,3,9,0,,16,32,\n",
		"begin and an inclusive end":   "buffer_id,begin,end,size,alignment,hint,offset,gaps\na,0,8,40,8,,,2-3 6-6\nb,3,8,0,,16,32,\n",
		"quotes, spaces, CR, trailing": "\uFEFF\"id\", lower,upper,size,alignment,hint,offset,gaps\r\na,0 ,9,40,8,,,\"2-4  6-7\"\r\nb,3,9,0,,16,32,\r\n\r\n \r\n",
		"compressed":                   "",
	} {
		t.Run(name, func(t *testing.T) {
			if name == "compressed" {
				packed, err := problemfile.Pack(want.Text)
				require.NoError(t, err)
				text = string(packed)
			}
			require.Equal(t, want.Problem, read(t, text).Problem)
		})
	}
}

func TestJSONHasPoolsAndConflicts(t *testing.T) {
	f := read(t, `{"pools": [{"name": "fast", "capacity": 64, "alignment": 4}, {"name": "slow", "capacity": null}],
 "buffers": [{"id": "a", "size": 40, "conflicts": ["b"], "pools": ["slow", "fast"], "hint": 8},
             {"id": "b", "size": 8, "alignment": 2, "pool": "fast", "offset": 4}, {"id": 7, "size": 1, "conflicts": []}]}`)
	require.Equal(t, layout.Problem{
		Pools: []layout.Pool{{Capacity: 64, Alignment: 4}, {Capacity: layout.Unlimited, Alignment: 1}},
		Buffers: []layout.Buffer{
			{Size: 40, Alignment: 1, Pools: []int{1, 0}, Hint: &layout.Place{Pool: 1, Offset: 8}},
			{Size: 8, Alignment: 2, Pools: []int{0}, Pinned: true, Offset: 4},
			{Size: 1, Alignment: 1, Pools: []int{0, 1}},
		},
		Conflicts: [][]int{{1}, nil, nil},
	}, f.Problem)
	require.Equal(t, []string{"a", "b", "7"}, f.IDs)
	lives := read(t, `{"buffers": [{"id": "a", "size": 4, "lower": -2, "upper": 9, "gaps": [[3, 5]]}]}`)
	require.Equal(t, []layout.Buffer{{Size: 4, Alignment: 1, Live: layout.Span{First: -2, Last: 9}, Gaps: []layout.Gap{{Span: layout.Span{First: 3, Last: 5}, To: 4}}, Pools: []int{0}}}, lives.Problem.Buffers)
	require.Equal(t, []string{"memory"}, lives.PoolNames())
}

// TestFaultsAreReportedWhereTheyStand names every id of the reader; a place is line:column.
func TestFaultsAreReportedWhereTheyStand(t *testing.T) {
	const head = "id,lower,upper,size,alignment,offset,gaps\n"
	for _, c := range []struct {
		name, text string
		id         diag.ID
		at         string
	}{
		{"nothing", "", "MP0650", "1:1"},
		{"no header", "a,0,1,2\n", "MP0650", "1:1"},
		{"a column is missing", "id,lower,size\n", "MP0650", "1:1"},
		{"an unknown column", "id,lower,upper,size,aligment\n", "MP0651", "1:21"},
		{"two columns of one meaning", "id,lower,start,upper,size\n", "MP0651", "1:10"},
		{"a field too few", head + "a,0,1,2,,\n", "MP0652", "2:1"},
		{"a blank line between", head + "a,0,1,2,,,\n\nb,0,1,2,,,\n", "MP0652", "3:1"},
		{"no number", head + "a,0,x1,2,,,\n", "MP0653", "2:5"},
		{"a fraction", head + "a,0,1,2.5,,,\n", "MP0653", "2:7"},
		{"an empty size", head + "a,0,1,,,,\n", "MP0653", "2:7"},
		{"too large a number", head + "a,0,1,9223372036854775808,,,\n", "MP0654", "2:7"},
		{"a negative size", head + "a,0,1,-2,,,\n", "MP0654", "2:7"},
		{"an alignment of 0", head + "a,0,1,2,0,,\n", "MP0654", "2:9"},
		{"a negative offset", head + "a,0,1,2,,-2,\n", "MP0654", "2:10"},
		{"an inverted lifetime", head + "a,5,1,2,,,\n", "MP0655", "2:5"},
		{"the same id", head + "a,0,1,2,,,\nb,0,1,2,,,\na,0,1,2,,,\n", "MP0656", "4:1"},
		{"no id", head + ",0,1,2,,,\n", "MP0657", "2:1"},
		{"a quote without end", head + "\"a,0,1,2,,,\n", "MP0657", "2:1"},
		{"half a gap", head + "a,0,9,2,,,2-3 4\n", "MP0658", "2:15"},
		{"a gap beyond the lifetime", head + "a,0,9,2,,,2-3 8-10\n", "MP0658", "2:15"},
		{"a gap without time", head + "a,0,9,2,,,2-2\n", "MP0658", "2:11"},
		{"gaps that overlap", head + "a,0,9,2,,,2-5 4-6\n", "MP0658", "2:11"},
		{"more gaps than a buffer can have", head + "a,0,9999,2,,," + manyGaps(1025) + "\n", "MP0658", "2:14"},
		{"a window without an end", head + "a,0,9,2,,,2-3 4-5@0\n", "MP0658", "2:15"},
		{"a window of no bytes", head + "a,0,9,2,,,2-3 4-5@1:1\n", "MP0658", "2:15"},
		{"a window beyond the buffer", head + "a,0,9,2,,,2-3 4-5@0:3\n", "MP0658", "2:15"},
		{"a window before a gap", head + "a,0,9,2,,,@0:1\n", "MP0658", "2:11"},
		{"sizes beyond 2^63", head + "a,0,1,9223372036854775807,,,\nb,0,1,1,,,\n", "MP0664", "3:1"},
		{"an alignment beyond 2^63", head + "a,0,1,2,9223372036854775807,9223372036854775807,\n", "MP0664", "2:1"},
		{"damaged compression", "\x1f\x8bxx", "MP0666", "1:1"},

		{"JSON that breaks off", "{\n \"buffers\": [", "MP0660", "2:14"},
		{"JSON with a stray comma", "{\n \"buffers\": [1,,2]}", "MP0660", "2:16"},
		{"text behind the object", "{\"buffers\": []} x", "MP0660", "1:17"},
		{"a size in words", "{\"buffers\": [{\"id\": \"a\", \"size\": \"4\", \"lower\": 0, \"upper\": 1}]}", "MP0660", "1:34"},
		{"an unknown member", "{\"buffers\": [{\"id\": \"a\", \"size\": 4, \"lower\": 0, \"uper\": 1}]}", "MP0661", "1:49"},
		{"no list of buffers", "{\"pools\": []}", "MP0661", "1:1"},
		{"a buffer without size", "{\"buffers\": [{\"id\": \"a\", \"lower\": 0, \"upper\": 1}]}", "MP0661", "1:14"},
		{"a buffer without lifetime", "{\"buffers\": [{\"id\": \"a\", \"size\": 0}]}", "MP0661", "1:14"},
		{"lifetimes beside conflicts", "{\"buffers\": [{\"id\": \"a\", \"size\": 0, \"conflicts\": []}, {\"id\": \"b\", \"size\": 0, \"lower\": 1}]}", "MP0661", "1:87"},
		{"an unknown pool", "{\"buffers\": [{\"id\": \"a\", \"size\": 4, \"lower\": 0, \"upper\": 1, \"pools\": [\"sram\"]}]}", "MP0662", "1:71"},
		{"an unknown conflict", "{\"buffers\": [{\"id\": \"a\", \"size\": 4, \"conflicts\": [\"b\"]}]}", "MP0662", "1:51"},
		{"a conflict with itself", "{\"buffers\": [{\"id\": \"a\", \"size\": 4, \"conflicts\": [\"a\"]}]}", "MP0662", "1:51"},
		{"two pools of one name", "{\"pools\": [{\"name\": \"p\"}, {\"name\": \"p\"}], \"buffers\": []}", "MP0656", "1:36"},
		{"a member twice", "{\"buffers\": [], \"buffers\": []}", "MP0656", "1:17"},
		{"nesting without end", "{\"buffers\": " + strings.Repeat("[", 1000), "MP0660", "1:29"},
		{"bytes that are no text", "{\"buffers\": [\"\xff\"]}", "MP0657", "1:15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, ds := problemfile.Read("t.csv", []byte(c.text), nil)
			require.Len(t, ds, 1, "%v", ds)
			require.Equal(t, c.id, ds[0].ID, ds[0].Detail)
			at := ds[0].Subject
			require.Equal(t, "t.csv", at.Filename)
			require.Equal(t, c.at, fmt.Sprintf("%d:%d", at.Start.Line, at.Start.Column), ds[0].Detail)
		})
	}
}

func TestManyFaultsAreCounted(t *testing.T) {
	_, ds := problemfile.Read("t.csv", []byte("id,lower,upper,size\n"+strings.Repeat("a,0,1,x\n", 150)), nil)
	require.Len(t, ds, 101)
	require.Equal(t, diag.ID("MP0665"), ds[100].ID)
}

func TestPoolsOfTheCommandLine(t *testing.T) {
	pools, ds := problemfile.DeclarePools("sram,dram", []problemfile.PoolOption{
		{Name: "size-hint-bytes", Text: "sram:1024"}, {Name: "alignment", Text: "sram:16,dram:32"}, {Name: "size-hint-bytes", Text: "dram:-1"},
	})
	require.Empty(t, ds)
	require.Equal(t, []problemfile.Pool{{Name: "sram", Pool: layout.Pool{Capacity: 1024, Alignment: 16}}, {Name: "dram", Pool: layout.Pool{Capacity: layout.Unlimited, Alignment: 32}}}, pools)
	for name, option := range map[string]problemfile.PoolOption{
		"an undeclared pool": {Name: "size-hint-bytes", Text: "dam:4"},
		"no value":           {Name: "size-hint-bytes", Text: "sram"},
		"no number":          {Name: "size-hint-bytes", Text: "sram:4k"},
		"too small a size":   {Name: "size-hint-bytes", Text: "sram:-2"},
		"an alignment of 0":  {Name: "alignment", Text: "sram:0"},
	} {
		t.Run(name, func(t *testing.T) {
			_, ds := problemfile.DeclarePools("sram,dram", []problemfile.PoolOption{option})
			require.Len(t, ds, 1)
			require.Equal(t, diag.ID("MP0663"), ds[0].ID)
		})
	}
	_, ds = problemfile.DeclarePools("a,a", nil)
	require.Equal(t, diag.ID("MP0656"), ds[0].ID)
	_, ds = problemfile.Read("t.csv", []byte("id,lower,upper,size,pool\na,0,1,2,sam\n"), pools)
	require.Equal(t, diag.ID("MP0662"), ds[0].ID)
	require.Contains(t, ds[0].Detail, `Did you mean "sram"?`)
}

func TestRowsAreWrittenAsTheyWereRead(t *testing.T) {
	places := &layout.Result{Places: []layout.Place{{Offset: 8}, {Pool: layout.Unplaced}}}
	for _, c := range []struct{ name, in, out string }{
		{"behind the other columns", "size,id,upper,lower\n4,a,1,0\n 5 ,\"b\",1,0\n", "size,id,upper,lower,offset\n4,a,1,0,8\n 5 ,\"b\",1,0,\n"},
		{"in its place", "offset,size,id,upper,lower\r\n,4,a,1,0\r\n-1,5,b,1,0", "offset,size,id,upper,lower\r\n8,4,a,1,0\r\n,5,b,1,0\r\n"},
		{"with the pool", "id,lower,upper,size,pool\na,0,1,4,p q\nb,0,1,5,\n", "id,lower,upper,size,pool,offset\na,0,1,4,p q,8\nb,0,1,5,,\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var out bytes.Buffer
			require.NoError(t, read(t, c.in).Write(&out, problemfile.CSV, places))
			require.Equal(t, c.out, out.String())
		})
	}
}

func TestWhatIsWrittenReadsAsThePlacement(t *testing.T) {
	f := read(t, `{"pools": [{"name": "a,b", "capacity": 64}, {"name": "c"}], "buffers": [{"id": "x", "size": 4, "lower": -5, "upper": 9, "gaps": [[-4, -2], [0, 1, 1, 3], [1, 2, 0, 1], [2, 3, 3, 4]]}, {"id": "y", "size": 4, "lower": 1, "upper": 9}]}`)
	places := &layout.Result{Places: []layout.Place{{Pool: 1, Offset: 8}, {Pool: 0, Offset: 4}}}
	for _, form := range []problemfile.Format{problemfile.CSV, problemfile.JSON} {
		var out bytes.Buffer
		require.NoError(t, f.Write(&out, form, places))
		again := read(t, out.String(), f.Pools...)
		require.Equal(t, f.IDs, again.IDs)
		for i, b := range again.Problem.Buffers {
			require.Equal(t, places.Places[i], layout.Place{Pool: b.Pools[0], Offset: b.Offset})
			require.Equal(t, f.Problem.Buffers[i].Live, b.Live)
			require.Equal(t, f.Problem.Buffers[i].Gaps, b.Gaps)
		}
	}
}

func TestWhatCSVCannotHoldIsNotWrittenAsCSV(t *testing.T) {
	places := &layout.Result{Places: make([]layout.Place, 2)}
	for _, c := range []struct{ name, in, why string }{
		{"conflicts", `{"buffers": [{"id": "x", "size": 4, "conflicts": ["y"]}, {"id": "y", "size": 4}]}`, "explicit conflicts"},
		{"an id of two lines", `{"buffers": [{"id": "x", "size": 4, "lower": 0, "upper": 1}, {"id": "y\n1", "size": 4, "lower": 0, "upper": 1}]}`, `"y\n1"`},
		{"a pool of two lines", `{"pools": [{"name": "p\n1"}], "buffers": [{"id": "x", "size": 4, "lower": 0, "upper": 1}, {"id": "y", "size": 4, "lower": 0, "upper": 1}]}`, `"p\n1"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := read(t, c.in)
			var out bytes.Buffer
			err := f.Write(&out, problemfile.CSV, places)
			require.ErrorContains(t, err, "MP0671")
			require.ErrorContains(t, err, c.why)
			require.Empty(t, out.String())
			require.NoError(t, f.Write(&out, problemfile.JSON, places))
			require.Equal(t, f.IDs, read(t, out.String()).IDs)
		})
	}
}

func FuzzRead(f *testing.F) {
	for _, seed := range []string{
		"id,lower,upper,size\na,0,3,4\n", "buffer,start,end,size,alignment,hint,offset,gaps,pool\n\"a\"\"b\",0,3,4,8,-1,8,1-2 -3--2,p\n",
		`{"pools":[{"name":"p","capacity":4,"alignment":2}],"buffers":[{"id":"a","size":4,"lower":0,"upper":3,"gaps":[[1,2]],"offset":0}]}`,
		`{"buffers":[{"id":"a","size":4,"conflicts":["b"]},{"id":"b","size":1}]}`, "\x1f\x8b\x08", "id,lower,upper,size,gaps\na,0,9,1,1-2@3:4\n",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		file, ds := problemfile.Read("t.csv", content, nil)
		if ds.HasErrors() {
			return
		}
		if err := file.Problem.Validate(); err != nil {
			t.Fatalf("read without a fault, but %v", err)
		}
		r := &layout.Result{Places: make([]layout.Place, len(file.IDs))}
		for i := range r.Places {
			r.Places[i].Pool = file.Problem.Buffers[i].Pools[0]
		}
		var out bytes.Buffer
		if err := file.Write(&out, file.Format, r); err != nil {
			t.Fatal(err)
		}
		if again, ds := problemfile.Read("t.csv", out.Bytes(), file.Pools); ds.HasErrors() || len(again.IDs) != len(file.IDs) {
			t.Fatalf("%q was written as %q, which is not read: %v", content, out.Bytes(), ds)
		}
	})
}

// manyGaps is n gaps of a step each.
func manyGaps(n int) string {
	words := make([]string, n)
	for i := range words {
		words[i] = fmt.Sprintf("%d-%d", 2*i, 2*i+1)
	}
	return strings.Join(words, " ")
}
