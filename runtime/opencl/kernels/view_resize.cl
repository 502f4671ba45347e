// Resizes pictures: an item computes four channels of a pixel as a weighted sum. tables has for each axis and position of
// the result the positions of the input, taps of them, and weights their weights, in the same places.
//   out     images, blocks of channels, depth, height, width
//   taps    of z, y and x; places of the tables of z, y and x
kernel void resize_view(X_IN, Y_OUT, TAIL, FLAT(const int, tables), FLAT(const float, weights), int8 out, int8 taps) {
  TEXEL
  int zs = taps.s3 + pz * taps.s0, ys = taps.s4 + py * taps.s1, xs = taps.s5 + px * taps.s2;
  float4 v = 0;
  for (int z = zs; z < zs + taps.s0; z++)
    for (int y = ys; y < ys + taps.s1; y++) {
      float share = AT(weights)[z] * AT(weights)[y];
      for (int x = xs; x < xs + taps.s2; x++)
        v += LOAD_X(n, o, AT(tables)[z], AT(tables)[y], AT(tables)[x]) * (share * AT(weights)[x]);
    }
  STORE_Y(n, o, pz, py, px, FINISH(n, o, pz, py, px, v));
}
