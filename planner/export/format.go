package export

import (
	"fmt"
	"io"
	"slices"

	"github.com/memplan/memplan/planner/export/picture"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/plan"
)

// Format is one kind of file that a plan can be written as.
type Format struct {
	Name, Doc string
	// OneGraph marks a format that holds one graph; the others hold a whole plan, or a graph of it when one is named.
	OneGraph bool
	// NeedsGraph marks a format that needs the planned graph or its file beside the plan.
	NeedsGraph bool
	write      func(w io.Writer, s *Subject, o *Options) error
}

var formats = []Format{
	{"tvm", "the graph JSON of TVM's graph executor, with `storage_id`, `storage_scope` and `offset`", true, true, writeTVM},
	{"c-header", "a C99 header: pool sizes and alignments, an offset macro for each tensor, and a table", false, false, writeHeader},
	{"c-arena", "the header with the arenas themselves and a function that finds a tensor's address", false, false, writeArena},
	{"tflm-offline", "a copy of the .tflite file with the offsets as `OfflineMemoryAllocation` metadata, which TensorFlow Lite Micro follows", true, true, writeTFLM},
	{"usmp", "the pools as `--workspace-pools` arguments of tvmc, one a line", false, false, writeUSMP},
	{"csv", "a table of the tensors with their places", false, false, writeCSV},
	{"json", "the plan in its documented format", false, false, writeJSON},
	{"svg", "a picture of the memory maps, the live bytes over the steps and the images", false, false, writeSVG},
	{"html", "the picture as one page that can be searched and zoomed, with the explanation of every tensor", false, false, writeHTML},
}

// Formats lists the formats in the order of the documentation.
func Formats() []Format { return slices.Clone(formats) }

// Names lists the names of the formats.
func Names() []string {
	names := make([]string, len(formats))
	for i := range formats {
		names[i] = formats[i].Name
	}
	return names
}

// Find returns the format of that name; the second result is false when there is none.
func Find(name string) (Format, bool) {
	at := slices.IndexFunc(formats, func(f Format) bool { return f.Name == name })
	if at < 0 {
		return Format{}, false
	}
	return formats[at], true
}

// Subject is what is written.
type Subject struct {
	Plan *plan.Plan
	// Graph names the graph that is meant, "" for all of them.
	Graph string
	// Planned is that graph as it was planned. Formats that need no graph do not look at it.
	Planned *graph.Graph
	// Source gives the bytes of the file that the graph was read from.
	Source func() ([]byte, error)
	// Old is a plan to compare with in a picture, nil for none; OldName says which it is.
	Old     *plan.Plan
	OldName string
}

// Options are the choices that some formats leave.
type Options struct {
	TVM TVMOptions
	// Prefix begins the identifiers of C; "" is the graph's name, or "memplan" for several graphs.
	Prefix string
	// Arena lists the pools that are one after the other the arena of a tflm-offline file; nil when there is one pool.
	Arena []string
	// Target is the target of tvmc that reaches the pools; "" is "opencl" for pools of OpenCL devices, else "c".
	Target string
}

// Write writes the plan, or the graph of it that is named, in the format. The same subject gives the same bytes. It fails
// on what the format cannot hold.
func Write(w io.Writer, f Format, s *Subject, o *Options) error {
	if s.Graph != "" && s.graph() == nil {
		return fmt.Errorf("the plan has no graph %q", s.Graph)
	}
	return f.write(w, s, o)
}

// graph is the named graph of the plan, nil when none is named or it has no such.
func (s *Subject) graph() *plan.Graph {
	for i := range s.Plan.Graphs {
		if s.Plan.Graphs[i].Name == s.Graph {
			return &s.Plan.Graphs[i]
		}
	}
	return nil
}

// graphs are the graphs that are written.
func (s *Subject) graphs() []*plan.Graph {
	var out []*plan.Graph
	for i := range s.Plan.Graphs {
		if s.Graph == "" || s.Plan.Graphs[i].Name == s.Graph {
			out = append(out, &s.Plan.Graphs[i])
		}
	}
	return out
}

func writeTVM(w io.Writer, s *Subject, o *Options) error {
	if err := s.unordered("TVM"); err != nil {
		return err
	}
	return TVM(w, s.Plan, s.Graph, s.Planned, o.TVM)
}

// unordered refuses results over operands, for a runtime whose kernels do not state the order in which they visit a result, and tensors
// with other bytes between their rows, for which its formats have no word.
func (s *Subject) unordered(runtime string) error {
	for _, g := range s.graphs() {
		for i := range g.Tensors {
			t := &g.Tensors[i]
			if t.Rows != nil {
				return fmt.Errorf("the plan has %q within %q %s, and %s knows tensors of one run of bytes alone. Plan without the view \"concat\", or for a device whose driver is not \"host\"", t.Name, *t.ViewOf, t.Rows, runtime)
			}
			if t.Diagonal != nil {
				return fmt.Errorf("the plan writes %q over %q row by row, and the kernels of %s are not known to keep that order. Plan without the view \"diagonal\"", t.Name, t.Diagonal.Operand, runtime)
			}
		}
	}
	return nil
}

// writeJSON writes the whole plan: the format has no part that stands alone.
func writeJSON(w io.Writer, s *Subject, _ *Options) error {
	data, err := plan.Encode(s.Plan)
	if err != nil {
		return err
	}
	_, err = w.Write(data)
	return err
}

func writeSVG(w io.Writer, s *Subject, _ *Options) error {
	return picture.SVG(w, s.picture())
}

func writeHTML(w io.Writer, s *Subject, _ *Options) error {
	return picture.HTML(w, s.picture())
}

func (s *Subject) picture() picture.Subject {
	return picture.Subject{Plan: s.Plan, Graph: s.Graph, Old: s.Old, OldName: s.OldName}
}
