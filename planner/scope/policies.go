package scope

// The policies.
const (
	// FlatPolicy leaves everything in flat memory.
	FlatPolicy = "flat"
	// MinCopy copies the least bytes, penalties counted as bytes.
	MinCopy = "mincopy"
	// TVMRelay and TVMRelax decide as those compilers do.
	TVMRelay = "tvm-relay"
	TVMRelax = "tvm-relax"
	// SourcePolicy is no policy that can be chosen. It is named for tensors that have the scope that the graph's source asks
	// for, as the files of TVM's compilers do.
	SourcePolicy = "source"
)

// Policies lists the policies in the order of the documentation.
func Policies() []string { return []string{MinCopy, TVMRelay, TVMRelax, FlatPolicy} }

// flattest is the solution of the policy flat: each op runs in the first form that can do what rules order, and each tensor
// is flat if its producer writes it so.
func (p *problem) flattest() *solution {
	s := &solution{home: make([]label, len(p.values)), form: make([]int32, len(p.nodes))}
	for i := range p.values {
		s.home[i] = p.values[i].homes.least()
	}
	for n := range p.nodes {
		p.settleOutputs(s, n)
	}
	return s
}

// settleOutputs moves the outputs of a node to where its form writes them.
func (p *problem) settleOutputs(s *solution, n int) {
	f := &p.nodes[n].forms[s.form[n]]
	for k, id := range p.nodes[n].writes {
		if !f.writes[k].has(s.home[id]) {
			s.home[id] = f.writes[k].least()
		}
	}
}
