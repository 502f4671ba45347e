// Maxima of any element type T, with the places that they have in the flattened input: an item computes one result. The
// first of equal ones counts, and a NaN is the maximum.
//   in      planes, which are the channels of all images; depth, height, width; elements from a channel's pixel to the
//           next, 1 for channel-first data; 1 to count places column by column; 1 if places are wanted
//   out     depth, height, width
//   window  depth, height, width; places of the tables of z, y and x
kernel void max_places(FLAT(const T, x), FLAT(T, y), FLAT(long, places), FLAT(const int, tables), int8 in, int8 out, int8 window, T lowest) {
  int pixel = get_global_id(0), plane = get_global_id(1), step = in.s4;
  if (pixel >= out.s0 * out.s1 * out.s2 || plane >= in.s0)
    return;
  int line = pixel / out.s2, area = in.s1 * in.s2 * in.s3;
  global const int *zs = AT(tables) + window.s3 + line / out.s1 * window.s0;
  global const int *ys = AT(tables) + window.s4 + line % out.s1 * window.s1;
  global const int *xs = AT(tables) + window.s5 + pixel % out.s2 * window.s2;
  int from = plane / step * area * step + plane % step;
  T best = lowest;
  int at = -1;
  for (int kz = 0; kz < window.s0; kz++)
    for (int ky = 0; ky < window.s1; ky++)
      for (int kx = 0; kx < window.s2; kx++) {
        if (zs[kz] < 0 || ys[ky] < 0 || xs[kx] < 0)
          continue;
        int p = (zs[kz] * in.s2 + ys[ky]) * in.s3 + xs[kx];
        T v = AT(x)[from + p * step];
        if (at < 0 || v > best || v != v) {
          best = v;
          at = p;
        }
      }
  AT(y)[plane / step * out.s0 * out.s1 * out.s2 * step + plane % step + pixel * step] = best;
  if (!in.s6)
    return;
  if (in.s5 && at >= 0) {
    int x = at % in.s3, y = at / in.s3 % in.s2, z = at / in.s3 / in.s2;
    at = (x * in.s2 + y) * in.s1 + z;
  }
  AT(places)[plane * out.s0 * out.s1 * out.s2 + pixel] = plane * area + at;
}
