// Numbers and their scaled integers. Q is the type of the integers, Z that of the zero points. The scale and the zero
// point broadcast to the elements. An item computes 16 elements of a row.
kernel void quantize(FLAT(const float, x), FLAT(const float, scale), FLAT(const Z, zero), FLAT(Q, y), WALK, int8 xs, int8 ss, int8 ys, long low, long high) {
  ITEM
  global const float *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7;
  int pair = row_start(row, rank, extents, ss) + first * ss.s7;
  global Q *y = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7;
  for (int i = 0; i < count; i++, pair += ss.s7) {
    float v = rint(x[i * xs.s7] / AT(scale)[pair]);
    // Far beyond any range, and exact in a long.
    long q = isnan(v) ? 0 : (long)fmin(fmax(v, -4e18f), 4e18f) + AT(zero)[pair];
    y[i * ys.s7] = isnan(v) ? 0 : (Q)(q < low ? low : (q > high ? high : q));
  }
}

// The range of all elements, 0 included, as a scale and a zero point of bytes. One group of GROUP items does it.
#define GROUP 64
kernel void quantize_range(FLAT(const float, x), FLAT(float, scale), FLAT(uchar, zero), int n) {
  local float lows[GROUP], highs[GROUP];
  int i = get_local_id(0);
  float low = 0, high = 0;
  for (int j = i; j < n; j += GROUP) {
    float v = AT(x)[j];
    low = (v < low || v != v) ? v : low;
    high = (v > high || v != v) ? v : high;
  }
  lows[i] = low;
  highs[i] = high;
  for (int apart = GROUP / 2; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (i < apart) {
      float v = lows[i + apart], w = highs[i + apart];
      lows[i] = (v < lows[i] || v != v) ? v : lows[i];
      highs[i] = (w > highs[i] || w != w) ? w : highs[i];
    }
  }
  if (i == 0) {
    float s = (highs[0] - lows[0]) / 255;
    s = s == 0 ? 1 : s;
    float z = rint(-lows[0] / s);
    AT(scale)[0] = s;
    AT(zero)[0] = isnan(z) ? 0 : (uchar)(z > 255 ? 255 : z);
  }
}

kernel void dequantize(FLAT(const Q, x), FLAT(const float, scale), FLAT(const Z, zero), FLAT(float, y), WALK, int8 xs, int8 ss, int8 ys) {
  ITEM
  global const Q *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7;
  int pair = row_start(row, rank, extents, ss) + first * ss.s7;
  global float *y = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7;
  for (int i = 0; i < count; i++, pair += ss.s7)
    y[i * ys.s7] = (float)((long)x[i * xs.s7] - (long)AT(zero)[pair]) * AT(scale)[pair];
}
