package layout

// posixRandom draws the numbers of rand_r as the GNU C library defines it, from the seed that it holds: three steps of a
// linear congruential generator give 11, 10 and 10 bits.
type posixRandom uint32

func (r *posixRandom) next() int64 {
	out := r.step() % 2048
	out = out<<10 ^ r.step()%1024
	return int64(out<<10 ^ r.step()%1024)
}

func (r *posixRandom) step() uint32 {
	*r = *r*1103515245 + 12345
	return uint32(*r) / 65536
}

// below returns a number of 0..n-1.
func (r *posixRandom) below(n int) int { return int(r.next() % int64(n)) }
