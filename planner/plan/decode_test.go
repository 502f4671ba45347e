package plan_test

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/plan"
)

func encoded(t testing.TB, p *plan.Plan) string {
	t.Helper()
	data, err := plan.Encode(p)
	require.NoError(t, err)
	return string(data)
}

func TestDecodeReadsWhatEncodeWrote(t *testing.T) {
	text := encoded(t, chain())
	p, ds := plan.Decode([]byte(text))
	require.Empty(t, ds)
	require.Equal(t, text, encoded(t, p))
}

func TestAPoolSaysOnlyWhenItHoldsImagesOverItsBytes(t *testing.T) {
	p := chain()
	require.NotContains(t, encoded(t, p), `"images"`)
	p.Pools[0].Images = true
	text := encoded(t, p)
	require.Equal(t, 1, strings.Count(text, `"images": true`))
	read, ds := plan.Decode([]byte(text))
	require.Empty(t, ds)
	require.True(t, read.Pools[0].Images)
}

func TestAGraphSaysWhatItsScopesCostOnlyWhereThereIsAChoice(t *testing.T) {
	p := chain()
	require.NotContains(t, encoded(t, p), `"scopes"`)
	p.Graphs[0].Scopes = &plan.Scopes{Policy: "mincopy", CopiedBytes: 128, Exact: true}
	text := encoded(t, p)
	read, ds := plan.Decode([]byte(text))
	require.Empty(t, ds)
	require.Equal(t, p.Graphs[0].Scopes, read.Graphs[0].Scopes)
	_, ds = plan.Decode([]byte(strings.Replace(text, `"copied_bytes": 128`, `"copied_bytes": -1`, 1)))
	require.Len(t, ds, 1)
	require.Contains(t, ds[0].Detail, "a negative number of bytes")
}

func TestDecodeReadsAnyWhiteSpace(t *testing.T) {
	var generic map[string]any
	text := encoded(t, chain())
	require.NoError(t, json.Unmarshal([]byte(text), &generic))
	compact, err := json.Marshal(generic)
	require.NoError(t, err)
	p, ds := plan.Decode(compact)
	require.Empty(t, ds)
	require.Equal(t, text, encoded(t, p))
}

// Each case replaces the first text by the second in a good plan and says what is reported, and on which text.
func TestDecodeReportsEachFault(t *testing.T) {
	for name, c := range map[string]struct{ old, new, want, at string }{
		"text cut off":                     {`"steps": [`, `"steps": [}`, "MP0701: not valid JSON", "}"},
		"marks of a merge conflict":        {`  "settings"`, "<<<<<<< ours\n  \"settings\"", "MP0701: merge conflict", "<<<<<<< "},
		"later major version":              {`"format_version": "1.1"`, `"format_version": "2.0"`, "MP0703: format version 2.0", `"2.0"`},
		"version that is none":             {`"format_version": "1.1"`, `"format_version": "one"`, "MP0704: MAJOR.MINOR", `"one"`},
		"version that is a number":         {`"format_version": "1.1"`, `"format_version": 1`, "MP0704: MAJOR.MINOR", "1"},
		"no version":                       {`"format_version": "1.1",`, ``, "MP0702: has no \"format_version\"", "{"},
		"unknown member":                   {`"peak": 192`, `"peek": 192`, "MP0704: pools[0] has a member \"peek\", which format version 1.1 does not know. Did you mean \"peak\"?", `"peek"`},
		"missing member":                   {`"peak": 192,`, ``, "MP0704: pools[0] has no \"peak\"", "{"},
		"repeated member":                  {`"peak": 192`, `"peak": 192, "peak": 1`, "MP0704: pools[0] has \"peak\" twice", `"peak"`},
		"repeated setting":                 {`"planner.views"`, `"planner.algorithm"`, "MP0704: settings has \"planner.algorithm\" twice", `"planner.algorithm"`},
		"key in another case":              {`"peak": 192`, `"Peak": 192`, "MP0704: Did you mean \"peak\"?", `"Peak"`},
		"fraction":                         {`"peak": 192`, `"peak": 192.5`, "MP0704: pools[0].peak is 192.5; it must be a whole number", "192.5"},
		"exponent":                         {`"peak": 192`, `"peak": 1e2`, "MP0704: pools[0].peak is 1e2; it must be a whole number", "1e2"},
		"number beyond 2^63-1":             {`"peak": 192`, `"peak": 9223372036854775808`, "MP0704: it must be a whole number", "9223372036854775808"},
		"text for a number":                {`"peak": 192`, `"peak": "192"`, "MP0704: pools[0].peak is text; it must be a whole number", `"192"`},
		"number for text":                  {`"device": "gpu"`, `"device": 3`, "MP0704: pools[0].device is a number; it must be text", "3"},
		"null for a list":                  {`"copies": []`, `"copies": null`, "MP0704: graphs[0].copies is null; it must be a list", "null"},
		"object for a list":                {`"copies": []`, `"copies": {}`, "MP0704: graphs[0].copies is an object; it must be a list", "{}"},
		"text for a flag":                  {`"implicit": false`, `"implicit": "no"`, "MP0704: it must be true or false", `"no"`},
		"setting that is an object":        {`"value": "auto"`, `"value": {}`, "MP0704: settings.planner.algorithm.value is an object", "{}"},
		"setting that is a list of lists":  {`"value": "auto"`, `"value": [[]]`, "MP0704: settings.planner.algorithm.value is a list", "[[]]"},
		"pool on an unknown device":        {`"device": "gpu"`, `"device": "npu"`, "MP0704: the device \"npu\", which is not in the plan", "{"},
		"pool type unknown":                {`"type": "flat"`, `"type": "round"`, "MP0704: has type \"round\"", "{"},
		"images over no bytes":             {`"type": "texture"`, `"images": true, "type": "texture"`, "MP0704: The pool \"weights\" of type \"texture\" has \"images\"", "{"},
		"pool twice":                       {`"name": "weights"`, `"name": "arena"`, "MP0704: pool \"arena\" stands in the plan twice", "{"},
		"negative capacity":                {`"capacity": 1024`, `"capacity": -1`, "MP0704: a negative number of bytes", "{"},
		"storage twice":                    {`"id": 1,`, `"id": 0,`, "MP0704: storage 0 stands in the plan twice", "{"},
		"storage that wraps":               {`"offset": 64,` + "\n      \"pool\": \"arena\",\n      \"size\": 128", `"offset": 9223372036854775807,` + "\n      \"pool\": \"arena\",\n      \"size\": 128", "MP0704: ends beyond 2^63-1 bytes", "{"},
		"tensor in an unknown storage":     {`"storage": 0`, `"storage": 9`, "MP0704: tensor \"x\" uses the storage 9", "{"},
		"tensor in another pool's storage": {`"storage": 0`, `"storage": 2`, "MP0704: its storage 2 is in \"weights\"", "{"},
		"tensor twice":                     {`"name": "h"`, `"name": "x"`, "MP0704: tensor \"x\" stands in the graph \"net\" twice", "{"},
		"lifetime that ends first":         {`"first": 1`, `"first": 5`, "MP0704: no half-open span of steps", "{"},
		"negative shape":                   {`"shape": [1, 32]`, `"shape": [1, -32]`, "MP0704: tensor \"h\" has -32 elements on axis 1", "{"},
		"view of nothing":                  {`"view_of": "h"`, `"view_of": "q"`, "MP0704: shares the bytes of \"q\"", "{"},
		"step out of order":                {`"step": 1`, `"step": 2`, "MP0704: steps count from 0 without gaps", "{"},
		"step that reads nothing known":    {`"inputs": ["h"]`, `"inputs": ["q"]`, "MP0704: names the tensor \"q\"", "{"},
	} {
		t.Run(name, func(t *testing.T) {
			good := encoded(t, chain())
			require.Contains(t, good, c.old)
			bad := strings.Replace(good, c.old, c.new, 1)
			p, ds := plan.DecodeFile("x.lock.json", []byte(bad))
			require.Nil(t, p)
			require.NotEmpty(t, ds)
			id, text, _ := strings.Cut(c.want, ": ")
			require.Equal(t, id, string(ds[0].ID))
			require.Contains(t, ds[0].Detail, text)
			require.Equal(t, "x.lock.json", ds[0].Subject.Filename)
			require.Truef(t, strings.HasPrefix(bad[ds[0].Subject.Start.Byte:], c.at), "subject starts at %.20q", bad[ds[0].Subject.Start.Byte:])
		})
	}
}

func TestDecodeReportsAllFaultsUpToALimit(t *testing.T) {
	bad := strings.ReplaceAll(encoded(t, chain()), `"size"`, `"sise"`)
	_, ds := plan.Decode([]byte(bad))
	require.Len(t, ds, 14) // 7 objects, each with one member unknown and one missing
	many := `{"config_digest": "", "format_version": "1.0", "pools": [` + strings.Repeat("1,", 100) + `1]}`
	_, ds = plan.Decode([]byte(many))
	require.Len(t, ds, 21)
	require.Contains(t, ds[20].Detail, "more faults")
}

func TestDecodeAcceptsNewMembersOfALaterMinorVersionOnly(t *testing.T) {
	later := strings.Replace(encoded(t, chain()), `"format_version": "1.1"`, `"format_version": "1.7", "mood": {"good": [true]}`, 1)
	p, ds := plan.Decode([]byte(later))
	require.Empty(t, ds)
	require.Equal(t, "1.7", p.FormatVersion)
	_, ds = plan.Decode([]byte(strings.Replace(later, "1.7", "1.1", 1)))
	require.True(t, ds.HasErrors())
}

func TestDecodeRefusesWhatIsNoObject(t *testing.T) {
	for text, id := range map[string]string{"": "MP0701", "[]": "MP0702", "3": "MP0702", "null": "MP0702", "{}": "MP0702", `{"tensors": []}`: "MP0702", strings.Repeat("[", 20000): "MP0701"} {
		_, ds := plan.Decode([]byte(text))
		require.Lenf(t, ds, 1, "%.20s", text)
		require.Equalf(t, id, string(ds[0].ID), "%.20s", text)
	}
}

func TestTheHeadIsReadByExactNames(t *testing.T) {
	for _, c := range []struct{ name, text, id, detail, at string }{
		{"another case is another member", `{"FORMAT_VERSION":"1.0","config_digest":"x"}`, "MP0702", `has no "format_version"`, "{"},
		{"both members in another case", `{"Format_Version":"1.0","Config_Digest":"x"}`, "MP0702", `has no "format_version"`, "{"},
		{"an escaped name is the same member", `{"\u0066ormat_version":"3.0","config_digest":"x"}`, "MP0703", "format version 3.0", `"3.0"`},
		{"escapes in the version are read", `{"format_version":"3\u002e0","config_digest":"x"}`, "MP0703", "format version 3.0", `"3\u002e0"`},
		{"the name as an earlier value", `{"a":"format_version","format_version":"3.0","config_digest":"x"}`, "MP0703", "format version 3.0", `"3.0"`},
		{"the first of two versions decides", `{"format_version":"3.0","format_version":"1.0","config_digest":"x"}`, "MP0703", "format version 3.0", `"3.0"`},
		{"a version that is an object", `{"format_version":{"a":1},"config_digest":"x"}`, "MP0704", "is an object", `{"a"`},
		{"a version that is null", `{"format_version":null,"config_digest":"x"}`, "MP0704", `""`, "null"},
		{"a second value after the object", `{"format_version":"1.0","config_digest":"x"} {}`, "MP0701", "not valid JSON", "{}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan.Sniff([]byte(c.text))
			p, ds := plan.Decode([]byte(c.text))
			require.Nil(t, p)
			require.NotEmpty(t, ds)
			require.Equal(t, c.id, string(ds[0].ID))
			require.Contains(t, ds[0].Detail, c.detail)
			require.Truef(t, strings.HasPrefix(c.text[ds[0].Subject.Start.Byte:], c.at), "subject starts at %.20q", c.text[ds[0].Subject.Start.Byte:])
		})
	}
	require.Equal(t, plan.NotAPlan, plan.Sniff([]byte(`{"CONFIG_DIGEST":"x"}`)))
}

func TestSniffTellsPlansFromOtherJSON(t *testing.T) {
	lock := encoded(t, chain())
	saved, err := plan.EncodeSaved(&plan.Saved{Plan: *chain(), Saved: plan.Provenance{Path: "net.hcl"}})
	require.NoError(t, err)
	require.Equal(t, plan.LockKind, plan.Sniff([]byte(lock)))
	require.Equal(t, plan.SavedKind, plan.Sniff(saved))
	require.Equal(t, plan.LockKind, plan.Sniff([]byte(lock[:len(lock)/2])), "a damaged lock is still a lock")
	require.Equal(t, plan.NotAPlan, plan.Sniff([]byte(`{"format_version": "1.0", "tensors": []}`)))
	require.Equal(t, plan.NotAPlan, plan.Sniff([]byte{0, 1, 2}))
}

func TestSavedPlansRoundTrip(t *testing.T) {
	want := &plan.Saved{Plan: *chain(), Saved: plan.Provenance{Path: "../net.hcl", Lock: "sha256:02", Environment: map[string]string{"batch": "4"}, Arguments: []plan.Argument{{Name: "size", Value: "1KiB"}, {File: "../a.hcl"}}, Dims: map[string]int64{"N": 2}, Settings: map[string]string{}}}
	data, err := plan.EncodeSaved(want)
	require.NoError(t, err)
	got, ds := plan.DecodeSaved("p.mpplan", data)
	require.Empty(t, ds)
	require.Equal(t, want.Saved, got.Saved)
	require.Equal(t, encoded(t, &want.Plan), encoded(t, &got.Plan))
	_, ds = plan.DecodeSaved("x", []byte(encoded(t, chain())))
	require.Len(t, ds, 1)
	require.Contains(t, ds[0].Detail, `has no "saved"`)
}

func TestAnyNamesSurviveARoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := chain()
		names := rapid.SliceOfNDistinct(rapid.String(), 4, 4, rapid.ID[string]).Draw(t, "names")
		g := &p.Graphs[0]
		g.Steps, g.Tensors[3].ViewOf = nil, nil
		for i := range g.Tensors {
			g.Tensors[i].Name = names[i]
		}
		data, err := plan.Encode(p)
		if err != nil {
			t.Fatal(err)
		}
		got, ds := plan.Decode(data)
		if len(ds) > 0 {
			t.Fatal(ds)
		}
		for i := range g.Tensors {
			if got.Graphs[0].Tensors[i].Name != names[i] {
				t.Fatalf("%q became %q", names[i], got.Graphs[0].Tensors[i].Name)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	good, err := os.ReadFile("testdata/chain.json")
	require.NoError(f, err)
	f.Add(good)
	f.Add(good[:len(good)/2])
	f.Add([]byte(`{"config_digest": "", "format_version": "1.0", "settings": {"a": {"value": [1, 2.5, null]}}}`))
	f.Add([]byte(`{"config_digest": "", "format_version": "1.9", "more": [[[{}]]]}`))
	f.Add([]byte(`{"FORMAT_VERSION":"1.0","config_digest":"x"}`))
	f.Add([]byte(`{"\u0066ormat_version":"3.0","config_digest":"x"}`))
	f.Add([]byte(`{"format_version":{"format_version":[1]},"config_digest":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		plan.Sniff(data)
		p, ds := plan.Decode(data)
		if p == nil {
			require.NotEmpty(t, ds)
			return
		}
		text := encoded(t, p)
		again, ds := plan.Decode([]byte(text))
		require.Empty(t, ds)
		require.Equal(t, text, encoded(t, again))
	})
}

// TestDecodeReadsFilesOfEarlierMinorVersions reads a file that was written before any member was added: what it leaves out is what
// the additions mean when they are left out.
func TestDecodeReadsFilesOfEarlierMinorVersions(t *testing.T) {
	text, err := os.ReadFile("testdata/chain-1.0.json")
	require.NoError(t, err)
	p, ds := plan.Decode(text)
	require.Empty(t, ds)
	require.Equal(t, "1.0", p.FormatVersion)
	p.FormatVersion = plan.FormatVersion
	require.Equal(t, encoded(t, chain()), encoded(t, p))
	old := chain()
	old.FormatVersion = "1.0"
	require.Equal(t, []string{"the format of plans changed from version 1.0 to " + plan.FormatVersion}, plan.ChangedInputs(old, chain()))
}
