package networks

import (
	"math/rand/v2"

	"github.com/memplan/memplan/planner/graph"
)

// randomlyWired is a network of Xie et al. 2019, small regime, 224 x 224: three stages of 32 nodes that a Watts-Strogatz graph
// (4 neighbours, rewired with probability 0.75) joins, of 78, 156 and 312 channels. A node adds what comes in and applies a
// separable convolution.
func randomlyWired(name string, seed uint64) *graph.Graph {
	random := rand.New(rand.NewPCG(seed, 0))
	b, x := start(name, 3, 224, 224)
	x = b.conv(x, 39, square(3, 2))
	x = b.node([]value{x}, 78, 2)
	for s := range 3 {
		x = b.stage(x, int64(78)<<s, smallWorld(random, 32, 4, 0.75))
	}
	return b.classifier(b.convRelu(x, 1280, square(1, 1)), 1000)
}

// node is a sum, an activation, and a separable convolution.
func (b *builder) node(in []value, c, stride int64) value {
	x := in[0]
	for _, y := range in[1:] {
		x = b.add(x, y)
	}
	return b.conv(b.depthwise(b.relu(x), 3, stride), c, square(1, 1))
}

// stage runs the nodes in order of number: edges lead from smaller to larger ones. Nodes without inputs read the stage's
// and halve it; results that nobody reads are averaged, here added.
func (b *builder) stage(x value, c int64, edges [][]int) value {
	out := make([]value, len(edges))
	read := make([]bool, len(edges))
	for v, from := range edges {
		if len(from) == 0 {
			out[v] = b.node([]value{x}, c, 2)
			continue
		}
		var in []value
		for _, u := range from {
			in, read[u] = append(in, out[u]), true
		}
		out[v] = b.node(in, c, 1)
	}
	var last *value
	for v := range out {
		if !read[v] {
			if last == nil {
				last = &out[v]
				continue
			}
			sum := b.add(*last, out[v])
			last = &sum
		}
	}
	return *last
}

// smallWorld lists for each node of a Watts-Strogatz graph its smaller neighbours.
func smallWorld(random *rand.Rand, n, k int, p float64) [][]int {
	joined := make([]map[int]bool, n)
	for v := range joined {
		joined[v] = map[int]bool{}
	}
	join := func(u, v int) { joined[u][v], joined[v][u] = true, true }
	for v := range n {
		for d := 1; d <= k/2; d++ {
			join(v, (v+d)%n)
		}
	}
	for d := 1; d <= k/2; d++ {
		for v := range n {
			w := (v + d) % n
			if random.Float64() >= p || len(joined[v]) >= n-1 {
				continue
			}
			to := random.IntN(n)
			for to == v || joined[v][to] {
				to = random.IntN(n)
			}
			delete(joined[v], w)
			delete(joined[w], v)
			join(v, to)
		}
	}
	out := make([][]int, n)
	for v := range n {
		for u := range v {
			if joined[v][u] {
				out[v] = append(out[v], u)
			}
		}
	}
	return out
}

// hrNet is HRNet-W18-Small of Wang et al. 2019: one module in each stage, two blocks in each branch, 224 x 224.
func hrNet() *graph.Graph {
	b, x := start("hrnet_w18_small", 3, 224, 224)
	x = b.convRelu(b.convRelu(x, 64, square(3, 2)), 64, square(3, 2))
	x = b.bottleneck(x, 32, 1)
	branches := []value{b.convRelu(x, 16, square(3, 1)), b.convRelu(x, 32, square(3, 2))}
	for stage := 2; ; stage++ {
		for i := range branches {
			for range 2 {
				branches[i] = b.basic(branches[i])
			}
		}
		branches = b.exchange(branches)
		if stage == 4 {
			break
		}
		last := branches[len(branches)-1]
		branches = append(branches, b.convRelu(last, 2*last.c, square(3, 2)))
	}
	for i, v := range branches[1:] {
		branches[i+1] = b.up(v, int64(2)<<i)
	}
	x = b.concat(branches...)
	return b.finish(b.conv(b.convRelu(x, x.c, square(1, 1)), 19, square(1, 1)))
}

// basic is a residual block of two 3 x 3 convolutions.
func (b *builder) basic(x value) value {
	return b.relu(b.add(b.conv(b.convRelu(x, x.c, square(3, 1)), x.c, square(3, 1)), x))
}

// exchange adds to each branch what comes from the others.
func (b *builder) exchange(in []value) []value {
	out := make([]value, len(in))
	for i := range in {
		sum := value{id: graph.NoTensor}
		for j := range in {
			y := in[j]
			switch {
			case j > i:
				y = b.up(b.conv(y, in[i].c, square(1, 1)), int64(1)<<(j-i))
			case j < i:
				for step := j; step < i; step++ {
					c := in[j].c
					if step == i-1 {
						c = in[i].c
					}
					y = b.conv(y, c, square(3, 2))
					if step < i-1 {
						y = b.relu(y)
					}
				}
			}
			if sum.id == graph.NoTensor {
				sum = y
				continue
			}
			sum = b.add(sum, y)
		}
		out[i] = b.relu(sum)
	}
	return out
}
