// Convolutions of channel-first data, in either direction, from panels of 8 lanes.
//   s  channels of x in all, of y in all, groups; channels of x in a group, of y in a group; tail; tiles; elements of x
//   p  pixels of a channel of x, of y; elements of the window; zeros before the panels

// An item computes 32 pixels of 8 channels. ADD_TILES adds the products of two tiles in all channels with the weights of
// one element of the window.
#define OUTPUTS 8
#define ADD_TILES(load0, load1) \
  for (int c = 0; c < channels; c++, u += OUTPUTS, from0 += p.s0, from1 += p.s0) { \
    float16 v0 = load0, v1 = load1; \
    _Pragma("unroll") for (int o = 0; o < OUTPUTS; o++) { \
      sum[0][o] += u[o] * v0; \
      sum[1][o] += u[o] * v1; \
    } \
  }
KERNEL(conv_first, FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables), int8 s, int8 p, float4 limits) {
  int tile = (int)get_global_id(0) * 2, block = get_global_id(1), image = get_global_id(2);
  int channels = s.s3, outputs = s.s4, taps = p.s2;
  int blocks = (outputs + OUTPUTS - 1) / OUTPUTS;
  if (tile >= s.s6 || block >= blocks * s.s2)
    return;
  int group = block / blocks, first = block % blocks * OUTPUTS;
  global const float *head = AT(w) + p.s3 + block * OUTPUTS * (2 + taps * channels);
  global const float *u = head + 2 * OUTPUTS;
  float16 sum[2][OUTPUTS];
  #pragma unroll
  for (int o = 0; o < OUTPUTS; o++)
    sum[0][o] = sum[1][o] = head[o];
  global const int2 *e = (global const int2 *)AT(tables) + tile * taps;
  int start = (image * s.s0 + group * channels) * p.s0;
  int last = start + (channels - 1) * p.s0;
  for (int tap = 0; tap < taps; tap++) {
    int2 e0 = e[tap], e1 = e[tap + taps];
    int how = e0.s1 >> 16, other = e1.s1 >> 16;
    global const float *from0 = AT(x) + start + e0.s0, *from1 = AT(x) + start + e1.s0;
    if (how == NOTHING && other == NOTHING) {
      u += OUTPUTS * channels;
    } else if (how == STRAIGHT && other == STRAIGHT) {
      ADD_TILES(vload16(0, from0), vload16(0, from1))
    } else if (PARTS(e0, start, last, s.s7) && PARTS(e1, start, last, s.s7)) {
      int16 lanes0 = LANES(e0), lanes1 = LANES(e1);
      ADD_TILES(LOAD_PART(from0, lanes0), LOAD_PART(from1, lanes1))
    } else if (SKIPS(e0, start, last, s.s7) && SKIPS(e1, start, last, s.s7)) {
      int16 lanes0 = LANES(e0), lanes1 = LANES(e1);
      ADD_TILES(LOAD_SKIP(from0, lanes0), LOAD_SKIP(from1, lanes1))
    } else {
      ADD_TILES(meet(AT(x), start + c * p.s0, s.s7, e0, AT(tables), 0), meet(AT(x), start + c * p.s0, s.s7, e1, AT(tables), 0))
    }
  }
  #pragma unroll
  for (int o = 0; o < OUTPUTS; o++)
    #pragma unroll
    for (int q = 0; q < 2; q++) {
      int n = p.s1 - (tile + q) * 16;
      if (first + o < outputs && n > 0) {
        int to = (image * s.s1 + group * outputs + first + o) * p.s1 + (tile + q) * 16;
        float16 second = 0;
        if (s.s5 & ADDS)
          second = load_part(AT(r) + to, n);
        store_part(finish(sum[q][o], (float16)(head[OUTPUTS + o]), second, s.s5, limits), AT(y) + to, n);
      }
    }
}

// One channel a group: an item computes 16 pixels of 8 channels.
#define PLANES 8
#define ADD_PLANES(load) \
  _Pragma("unroll") for (int c = 0; c < PLANES; c++) \
    sum[c] += u[c] * load;

// The sums of a tile in 8 channels, which start at the elements at[] of x, from a panel's head on; e is of the tile.
static inline __attribute__((always_inline)) void sum_planes(float16 *sum, const int *at, global const float *x, int size, global const float *head, global const int *tables, global const int2 *e, int taps) {
  global const float *u = head + 2 * PLANES;
  #pragma unroll
  for (int c = 0; c < PLANES; c++)
    sum[c] = head[c];
  for (int tap = 0; tap < taps; tap++, u += PLANES) {
    int2 k = e[tap];
    int how = k.s1 >> 16;
    int16 lanes = LANES(k);
    if (how == NOTHING)
      continue;
    if (how == STRAIGHT) {
      ADD_PLANES(vload16(0, x + at[c] + k.s0))
    } else if (PARTS(k, at[0], at[PLANES - 1], size)) {
      ADD_PLANES(LOAD_PART(x + at[c] + k.s0, lanes))
    } else if (SKIPS(k, at[0], at[PLANES - 1], size)) {
      ADD_PLANES(LOAD_SKIP(x + at[c] + k.s0, lanes))
    } else {
      ADD_PLANES(meet(x, at[c], size, k, tables, 0))
    }
  }
}

KERNEL(depthwise_first, FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables), int8 s, int8 p, float4 limits) {
  int tile = get_global_id(0), first = (int)get_global_id(1) * PLANES, image = get_global_id(2);
  int taps = p.s2;
  if (tile >= s.s6 || first >= s.s0)
    return;
  global const float *head = AT(w) + p.s3 + first * (2 + taps);
  int at[PLANES];
  #pragma unroll
  for (int c = 0; c < PLANES; c++)
    at[c] = (image * s.s0 + min(first + c, s.s0 - 1)) * p.s0;
  float16 sum[PLANES];
  sum_planes(sum, at, AT(x), s.s7, head, AT(tables), (global const int2 *)AT(tables) + tile * taps, taps);
  int n = p.s1 - tile * 16;
  #pragma unroll
  for (int c = 0; c < PLANES; c++)
    if (first + c < s.s0) {
      int to = (image * s.s0 + first + c) * p.s1 + tile * 16;
      float16 second = 0;
      if (s.s5 & ADDS)
        second = load_part(AT(r) + to, n);
      store_part(finish(sum[c], (float16)(head[PLANES + c]), second, s.s5, limits), AT(y) + to, n);
    }
}

// A depthwise convolution, from the panels w, and the pointwise one that reads its results, from the panels v: an item computes
// two tiles, and holds all channels of their pixels between the two.
//   s  channels of x, of y; tails of both; tiles; elements of x
//   p  pixels of a channel of x, of y; elements of the window
KERNEL(separable_first, FLAT(const float, x), FLAT(const float, w), FLAT(const float, v), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables),
                            local float *held, int8 s, int8 p, float4 limits, float4 limits2) {
  int tile = (int)get_global_id(0) * 2, image = get_global_id(1);
  int channels = s.s0, outputs = s.s1, taps = p.s2;
  if (tile >= s.s4)
    return;
  for (int first = 0; first < channels; first += PLANES) {
    global const float *head = AT(w) + first * (2 + taps);
    int at[PLANES];
    #pragma unroll
    for (int c = 0; c < PLANES; c++)
      at[c] = (image * channels + min(first + c, channels - 1)) * p.s0;
    for (int q = 0; q < 2; q++) {
      float16 sum[PLANES];
      sum_planes(sum, at, AT(x), s.s5, head, AT(tables), (global const int2 *)AT(tables) + (tile + q) * taps, taps);
      #pragma unroll
      for (int c = 0; c < PLANES; c++)
        vstore16(finish(sum[c], 0, 0, s.s2, limits), (first + c) * 2 + q, held);
    }
  }
  for (int first = 0; first < outputs; first += OUTPUTS) {
    global const float *head = AT(v) + first * (2 + channels), *u = head + 2 * OUTPUTS;
    float16 sum[2][OUTPUTS];
    #pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
      sum[0][o] = sum[1][o] = head[o];
    for (int c = 0; c < channels; c++, u += OUTPUTS) {
      float16 v0 = vload16(2 * c, held), v1 = vload16(2 * c + 1, held);
      #pragma unroll
      for (int o = 0; o < OUTPUTS; o++) {
        sum[0][o] += u[o] * v0;
        sum[1][o] += u[o] * v1;
      }
    }
    #pragma unroll
    for (int o = 0; o < OUTPUTS; o++)
      #pragma unroll
      for (int q = 0; q < 2; q++) {
        int n = p.s1 - (tile + q) * 16;
        if (first + o < outputs && n > 0) {
          int to = (image * outputs + first + o) * p.s1 + (tile + q) * 16;
          float16 second = 0;
          if (s.s3 & ADDS)
            second = load_part(AT(r) + to, n);
          store_part(finish(sum[q][o], (float16)(head[OUTPUTS + o]), second, s.s3, limits2), AT(y) + to, n);
        }
      }
  }
}
