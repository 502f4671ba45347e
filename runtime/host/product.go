package host

// product is a batch of matrix products y = a·b, [M, K] by [K, N], that all have the same extents.
type product struct {
	m, k, n int
	// a has rows of K elements that follow one another; y has rows of N.
	a, y []float32
	// Column j, row i of b is b[i*bk+j*bn].
	b      []float32
	bk, bn int
	// aAt, bAt and yAt are where each product of the batch starts.
	aAt, bAt, yAt []int
	// panels holds b interleaved by eight columns when it is constant, [len(distinct bAt)][ceil(N/8)][K][8].
	panels []float32
	// Each result is alpha times its sum, plus beta times its element of c, which has 0 as stride where it repeats; c is
	// nil for none.
	alpha, beta float32
	c           []float32
	cm, cn      int
}

// rowsPerItem is the number of rows that one item of work takes with one panel.
const rowsPerItem = 32

// run returns the computation, shared by panels of eight columns and ranges of rows. Constant b is interleaved here,
// other b panel by panel in the worker's scratch.
func (p *product) run(b *site, constant bool) func() {
	panelsPer := (p.n + lanes - 1) / lanes
	size := p.k * lanes
	shared := constant && allZero(p.bAt)
	if shared {
		p.panels = b.d.work.floats(panelsPer * size)
		for q := range panelsPer {
			p.pack(p.panels[q*size:(q+1)*size], 0, q*lanes)
		}
	} else {
		b.d.work.reserve(b.d.crew.workers, size)
	}
	parts := (p.m + rowsPerItem - 1) / rowsPerItem
	scratch := &b.d.work
	body := func(worker, lo, hi int) {
		for item := lo; item < hi; item++ {
			part, q, batch := item%parts, item/parts%panelsPer, item/parts/panelsPer
			var panel []float32
			if shared {
				panel = p.panels[q*size : (q+1)*size]
			} else {
				panel = scratch.lanes[worker][:size]
				p.pack(panel, p.bAt[batch], q*lanes)
			}
			p.rows(panel, batch, q*lanes, part*rowsPerItem, min((part+1)*rowsPerItem, p.m))
		}
	}
	items := parts * panelsPer * len(p.yAt)
	work := min(p.m, rowsPerItem) * size
	return func() { b.d.crew.Split(items, grain(work), body) }
}

func allZero(list []int) bool {
	for _, v := range list {
		if v != 0 {
			return false
		}
	}
	return true
}

// pack interleaves eight columns of b; missing ones are zeros.
func (p *product) pack(panel []float32, at, column int) {
	width := min(lanes, p.n-column)
	b := p.b[at:]
	for i := range p.k {
		row := (*[lanes]float32)(panel[i*lanes:])
		from := i*p.bk + column*p.bn
		for j := range lanes {
			row[j] = 0
			if j < width {
				row[j] = b[from+j*p.bn]
			}
		}
	}
}

func (p *product) rows(panel []float32, batch, column, lo, hi int) {
	width := min(lanes, p.n-column)
	for i := lo; i < hi; i++ {
		var sum [lanes]float32
		from := p.aAt[batch] + i*p.k
		dot8(p.a[from:from+p.k], panel, &sum)
		to := p.yAt[batch] + i*p.n + column
		p.store(&sum, p.y[to:to+width], i, column)
	}
}

// store writes the results of a row from a column on.
func (p *product) store(sum *[lanes]float32, dst []float32, row, column int) {
	at := row*p.cm + column*p.cn
	for j := range dst {
		v := p.alpha * sum[j&(lanes-1)]
		if p.c != nil {
			v = float32(v) + float32(p.beta*p.c[at+j*p.cn])
		}
		dst[j] = v
	}
}
