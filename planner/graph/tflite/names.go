package tflite

import (
	"fmt"
	"strconv"
	"strings"
)

// names hands out names that are unique.
type names struct {
	taken map[string]bool
	next  map[string]int
}

// claim returns base if it is free, else base with the first free number behind it.
func (n *names) claim(base string) string {
	if n.taken == nil {
		n.taken, n.next = map[string]bool{}, map[string]int{}
	}
	name := base
	for n.taken[name] {
		n.next[base]++
		name = base + "_" + strconv.Itoa(n.next[base])
	}
	n.taken[name] = true
	return name
}

// nameAll names every call and every tensor. A call is named after its first output if that has a name of its own,
// else after operator and position. A tensor keeps its name; the second one of the same name gets a number, one
// without a name is called after the call that writes it.
func (im *importer) nameAll() {
	im.producer = make([]*call, len(im.m.tensors))
	count := make(map[string]int, len(im.m.tensors))
	im.tensors.taken, im.tensors.next = make(map[string]bool, len(im.m.tensors)), map[string]int{}
	for i := range im.m.tensors {
		count[im.m.tensors[i].name]++
	}
	for _, c := range im.m.calls {
		c.im = im
		c.name = fmt.Sprintf("%s_%d", c.kind, c.index)
		if len(c.outputs) > 0 && im.producer[c.outputs[0]] == nil {
			if first := im.m.tensors[c.outputs[0]].name; first != "" && count[first] == 1 {
				c.name = first
			}
		}
		c.name = im.ops.claim(c.name)
		im.nameOutputs(c)
	}
	im.nameRepeated()
}

// nameOutputs notes the producer of each output and names the outputs without a name.
func (im *importer) nameOutputs(c *call) {
	for k, out := range c.outputs {
		if im.producer[out] != nil {
			continue
		}
		im.producer[out] = c
		if info := &im.m.tensors[out]; info.name == "" && im.r.spend(int64(len(c.name))) {
			info.name = c.name + ":" + strconv.Itoa(k)
		}
	}
}

// nameRepeated makes names unique. The first tensor of each name keeps it, whatever the names given to the others.
func (im *importer) nameRepeated() {
	var repeated []int32
	for i := range im.m.tensors {
		info := &im.m.tensors[i]
		if info.name == "" {
			info.name = "tensor_" + strconv.Itoa(i)
		}
		if !im.tensors.taken[info.name] {
			im.tensors.claim(info.name)
			continue
		}
		repeated = append(repeated, int32(i))
	}
	for _, i := range repeated {
		im.m.tensors[i].name = im.tensors.claim(im.m.tensors[i].name)
	}
}

// list joins names for a message and shortens what is long.
func list(names []string) string {
	const most = 5
	if len(names) <= most {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}
