package plan

// Overlap is bytes that two tensors of a graph have in common at a step: the op there writes the one over the other from below.
type Overlap struct {
	Pool        string
	Step, Bytes int64
}

// Overlaps lists where tensors of a graph are written over others from below (see [Diagonal]), in the order of Tensors. Sums of
// live bytes are too large by each of them, at its step. It costs O(tensors).
func (g *Graph) Overlaps() []Overlap {
	var rows map[string]*Tensor
	var out []Overlap
	for i := range g.Tensors {
		t := &g.Tensors[i]
		if t.Diagonal == nil {
			continue
		}
		if rows == nil {
			rows = make(map[string]*Tensor, len(g.Tensors))
			for j := range g.Tensors {
				rows[g.Tensors[j].Name] = &g.Tensors[j]
			}
		}
		lower, upper := rows[t.base()], rows[t.Diagonal.Operand]
		if upper != nil {
			upper = rows[upper.base()]
		}
		if bytes := common(lower, upper); bytes > 0 {
			out = append(out, Overlap{lower.Pool, lower.First, bytes})
		}
	}
	return out
}

// base names the tensor that has the bytes.
func (t *Tensor) base() string {
	if t.ViewOf != nil {
		return *t.ViewOf
	}
	return t.Name
}

// common is how many bytes two tensors of a flat pool have in common.
func common(a, b *Tensor) int64 {
	if a == nil || b == nil || a == b || a.Offset == nil || b.Offset == nil || a.Pool != b.Pool {
		return 0
	}
	return max(0, min(*a.Offset+a.Size, *b.Offset+b.Size)-max(*a.Offset, *b.Offset))
}
