package native

import (
	"slices"
	"strings"

	"github.com/memplan/memplan/lang/diag"
	"github.com/memplan/memplan/planner/graph"
	"github.com/memplan/memplan/planner/graph/jsontext"
)

// checkOrder checks that each op reads what stands before it. Ops that no order could satisfy are reported as a circle
// instead, once for the graph.
func (im *importer) checkOrder() {
	if circle := im.circle(); circle != nil {
		im.reportCircle(circle)
		return
	}
	for i := range im.g.Ops {
		for k, id := range im.g.Ops[i].Inputs {
			if by, depends := im.dependsOn(id); depends && by >= i {
				im.Report(im.def.ops[i].inputs[k].At, diag.NativeOrder, "Op %s reads tensor %s before op %s writes it. Move op %s "+
					"before op %s.", jsontext.Quoted(im.g.Ops[i].Name), jsontext.Quoted(im.g.Tensors[id].Name), jsontext.Quoted(im.g.Ops[by].Name),
					jsontext.Quoted(im.g.Ops[by].Name), jsontext.Quoted(im.g.Ops[i].Name))
			}
		}
	}
}

// dependsOn returns the op that must run before one that reads the tensor. State has content before it is written.
func (im *importer) dependsOn(id graph.TensorID) (int, bool) {
	if id == graph.NoTensor || im.g.Tensors[id].Role == graph.State {
		return 0, false
	}
	by := im.producer[id]
	return by, by >= 0
}

// circle returns ops that wait for each other, each for the next and the last for the first; nil when there are none.
// It walks the dependencies depth first without recursion, in O(ops + operands).
func (im *importer) circle() []int {
	const (
		unseen = iota
		open
		done
	)
	state := make([]int8, len(im.g.Ops))
	type frame struct{ op, next int }
	for start := range im.g.Ops {
		if state[start] != unseen {
			continue
		}
		stack := []frame{{op: start}}
		state[start] = open
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			inputs := im.g.Ops[top.op].Inputs
			if top.next == len(inputs) {
				state[top.op] = done
				stack = stack[:len(stack)-1]
				continue
			}
			by, depends := im.dependsOn(inputs[top.next])
			top.next++
			switch {
			case !depends || state[by] == done:
			case state[by] == unseen:
				state[by] = open
				stack = append(stack, frame{op: by})
			default:
				at := slices.IndexFunc(stack, func(f frame) bool { return f.op == by })
				var circle []int
				for _, f := range stack[at:] {
					circle = append(circle, f.op)
				}
				return circle
			}
		}
	}
	return nil
}

// reportCircle names the ops of a circle, a long one in part.
func (im *importer) reportCircle(circle []int) {
	const most = 8
	names := make([]string, 0, most+1)
	for _, op := range circle[:min(len(circle), most)] {
		names = append(names, jsontext.Quoted(im.g.Ops[op].Name))
	}
	if len(circle) > most {
		names = append(names, "...")
	}
	at := im.def.ops[circle[0]].name.At
	if len(circle) == 1 {
		im.Report(at, diag.NativeCycle, "Op %s reads what it writes itself. Give it another input or output.", names[0])
		return
	}
	im.Report(at, diag.NativeCycle, "Ops %s wait for each other: each reads what the next one writes, and the last what the first "+
		"one writes. Remove one of these inputs.", strings.Join(names, ", "))
}
