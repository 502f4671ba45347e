package config_test

import (
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/hashicorp/hcl/v2"
	"github.com/stretchr/testify/require"
	"github.com/zclconf/go-cty/cty"
	"pgregory.net/rapid"

	"github.com/memplan/memplan/lang/config"
	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/eval"
	"github.com/memplan/memplan/lang/syntax"
)

// edited is a reader of files that change, with what was parsed before.
type edited struct {
	syntax.Memory
	trees *syntax.Cache
}

func (e edited) Parse(name string, src []byte) (*syntax.File, diag.Diagnostics) {
	return e.trees.Parse(name, src)
}

// interwoven is a configuration whose blocks depend on each other in every way that the language has.
var interwoven = map[string]string{
	"a.memplan.hcl": `variable "n" {
  type    = number
  default = 2
  validation {
    condition     = var.n > 0
    error_message = "n is ${var.n}"
  }
}
variable "secret" {
  default   = "flat"
  sensitive = true
}
locals {
  size  = kib(var.n * 32)
  names = ["x", "y"]
  pool  = pool.arena
  text  = file("t.txt")
}
device "d" {
  base_alignment = 64
  image2d {
    max_width  = 1024
    max_height = 1024
  }
}
device "each" {
  for_each = toset(local.names)
  max_alloc = mib(1)
}
pool "arena" {
  device    = device.d
  size      = local.size
  alignment = device.d.base_alignment * 2
  precondition {
    condition     = local.size >= 1024
    error_message = "too small"
  }
  postcondition {
    condition     = self.peak < self.size
    error_message = "full"
  }
}
pool "next" {
  device    = device.d
  alignment = pool.arena.alignment
  size      = length(local.text) * 1024
}
pool "bank" {
  for_each = toset(local.names)
  device   = device.each[each.key]
  size     = local.size
}
pool "images" {
  device = device.d
  type   = "texture"
  holds  = ["constant"]
}
`,
	"b.memplan.hcl": `scope_rule "r" {
  match {
    op    = ["Conv"]
    graph = "g"
  }
  condition = tensor.bytes > local.size && tensor.shape[0] == var.n
  scope     = "global.texture"
  pools     = [pool.images, module.m.pool]
}
scope_rule "s" {
  match { device = [device.d, "each*"] }
  pools = [local.pool]
}
graph "g" {
  source = "g.json"
  device = device.d
  dims   = { N = var.n }
  dynamic "place" {
    for_each = local.names
    labels   = [place.value]
    content {
      pool   = pool.arena
      offset = place.key * 128
    }
  }
}
run "r" {
  graph = graph.g
  input "x" { random_seed = var.n }
}
module "m" {
  source = "./m"
  device = device.d.name
  size   = local.size
}
module "each" {
  for_each = toset(local.names)
  source   = "./m"
  size     = pool.arena.size
}
check "budget" {
  assert {
    condition     = pool.arena.peak <= pool.arena.size && module.m.pool.bound >= 0
    error_message = "over ${local.size}"
  }
}
output "o" {
  value = { peak = pool.arena.peak, banks = [for k, p in pool.bank : p.size], m = module.each["x"].size }
}
moved {
  from = pool.old
  to   = pool.arena
}
planner {
  algorithm = "greedy"
}
`,
	"m/m.memplan.hcl": `variable "size" {
  type = number
}
variable "device" {
  default = "none"
}
device "inner" {}
pool "inner" {
  device = device.inner
  size   = var.size
}
output "pool" {
  value = pool.inner
}
output "size" {
  value = var.size * 2
}
`,
	"memplan.vars.hcl": "n = 3\n",
	"t.txt":            "abc",
}

// changes replace a text by another, both ways.
var changes = [][2]string{
	{"64", "128"}, {"local.size", "local.pool"}, {"var.n", "var.secret"}, {"device.d", "device.e"}, {"\"d\"", "\"e\""}, {"for_each", "count"},
	{"arena", "arene"}, {"default", "defalt"}, {"pool.arena", "pool.next"}, {"\"x\"", "\"z\""}, {"{", "{ #"}, {"\n", "\n\n"}, {"size ", "sise "},
	{"sensitive = true", "sensitive = false"}, {"output \"pool\"", "output \"pole\""}, {"n = 3", "n = 4"}, {"abc", "abcd"}, {"* 2", "* 4"}, {"\"", ""},
	{"graph = \"g\"", "graph = \"h\""}, {"value", "deprecated = \"x\"\n  value"}, {"device.inner", "inner"}, {"}\n", "}\n# memplan\n"}, {"kib(", "mib("},
}

// editOne changes one file at random.
func editOne(t *rapid.T, files syntax.Memory) {
	name := rapid.SampledFrom(slices.Sorted(maps.Keys(files))).Draw(t, "file")
	text := files[name]
	switch rapid.IntRange(0, 9).Draw(t, "kind") {
	case 0: // a line goes
		lines := strings.SplitAfter(text, "\n")
		at := rapid.IntRange(0, len(lines)-1).Draw(t, "line")
		text = strings.Join(slices.Delete(lines, at, at+1), "")
	case 1: // a block comes again, or elsewhere
		blocks := strings.SplitAfter(text, "\n}\n")
		from, to := rapid.IntRange(0, len(blocks)-1).Draw(t, "from"), rapid.IntRange(0, len(blocks)).Draw(t, "to")
		block := blocks[from]
		if rapid.Bool().Draw(t, "moves") {
			blocks[from] = ""
		}
		text = strings.Join(slices.Insert(blocks, to, block), "")
	case 2:
		text = interwoven[name]
	default:
		change := rapid.SampledFrom(changes).Draw(t, "change")
		if rapid.Bool().Draw(t, "back") {
			change[0], change[1] = change[1], change[0]
		}
		count := strings.Count(text, change[0])
		if count == 0 || change[0] == "" {
			return
		}
		at := 0
		for range rapid.IntRange(0, count-1).Draw(t, "which") {
			at += strings.Index(text[at:], change[0]) + len(change[0])
		}
		text = text[:at] + strings.Replace(text[at:], change[0], change[1], 1)
	}
	if len(text) < 20_000 {
		files[name] = text
	}
}

// portrait writes everything that callers see of a configuration, with the places where it stands.
func portrait(cfg *config.Config, ds diag.Diagnostics) string {
	w := &painter{files: cfg.Files, seen: map[any]bool{}}
	for _, d := range syntax.NowAll(cfg.Files, ds).Sorted() {
		fmt.Fprintf(w, "%s %v %s %v", d.ID, d.Subject, d.Detail, d.Context)
		for _, related := range d.Related {
			fmt.Fprintf(w, " %v %s", related.Range, related.Message)
		}
		w.WriteByte('\n')
	}
	w.value(reflect.ValueOf(cfg))
	if ds.HasErrors() {
		return w.String()
	}
	fmt.Fprintf(w, "\n%s\n%s\n", cfg.Digest(), cfg.Effective())
	finished, more := cfg.Finish(config.Planned{})
	w.value(reflect.ValueOf(finished))
	for _, d := range syntax.NowAll(cfg.Files, more).Sorted() {
		fmt.Fprintf(w, "%s %v %s\n", d.ID, d.Subject, d.Detail)
	}
	return w.String()
}

type painter struct {
	strings.Builder
	files map[string]*hcl.File
	seen  map[any]bool
}

func (w *painter) value(v reflect.Value) {
	if v.CanInterface() {
		switch v := v.Interface().(type) {
		case hcl.Range:
			at, ok := syntax.Now(w.files, v)
			fmt.Fprintf(w, "%s:%v-%v %t", at.Filename, at.Start, at.End, ok)
			return
		case cty.Value:
			w.WriteString(v.GoString())
			return
		case cty.Type:
			w.WriteString(v.GoString())
			return
		case hcl.Expression:
			w.value(reflect.ValueOf(v.Range()))
			return
		case *hcl.File:
			w.Write(v.Bytes)
			return
		}
	}
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			w.WriteString("nil")
			return
		}
		if v.Kind() == reflect.Pointer && w.seen[v.Pointer()] {
			w.WriteString("seen")
			return
		}
		if v.Kind() == reflect.Pointer {
			w.seen[v.Pointer()] = true
		}
		w.value(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if field := v.Type().Field(i); field.IsExported() {
				fmt.Fprintf(w, "\n%s: ", field.Name)
				w.value(v.Field(i))
			}
		}
	case reflect.Slice:
		fmt.Fprintf(w, "[%t", v.IsNil())
		for i := range v.Len() {
			w.WriteByte(' ')
			w.value(v.Index(i))
		}
		w.WriteByte(']')
	case reflect.Map:
		parts := map[string]string{}
		for it := v.MapRange(); it.Next(); {
			inner := &painter{files: w.files, seen: w.seen}
			inner.value(it.Value())
			parts[fmt.Sprint(it.Key())] = inner.String()
		}
		for _, key := range slices.Sorted(maps.Keys(parts)) {
			fmt.Fprintf(w, "\n%s -> %s", key, parts[key])
		}
	case reflect.Func:
		fmt.Fprintf(w, "func %t", v.IsNil())
	default:
		fmt.Fprint(w, v)
	}
}

// What a cache gives depends on the files alone, whatever it has seen before.
func TestACacheGivesWhatLoadingDoes(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		files := edited{maps.Clone(interwoven), &syntax.Cache{}}
		var cache config.Cache
		for range rapid.IntRange(1, 8).Draw(t, "edits") {
			cache.Load(files, ".", eval.VariableSources{})
			editOne(t, files.Memory)
		}
		got := portrait(cache.Load(files, ".", eval.VariableSources{}))
		require.Equal(t, portrait(config.Load(files.Memory, ".", eval.VariableSources{})), got)
	})
}

// The same with the fixtures, which know every fault, line by line and back.
func TestACacheSurvivesEveryFault(t *testing.T) {
	paths, err := filepath.Glob("testdata/*/*.hcl")
	require.NoError(t, err)
	files := edited{syntax.Memory{}, &syntax.Cache{}}
	var cache config.Cache
	for _, path := range slices.Concat(paths, paths) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		if filepath.Base(path) == "large_values.hcl" {
			continue
		}
		lines := strings.SplitAfter(string(text), "\n")
		for _, end := range []int{len(lines), len(lines) / 2, len(lines)} {
			files.Memory["a.hcl"] = strings.Join(lines[:end], "")
			got := portrait(cache.Load(files, "a.hcl", eval.VariableSources{}))
			require.Equal(t, portrait(config.Load(files.Memory, "a.hcl", eval.VariableSources{})), got, "%s", path)
		}
	}
}
