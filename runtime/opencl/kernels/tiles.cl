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
#define KEEP(v, lanes) as_float16(as_int16(v) & (lanes))

// PARTS and SKIPS tell whether a tile may be loaded by LOAD_PART and LOAD_SKIP from all channels that begin at the elements
// [first, last] of x: all elements that are read are those of x, which has size elements.
#define PARTS(e, first, last, size) ((e).s1 >> 16 <= PARTLY && (first) + (e).s0 >= 0 && (last) + (e).s0 + 16 <= (size))
#define SKIPS(e, first, last, size) \
  (((e).s1 >> 16 == SKIPPING || (e).s1 >> 16 == NOTHING) && (first) + (e).s0 >= 0 && (last) + (e).s0 + 32 <= (size))
#define LOAD_PART(from, lanes) KEEP(vload16(0, from), lanes)
#define LOAD_SKIP(from, lanes) KEEP((float16)(vload16(0, from).even, vload16(0, (from) + 16).even), lanes)

// The values of a tile in a channel that starts at an element of x, however it is loaded; padding is the value of what is
// no element of x.
static float16 meet(global const float *x, int channel, int size, int2 e, global const int *tables, float padding) {
  int kind = e.s1 >> 16;
  if (kind == STRAIGHT)
    return vload16(0, x + channel + e.s0);
  if (PARTS(e, channel, channel, size))
    return select((float16)(padding), vload16(0, x + channel + e.s0), LANES(e));
  if (SKIPS(e, channel, channel, size)) {
    global const float *from = x + channel + e.s0;
    return select((float16)(padding), (float16)(vload16(0, from).even, vload16(0, from + 16).even), LANES(e));
  }
  float v[16];
  for (int j = 0; j < 16; j++) {
    int at = kind == SCATTERED ? tables[e.s0 + j] : e.s0 + (kind == SKIPPING ? 2 * j : j);
    v[j] = e.s1 >> j & 1 ? x[channel + at] : padding;
  }
  return vload16(0, v);
}
