package plan

import (
	"fmt"
)

// Gone says where the tensors of the model went that rewrites left without a place, by name, as the rest of a sentence: `has no
// bytes: the rewrite fuse merged the op "relu1" with another ("conv1" does it to its results)`. It costs O(tensors + rewrites).
func (g *Graph) Gone() map[string]string {
	placed := make(map[string]bool, len(g.Tensors))
	for i := range g.Tensors {
		placed[g.Tensors[i].Name] = true
	}
	out := map[string]string{}
	for i := range g.Rewrites {
		r := &g.Rewrites[i]
		for _, name := range r.Tensors {
			if !placed[name] && !r.Kept {
				out[name] = fmt.Sprintf("has no bytes: the rewrite %s merged the op %q with another (%s)", r.Rewrite, r.Op, r.Because)
			}
		}
	}
	return out
}
