package host

// sums fills gate with W·x and part with R·h of all gates, each with its half of the bias.
func (c *recurrent) sums(s *cellState) {
	rows := c.Gates * c.N
	c.multiply(s.gate, c.w[s.dir*rows*c.In:], s.x, c.biasFrom(2*s.dir*rows))
	c.multiply(s.part, c.r[s.dir*rows*c.N:], s.h, c.biasFrom((2*s.dir+1)*rows))
}

// biasFrom returns the bias from a place on, nil when there is none.
func (c *recurrent) biasFrom(at int) []float32 {
	if c.bias == nil {
		return nil
	}
	return c.bias[at:]
}

// multiply fills dst with the rows of m times v, plus bias unless it is nil.
func (c *recurrent) multiply(dst, m, v, bias []float32) {
	for i := range dst {
		row := m[i*len(v) : (i+1)*len(v)]
		sum := float32(0)
		for k, x := range v {
			sum += float32(row[k] * x)
		}
		if bias != nil {
			sum += bias[i]
		}
		dst[i] = sum
	}
}

// act applies the activation number k of the cell's direction to a clipped sum.
func (c *recurrent) act(s *cellState, k int, v float32) float32 {
	if c.Clip > 0 {
		v = min(max(v, -c.Clip), c.Clip)
	}
	return c.acts[s.dir][k](v)
}

// lstm has the gates input, output, forget, cell.
func (c *recurrent) lstm(s *cellState) {
	c.sums(s)
	n := c.N
	gate := func(k, i int) float32 { return s.gate[k*n+i] + s.part[k*n+i] }
	peep := func(k, i int, state float32) float32 {
		if c.peep == nil {
			return 0
		}
		return float32(c.peep[(s.dir*3+k)*n+i] * state)
	}
	for i := range n {
		input := c.act(s, 0, gate(0, i)+peep(0, i, s.c[i]))
		forget := 1 - input
		if !c.Coupled {
			forget = c.act(s, 0, gate(2, i)+peep(2, i, s.c[i]))
		}
		s.c[i] = float32(forget*s.c[i]) + float32(input*c.act(s, 1, gate(3, i)))
		s.h[i] = float32(c.act(s, 0, gate(1, i)+peep(1, i, s.c[i])) * c.acts[s.dir][2](s.c[i]))
	}
}

// gru has the gates update, reset, hidden.
func (c *recurrent) gru(s *cellState) {
	c.sums(s)
	n := c.N
	// gate holds update and reset from here on, c the reset state: GRU has no other use for it.
	for i := range 2 * n {
		s.gate[i] = c.act(s, 0, s.gate[i]+s.part[i])
	}
	if !c.LinearReset {
		for i := range n {
			s.c[i] = float32(s.gate[n+i] * s.h[i])
		}
		rows := c.Gates * n
		c.multiply(s.part[2*n:], c.r[(s.dir*rows+2*n)*n:], s.c, c.biasFrom((2*s.dir+1)*rows+2*n))
	}
	for i := range n {
		part := s.part[2*n+i]
		if c.LinearReset {
			part = float32(s.gate[n+i] * part)
		}
		hidden := c.act(s, 1, s.gate[2*n+i]+part)
		s.h[i] = float32((1-s.gate[i])*hidden) + float32(s.gate[i]*s.h[i])
	}
	clear(s.c)
}

// rnn has one gate.
func (c *recurrent) rnn(s *cellState) {
	c.sums(s)
	for i := range s.h {
		s.h[i] = c.act(s, 0, s.gate[i]+s.part[i])
	}
}
