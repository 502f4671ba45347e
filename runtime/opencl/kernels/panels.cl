// Packs weights into panels, one for each group and block of columns, which are output channels: the bias of each lane
// of the block, its slope, then for each element of the window and each channel of the common factor one weight a lane.
// Missing lanes are zeros. Before the panels stand zeros, which kernels read in place of padding.
//
//   s       columns of a group, channels of the common factor, lanes, operands given (1 bias, 2 a slope for each column,
//           4 one slope), zeros, and the window's depth, height and width
//   from    where the weights of a group, a column, a channel and a step of the window along each axis are apart
KERNEL(pack_panels, FLAT(const float, w), FLAT(const float, bias), FLAT(const float, slope), FLAT(float, to), int8 s, int8 from, float4 scale) {
  int e = get_global_id(0), block = get_global_id(1), group = get_global_id(2);
  int lanes = s.s2, size = s.s1 * s.s5 * s.s6 * s.s7;
  if (e > size)
    return;
  int blocks = (s.s0 + lanes - 1) / lanes;
  global float *panel = AT(to) + s.s4 + (group * blocks + block) * (size + 2) * lanes;
  int first = block * lanes;
  if (e == size) {
    for (int j = 0; j < lanes; j++) {
      int column = group * s.s0 + first + j;
      bool there = first + j < s.s0;
      panel[j] = there && (s.s3 & 1) ? scale.s1 * AT(bias)[column] : 0;
      panel[lanes + j] = there && (s.s3 & 6) ? AT(slope)[s.s3 & 2 ? column : 0] : 0;
    }
    if (block == 0 && group == 0)
      for (int j = 0; j < s.s4; j++)
        AT(to)[j] = 0;
    return;
  }
  int channel = e % s.s1, tap = e / s.s1;
  int x = tap % s.s7, y = tap / s.s7 % s.s6, z = tap / s.s7 / s.s6;
  global const float *at = AT(w) + group * from.s0 + first * from.s1 + channel * from.s2 + z * from.s3 + y * from.s4 + x * from.s5;
  panel += (2 + e) * lanes;
  for (int j = 0; j < lanes; j++)
    panel[j] = first + j < s.s0 ? scale.s0 * at[j * from.s1] : 0;
}
