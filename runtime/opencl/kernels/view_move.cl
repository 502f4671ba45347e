// Moves pictures: an item writes four channels of a pixel of a box of the result. tables has for each axis and index in the
// box the index of the input, -1 for the fill value.
//   out    images, blocks of channels, depth, height, width of the box; channels
//   from   places of the tables of images, channels, z, y and x
//   first  where the box begins in the result: image, block of channels, z, y, x
kernel void move_view(X_IN, Y_OUT, FLAT(const int, tables), int8 out, int8 from, int8 first, float fill) {
  TEXEL
  global const int *t = AT(tables);
  int in = t[from.s0 + n], iz = t[from.s2 + pz], iy = t[from.s3 + py], ix = t[from.s4 + px];
  float lanes[4] = {fill, fill, fill, fill};
  if (in >= 0 && iz >= 0 && iy >= 0 && ix >= 0) {
    int present = min(out.s5 - 4 * o, 4), known = -1;
    float block[4];
    for (int k = 0; k < present; k++) {
      int c = t[from.s1 + 4 * o + k];
      if (c < 0)
        continue;
      if (c / 4 != known) {
        known = c / 4;
        vstore4(LOAD_X(in, known, iz, iy, ix), 0, block);
      }
      lanes[k] = block[c % 4];
    }
  }
  STORE_Y(first.s0 + n, first.s1 + o, first.s2 + pz, first.s3 + py, first.s4 + px, vload4(0, lanes));
}
