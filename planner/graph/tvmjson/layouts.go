package tvmjson

import (
	"strings"

	"github.com/memplan/memplan/planner/graph"
)

// readLayouts notes the layouts that nodes name for what they read and write. The first node that speaks of a tensor is
// believed.
func (im *importer) readLayouts() {
	for i := range im.doc.nodes {
		n := &im.doc.nodes[i]
		if n.op.Value == "null" {
			continue
		}
		name := func(attr string) string {
			t, _ := n.attr(attr)
			return t.Value
		}
		data, out := name(graph.AttrDataLayout), name("out_layout")
		if out == "" {
			out = data
		}
		if from, to := name("src_layout"), name("dst_layout"); from != "" && to != "" {
			data, out = from, to
		}
		im.noteInput(n, 0, data)
		im.noteInput(n, 1, name(graph.AttrKernelLayout))
		if im.outs[i] == 1 {
			im.note(im.first[i], out)
		}
	}
}

func (im *importer) noteInput(n *node, input int, layout string) {
	if input < len(n.inputs) {
		im.note(int(im.entry(n.inputs[input])), layout)
	}
}

func (im *importer) note(entry int, layout string) {
	if im.layouts[entry] == "" {
		im.layouts[entry] = layout
	}
}

// axesOf counts the axes of a layout such as "NCHW4c": each letter is one, and the number before a small one is its
// extent. It is -1 for what is no layout.
func axesOf(layout string) int {
	axes := 0
	for i := range len(layout) {
		switch c := layout[i]; {
		case c >= 'A' && c <= 'Z', c >= 'a' && c <= 'z':
			axes++
		case c < '0' || c > '9' || i == len(layout)-1:
			return -1
		}
	}
	if layout == "" || strings.IndexByte("0123456789", layout[0]) >= 0 {
		return -1
	}
	return axes
}
