// Poolings of pictures: an item computes four channels of a pixel. tables are those of pool.cl.
//   out     images, blocks of channels, depth, height, width
//   window  depth, height, width; places of the tables of z, y and x
//   counts  places of the tables of the numbers of elements that count along z, y and x
kernel void pool_view(X_IN, Y_OUT, TAIL, FLAT(const int, tables), int8 out, int8 window, int8 counts) {
  TEXEL
  global const int *zs = AT(tables) + window.s3 + pz * window.s0;
  global const int *ys = AT(tables) + window.s4 + py * window.s1;
  global const int *xs = AT(tables) + window.s5 + px * window.s2;
#ifdef AVERAGE
  float4 v = 0;
#else
  float4 v = -INFINITY;
#endif
  for (int kz = 0; kz < window.s0; kz++)
    for (int ky = 0; ky < window.s1; ky++)
      for (int kx = 0; kx < window.s2; kx++) {
        int iz = zs[kz], iy = ys[ky], ix = xs[kx];
        if (iz < 0 || iy < 0 || ix < 0)
          continue;
        float4 u = LOAD_X(n, o, iz, iy, ix);
#ifdef AVERAGE
        v += u;
#else
        v = (u > v) | isnan(u) ? u : v;
#endif
      }
#ifdef AVERAGE
  global const int *t = AT(tables);
  v /= (float)(t[counts.s0 + pz] * t[counts.s1 + py] * t[counts.s2 + px]);
#endif
  STORE_Y(n, o, pz, py, px, FINISH(n, o, pz, py, px, v));
}
