// Channel-first windows: 16 pixels of the output, in the order of memory, are a tile. A table says for each tile and
// each element of the window, by two numbers, what the pixels meet in a channel of the input:
//   .s0  the place of the first pixel's, or of 16 places in the table
//   .s1  the pixels that meet no padding, a bit each, and above them how to load:
//        0 nothing, 1 all 16 from one place on, 2 some of them, 3 every other one, 4 each from its own place
#define NOTHING 0
#define STRAIGHT 1
#define PARTLY 2
#define SKIPPING 3
#define SCATTERED 4

#define BITS ((int16)(1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768))
// All bits of a lane whose pixel meets no padding.
#define LANES(e) (((int16)((e).s1) & BITS) != 0)

// The values of a tile in a channel that starts at an element of x, which has size elements; lanes has what padding is
// replaced by in the others. The elements that are read are those of x alone.
static float16 meet(global const float *x, int channel, int size, int2 e, global const int *tables, float padding) {
  int16 inside = LANES(e);
  int at = channel + e.s0;
  float16 v;
  switch (e.s1 >> 16) {
  case NOTHING:
    return padding;
  case STRAIGHT:
    return vload16(0, x + at);
  case PARTLY:
    if (at >= 0 && at + 16 <= size) {
      v = vload16(0, x + at);
      break;
    }
    for (int j = 0; j < 16; j++)
      ((float *)&v)[j] = e.s1 >> j & 1 ? x[at + j] : padding;
    return v;
  case SKIPPING:
    if (at >= 0 && at + 32 <= size) {
      float16 a = vload16(0, x + at), b = vload16(0, x + at + 16);
      v = (float16)(a.even, b.even);
      break;
    }
    for (int j = 0; j < 16; j++)
      ((float *)&v)[j] = e.s1 >> j & 1 ? x[at + 2 * j] : padding;
    return v;
  default:
    for (int j = 0; j < 16; j++)
      ((float *)&v)[j] = e.s1 >> j & 1 ? x[channel + tables[e.s0 + j]] : padding;
    return v;
  }
  return select((float16)(padding), v, inside);
}
