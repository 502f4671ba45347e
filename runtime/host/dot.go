package host

// The one inner loop of convolutions and matrix products: eight sums over a common factor.
//
// A panel holds eight columns interleaved, [k][8]; a is the common factor, [k]. Either may be the weights: channel-last
// convolutions have the pixel as factor and eight output channels as columns, channel-first ones have the weights of
// one channel as factor and eight neighbouring pixels as columns. Each sum is taken in ascending k, whatever the
// splitting, so that every way to reach a result gives the same bits. The conversions keep the compiler from fusing
// product and sum on machines that could.

// lanes is the number of columns of a panel.
const lanes = 8

// dot8 adds a[i]*panel[8*i+j] over i to sum[j]. panel has at least 8 elements for each of a. O(8·len(a)).
func dot8(a, panel []float32, sum *[lanes]float32) {
	panel = panel[:lanes*len(a)]
	s0, s1, s2, s3, s4, s5, s6, s7 := sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7]
	for len(a) >= 4 && len(panel) >= 4*lanes {
		x := a[0]
		s0 += float32(x * panel[0])
		s1 += float32(x * panel[1])
		s2 += float32(x * panel[2])
		s3 += float32(x * panel[3])
		s4 += float32(x * panel[4])
		s5 += float32(x * panel[5])
		s6 += float32(x * panel[6])
		s7 += float32(x * panel[7])
		x = a[1]
		s0 += float32(x * panel[8])
		s1 += float32(x * panel[9])
		s2 += float32(x * panel[10])
		s3 += float32(x * panel[11])
		s4 += float32(x * panel[12])
		s5 += float32(x * panel[13])
		s6 += float32(x * panel[14])
		s7 += float32(x * panel[15])
		x = a[2]
		s0 += float32(x * panel[16])
		s1 += float32(x * panel[17])
		s2 += float32(x * panel[18])
		s3 += float32(x * panel[19])
		s4 += float32(x * panel[20])
		s5 += float32(x * panel[21])
		s6 += float32(x * panel[22])
		s7 += float32(x * panel[23])
		x = a[3]
		s0 += float32(x * panel[24])
		s1 += float32(x * panel[25])
		s2 += float32(x * panel[26])
		s3 += float32(x * panel[27])
		s4 += float32(x * panel[28])
		s5 += float32(x * panel[29])
		s6 += float32(x * panel[30])
		s7 += float32(x * panel[31])
		a, panel = a[4:], panel[4*lanes:]
	}
	for len(a) >= 1 && len(panel) >= lanes {
		x := a[0]
		s0 += float32(x * panel[0])
		s1 += float32(x * panel[1])
		s2 += float32(x * panel[2])
		s3 += float32(x * panel[3])
		s4 += float32(x * panel[4])
		s5 += float32(x * panel[5])
		s6 += float32(x * panel[6])
		s7 += float32(x * panel[7])
		a, panel = a[1:], panel[lanes:]
	}
	sum[0], sum[1], sum[2], sum[3], sum[4], sum[5], sum[6], sum[7] = s0, s1, s2, s3, s4, s5, s6, s7
}
