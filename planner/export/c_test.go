package export_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/planner/export"
	"github.com/memplan/memplan/planner/plan"
	"github.com/memplan/memplan/testdata/needs"
)

// flags are what every generated file has to compile with.
var flags = []string{"-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Werror"}

// compiler is gcc; without it the test cannot run.
func compiler(t *testing.T) string {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		needs.Missing(t, "gcc is not there: apt-get install gcc")
	}
	return gcc
}

func written(t require.TestingT, format string, s *export.Subject, o export.Options) string {
	f, ok := export.Find(format)
	require.True(t, ok)
	var first, second bytes.Buffer
	require.NoError(t, export.Write(&first, f, s, &o))
	require.NoError(t, export.Write(&second, f, s, &o))
	require.Equal(t, first.String(), second.String(), "the same plan gives the same bytes")
	return first.String()
}

func compile(t *testing.T, gcc string, args ...string) string {
	t.Helper()
	binary := filepath.Join(t.TempDir(), "program")
	out, err := exec.Command(gcc, append(append(append([]string{}, flags...), "-o", binary), args...)...).CombinedOutput()
	require.NoError(t, err, string(out))
	return binary
}

func put(t *testing.T, dir, name, content string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	require.NoError(t, os.WriteFile(path, []byte(content), 0o644))
	return path
}

// hostile has names that are no identifiers, that differ in case alone, and that would end a comment or a string.
func hostile() *plan.Plan {
	p := hostilePlan(
		"a", "A", "a!", "*/ #error ended", "// x\\", "line\nbreak", `"quoted"`, "??/", "größe", "\x00\x1b[31m", "", "1st", "pool", "x\xffy", "</script><script>alert(1)</script>", "\u202egnp.exe", "=cmd|' /C calc'!A0", "+1", "-1", "@SUM(1)", "\tx", "'quoted'",
	)
	tensors := p.Graphs[0].Tensors
	for i, pool := range []string{"arena-size", "arena_SIZE"} {
		p.Pools = append(p.Pools, plan.Pool{Name: pool, Device: "d", Type: "flat", Alignment: 64, Peak: 64})
		last := &tensors[len(tensors)-1-i]
		last.Pool, last.Offset = pool, new(int64)
	}
	p.Pools = append(p.Pools, plan.Pool{Name: "empty", Device: "d", Type: "flat", Alignment: 64})
	return p
}

// hostilePlan puts tensors of 64 bytes with these names one after the other into one pool.
func hostilePlan(names ...string) *plan.Plan {
	p := &plan.Plan{
		FormatVersion: plan.FormatVersion, Settings: map[string]plan.Setting{}, Devices: []plan.Device{{Name: "d", Driver: "none", BaseAlignment: 64}},
		Pools:  []plan.Pool{{Name: "arena", Device: "d", Type: "flat", Alignment: 64, Holds: []string{"activation"}, Peak: int64(64 * len(names)), Bound: int64(64 * len(names)), PeakGraph: "2 */ graph", PeakStep: new(int64), Optimality: "optimal"}},
		Graphs: []plan.Graph{{Name: "2 */ graph", Format: "json", Rewrites: []plan.Rewrite{}, Copies: []plan.Copy{}, Steps: []plan.Step{{Op: "Op", Name: "</title>", Inputs: []string{}, Outputs: names, Fused: []string{}}}}},
	}
	for i, name := range names {
		offset := int64(64 * i)
		p.Graphs[0].Tensors = append(p.Graphs[0].Tensors, plan.Tensor{
			Name: name, Role: "activation", DType: "uint8", Shape: []int64{64}, Scope: "global", Pool: "arena", Storage: int64(i), Offset: &offset, Size: 64, LogicalSize: 64, Alignment: 64, Last: 1,
		})
		p.Storages = append(p.Storages, plan.Storage{ID: int64(i), Pool: "arena", Offset: &offset, Size: 64})
	}
	return p
}

func subjects(t *testing.T) map[string]*export.Subject {
	views := planFile(t, "testdata/views.json")
	two := hostilePlan("x", "y")
	two.Graphs = append(two.Graphs, two.Graphs[0])
	two.Graphs[1].Name = "other"
	caller := hostilePlan("mine", "yours")
	caller.Graphs[0].Tensors[1].Pool, caller.Graphs[0].Tensors[1].Offset = "", nil
	return map[string]*export.Subject{
		"a planned graph":       {Plan: views.plan, Graph: views.name},
		"hostile names":         {Plan: hostile()},
		"two graphs":            {Plan: two},
		"memory of the caller":  {Plan: caller},
		"a graph of no tensors": {Plan: hostilePlan()},
	}
}

func TestHeadersCompileAsC99WithoutAWarning(t *testing.T) {
	gcc := compiler(t)
	for name, s := range subjects(t) {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			header := put(t, dir, "memory.h", written(t, "c-header", s, export.Options{}))
			main := put(t, dir, "main.c", "#include \"memory.h\"\n#include \"memory.h\"\nint main(void) { return 0; }\n")
			other := put(t, dir, "other.c", "#include \"memory.h\"\nint other(void);\nint other(void) { return 1; }\n")
			compile(t, gcc, main, other)
			out, err := exec.Command(gcc, append(append([]string{}, flags...), "-fsyntax-only", "-x", "c", header)...).CombinedOutput()
			require.NoError(t, err, string(out))
		})
	}
}

// The program prints every row of the table as the compiler understood it, and the lookup's distance from the arena.
const arenaProgram = `#define %[1]s_IMPLEMENTATION
#include "memory.h"
#include <stdint.h>
#include <stdio.h>
int main(void) {
  const struct %[2]s_tensor *t;
  %[3]s
  for (t = %[2]s_tensors(); t->name != NULL; t++) {
    unsigned char *at = %[2]s_lookup(t->graph, t->name);
    long from = -1;
    (void)at;
    %[4]s
    printf("%%d %%ld %%ld %%ld\n", t->pool, t->offset == %[1]s_NO_OFFSET ? -1L : (long)t->offset, (long)t->size, from);
  }
  if (%[2]s_lookup(NULL, "no such tensor") != NULL) {
    return 2;
  }
  return 0;
}
`

func TestArenasHaveTheirTensorsWhereThePlanSays(t *testing.T) {
	gcc := compiler(t)
	for name, s := range subjects(t) {
		t.Run(name, func(t *testing.T) {
			text := written(t, "c-arena", s, export.Options{Prefix: "net"})
			dir := t.TempDir()
			put(t, dir, "memory.h", text)
			var aligned, from strings.Builder
			for _, found := range regexp.MustCompile(`extern unsigned char (net_arena_\w+)`).FindAllStringSubmatch(text, -1) {
				fmt.Fprintf(&aligned, "if ((uintptr_t)%s %% 64 != 0) { return 1; }\n  ", found[1])
				fmt.Fprintf(&from, "if (at != NULL && at >= %[1]s && at < %[1]s + sizeof %[1]s) { from = (long)(at - %[1]s); }\n    ", found[1])
			}
			main := put(t, dir, "main.c", fmt.Sprintf(arenaProgram, "NET", "net", aligned.String(), from.String()))
			other := put(t, dir, "other.c", "#include \"memory.h\"\nint other(void);\nint other(void) { return NET_TENSORS; }\n")
			out, err := exec.Command(compile(t, gcc, main, other)).CombinedOutput()
			require.NoError(t, err, string(out))
			require.Equal(t, wantRows(s), string(out))
		})
	}
}

// wantRows is what the program has to print, from the plan alone. Tensors whose names are the same to C, which ends a
// string at its first NUL, are found at the first of them.
func wantRows(s *export.Subject) string {
	var b strings.Builder
	for _, g := range s.Plan.Graphs {
		if s.Graph != "" && g.Name != s.Graph {
			continue
		}
		for _, t := range g.Tensors {
			pool, offset, from := poolIndex(s, t.Pool), int64(-1), int64(-1)
			if t.Offset != nil {
				offset = *t.Offset
				if t.Role != "constant" {
					from = offset
				}
			}
			if word, _, _ := strings.Cut(t.Name, "\x00"); word == "" {
				from = firstUnnamed(g)
			}
			fmt.Fprintf(&b, "%d %d %d %d\n", pool, offset, t.Size, from)
		}
	}
	return b.String()
}

// poolIndex counts the pools with tensors before the named one, -1 for no pool.
func poolIndex(s *export.Subject, name string) int {
	used := map[string]bool{}
	for _, g := range s.Plan.Graphs {
		for _, t := range g.Tensors {
			used[t.Pool] = used[t.Pool] || s.Graph == "" || g.Name == s.Graph
		}
	}
	at := -1
	for _, pool := range s.Plan.Pools {
		if used[pool.Name] {
			at++
		}
		if pool.Name == name {
			return at
		}
	}
	return -1
}

func firstUnnamed(g plan.Graph) int64 {
	for _, t := range g.Tensors {
		if word, _, _ := strings.Cut(t.Name, "\x00"); word == "" {
			return *t.Offset
		}
	}
	return -1
}

var macro = regexp.MustCompile(`(?m)^#define (\w+)`)

func TestAnyNamesGiveMacrosOfTheirOwn(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.SliceOfNDistinct(rapid.OneOf(rapid.String(), rapid.StringMatching(`[aA_0/]{0,4}(_SIZE|_OFFSET|_2)?`)), 0, 12, rapid.ID[string]).Draw(t, "names")
		text := written(t, "c-header", &export.Subject{Plan: hostilePlan(names...)}, export.Options{Prefix: rapid.String().Draw(t, "prefix")})
		seen := map[string]bool{}
		for _, found := range macro.FindAllStringSubmatch(text, -1) {
			require.False(t, seen[found[1]], found[1])
			require.Regexp(t, `^[A-Z][A-Z0-9_]*$`, found[1])
			seen[found[1]] = true
		}
		for i := range len(text) {
			require.True(t, text[i] == '\n' || text[i] >= ' ' && text[i] <= '~', "byte %d is %q", i, text[i])
		}
	})
}

func TestANameInCStaysWhereverItsTensorStands(t *testing.T) {
	long := strings.Repeat("model/block/", 20)
	names := []string{"a/b", "a b", "plain", long + "conv;" + long + "bias", long + "conv"}
	want := map[string]string{
		"a/b": "A_B_C14CDDC0", "a b": "A_B_C8687A08", "plain": "PLAIN",
		long + "conv;" + long + "bias": "MODEL_BLOCK_MODEL_BLOCK_BIAS_84BB9E18", long + "conv": "MODEL_BLOCK_MODEL_BLOCK_CONV_65D78363",
	}
	for range 2 {
		text := written(t, "c-header", &export.Subject{Plan: hostilePlan(names...)}, export.Options{Prefix: "net"})
		found := regexp.MustCompile(`(?m)^#define (NET_TENSOR_(\w+)_POOL) .*/\* (.*) \*/$`).FindAllStringSubmatch(text, -1)
		require.Len(t, found, len(names))
		for _, f := range found {
			require.LessOrEqual(t, len(f[1])+len("OFFSET")-len("POOL"), 63, "what C99 promises to tell apart")
			require.Equal(t, want[f[3]], f[2])
		}
		slices.Reverse(names)
	}
}

func TestTheHeaderOfOneGraphNamesNoOther(t *testing.T) {
	p := hostilePlan("x")
	p.Graphs = append(p.Graphs, p.Graphs[0])
	p.Graphs[1].Name = "other"
	assert.Contains(t, written(t, "c-header", &export.Subject{Plan: p}, export.Options{}), "#define MEMPLAN_TENSOR_OTHER_X_OFFSET 0u")
	one := written(t, "c-header", &export.Subject{Plan: p, Graph: "other"}, export.Options{})
	assert.Contains(t, one, "#define OTHER_TENSORS 1\n")
	assert.NotContains(t, one, "2 *")
}
