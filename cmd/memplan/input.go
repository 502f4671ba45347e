package main

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/lang/syntax"
	"github.com/memplan/memplan/planner"
	"github.com/memplan/memplan/planner/plan"
)

// inputKind is what a path on the command line leads to.
type inputKind int

const (
	configInput inputKind = iota
	graphInput
	savedInput
	lockInput
)

// input is a path on the command line, recognised by what is there.
type input struct {
	kind inputKind
	path string
	dir  bool
	// plan is the content of a saved plan or a lock, nil for the other kinds.
	plan []byte
}

// The usual ends of the names of plans. A file so named is read as what it promises to be even when its content is
// damaged beyond recognition: that says how.
const (
	lockSuffix  = ".lock.json"
	savedSuffix = ".mpplan"
)

// headBytes is how much of a file is looked at to recognise it.
const headBytes = 512

// recognise looks at a path: a directory or a file *.hcl is a configuration; everything else is told by its content,
// and by its extension where content does not tell.
func recognise(path string) (*input, diag.Diagnostics) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, diag.Diagnostics{unreadable(path, err)}
	case info.IsDir():
		return &input{kind: configInput, path: path, dir: true}, nil
	case !info.Mode().IsRegular():
		return nil, diag.Diagnostics{diag.New(diag.UnknownFileKind, "%q is neither a file nor a directory. Name a configuration, a graph or a plan.", filepath.ToSlash(path))}
	case strings.HasSuffix(path, ".hcl") || strings.HasSuffix(path, syntax.ConfigSuffix+syntax.JSONSuffix):
		return &input{kind: configInput, path: path}, nil
	}
	if strings.HasSuffix(path, ".hcl"+syntax.JSONSuffix) {
		return nil, diag.Diagnostics{diag.New(diag.UnknownFileKind, "%q has the name of no file that memplan reads: a configuration in JSON is called *%s. Rename it to %q.",
			filepath.ToSlash(path), syntax.ConfigSuffix+syntax.JSONSuffix, strings.TrimSuffix(filepath.Base(path), ".hcl"+syntax.JSONSuffix)+syntax.ConfigSuffix+syntax.JSONSuffix)}
	}
	head, err := readHead(path)
	if err != nil {
		return nil, diag.Diagnostics{unreadable(path, err)}
	}
	if in, err := recognisePlan(path, head); err != nil || in != nil {
		if err != nil {
			return nil, diag.Diagnostics{unreadable(path, err)}
		}
		return in, nil
	}
	if planner.Format(filepath.Base(path), head) != "" {
		return &input{kind: graphInput, path: path}, nil
	}
	return nil, diag.Diagnostics{diag.New(diag.UnknownFileKind,
		"%q is not a configuration (.hcl), a graph (.onnx, .tflite, .json, .csv) or a plan. Give the file the extension of what it holds.", filepath.ToSlash(path))}
}

// recognise looks at a path of the command line, which is an input from then on.
func (a *app) recognise(path string) (*input, diag.Diagnostics) {
	a.inputs.add(path)
	return recognise(path)
}

func readHead(path string) (head []byte, err error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	head = make([]byte, headBytes)
	n, err := io.ReadFull(file, head)
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		err = nil
	}
	return head[:n], errors.Join(err, file.Close())
}

// recognisePlan reads a JSON file to see whether it is a plan; only plans are kept in memory.
func recognisePlan(path string, head []byte) (*input, error) {
	named := strings.HasSuffix(path, lockSuffix) || strings.HasSuffix(path, savedSuffix)
	if text := bytes.TrimLeft(head, " \t\r\n"); !named && (len(text) == 0 || text[0] != '{') {
		return nil, nil
	}
	data, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	kind := plan.Sniff(data)
	switch {
	case kind == plan.SavedKind, strings.HasSuffix(path, savedSuffix):
		return &input{kind: savedInput, path: path, plan: data}, nil
	case kind == plan.LockKind, named:
		return &input{kind: lockInput, path: path, plan: data}, nil
	}
	return nil, nil
}

// planInstead is what a command says of a saved plan or lock when it needs what plans are made of. One that apply is given
// may be a saved plan that is too damaged to tell: then the damage is said, unless it has the name of a lock.
func (a *app) planInstead(verb string, in *input) diag.Diagnostics {
	what := "plan"
	if verb == "apply" && in.kind == lockInput {
		if _, ds := a.readPlan(in); ds.HasErrors() && !strings.HasSuffix(in.path, lockSuffix) {
			return ds
		}
		what = "lock"
	}
	return diag.Diagnostics{diag.New(diag.UnknownFileKind,
		"%q is a %s, and \"memplan %s\" needs a configuration or a graph file. \"memplan show\" shows plans, \"memplan apply\" accepts saved ones.", filepath.ToSlash(in.path), what, verb)}
}
