package eval

// Order arranges nodes so that each stands after those it depends on; deps[i] lists what node i needs, in any order,
// with repeats allowed. Nodes without such a constraint keep their order. Of nodes that need each other in a circle,
// one circle is returned, as the nodes in order of need; every node still has its place in the result. It costs
// O(nodes + dependencies) and no recursion.
//
// The steps: a depth-first search from each node in turn, on an explicit stack; a node is placed when all it needs
// are; a node met again while it is on the stack closes a circle, which is the stack from there on.
func Order(deps [][]int) (order []int, cycles [][]int) {
	const (
		unseen = iota
		open
		placed
	)
	state := make([]uint8, len(deps))
	inCycle := make([]bool, len(deps))
	type frame struct{ node, next int }
	var stack []frame
	for start := range deps {
		if state[start] != unseen {
			continue
		}
		state[start] = open
		stack = append(stack[:0], frame{node: start})
		for len(stack) > 0 {
			top := &stack[len(stack)-1]
			if top.next == len(deps[top.node]) {
				state[top.node] = placed
				order = append(order, top.node)
				stack = stack[:len(stack)-1]
				continue
			}
			need := deps[top.node][top.next]
			top.next++
			switch state[need] {
			case unseen:
				state[need] = open
				stack = append(stack, frame{node: need})
			case open:
				var cycle []int
				known := false
				for i := len(stack) - 1; i >= 0; i-- {
					cycle = append(cycle, stack[i].node)
					known = known || inCycle[stack[i].node]
					if stack[i].node == need {
						break
					}
				}
				if !known {
					for _, node := range cycle {
						inCycle[node] = true
					}
					cycles = append(cycles, reversed(cycle))
				}
			}
		}
	}
	return order, cycles
}

func reversed(nodes []int) []int {
	out := make([]int, len(nodes))
	for i, node := range nodes {
		out[len(nodes)-1-i] = node
	}
	return out
}
