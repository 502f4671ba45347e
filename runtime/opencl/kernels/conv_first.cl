// Convolutions of channel-first data, in either direction, from panels of 8 lanes or of 4.
//   s  channels of x in all, of y in all, groups; channels of x in a group, of y in a group; tail; tiles; elements of x
//   p  pixels of a channel of x, of y; elements of the window; zeros before the panels

// An item computes 32 pixels of 8 channels.
#define OUTPUTS 8
kernel void conv_first(FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables), int8 s, int8 p, float4 limits) {
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
  for (int tap = 0; tap < taps; tap++) {
    int2 e0 = e[tap], e1 = e[tap + taps];
    int how = e0.s1 >> 16, other = e1.s1 >> 16;
    if (how == NOTHING && other == NOTHING) {
      u += OUTPUTS * channels;
      continue;
    }
    int at = start;
    if (how == STRAIGHT && other == STRAIGHT) {
      for (int c = 0; c < channels; c++, at += p.s0, u += OUTPUTS) {
        float16 v0 = vload16(0, AT(x) + at + e0.s0), v1 = vload16(0, AT(x) + at + e1.s0);
        #pragma unroll
        for (int o = 0; o < OUTPUTS; o++) {
          sum[0][o] += u[o] * v0;
          sum[1][o] += u[o] * v1;
        }
      }
      continue;
    }
    for (int c = 0; c < channels; c++, at += p.s0, u += OUTPUTS) {
      float16 v0 = meet(AT(x), at, s.s7, e0, AT(tables), 0), v1 = meet(AT(x), at, s.s7, e1, AT(tables), 0);
      #pragma unroll
      for (int o = 0; o < OUTPUTS; o++) {
        sum[0][o] += u[o] * v0;
        sum[1][o] += u[o] * v1;
      }
    }
  }
  #pragma unroll
  for (int o = 0; o < OUTPUTS; o++) {
    if (first + o >= outputs)
      return;
    int to = (image * s.s1 + group * outputs + first + o) * p.s1 + tile * 16;
    #pragma unroll
    for (int q = 0; q < 2; q++) {
      int n = p.s1 - (tile + q) * 16;
      if (n <= 0)
        break;
      float16 second = 0;
      if (s.s5 & ADDS)
        second = load_part(AT(r) + to + 16 * q, n);
      store_part(finish(sum[q][o], (float16)(head[OUTPUTS + o]), second, s.s5, limits), AT(y) + to + 16 * q, n);
    }
  }
}

// One channel a group: an item computes 16 pixels of 4 channels.
#define PLANES 4
kernel void depthwise_first(FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables), int8 s, int8 p, float4 limits) {
  int tile = get_global_id(0), first = (int)get_global_id(1) * PLANES, image = get_global_id(2);
  int taps = p.s2;
  if (tile >= s.s6 || first >= s.s0)
    return;
  global const float *head = AT(w) + p.s3 + first * (2 + taps);
  global const float *u = head + 2 * PLANES;
  global const int2 *e = (global const int2 *)AT(tables) + tile * taps;
  int at[PLANES];
  float16 sum[PLANES];
  #pragma unroll
  for (int c = 0; c < PLANES; c++) {
    at[c] = (image * s.s0 + min(first + c, s.s0 - 1)) * p.s0;
    sum[c] = head[c];
  }
  for (int tap = 0; tap < taps; tap++, u += PLANES) {
    int2 k = e[tap];
    switch (k.s1 >> 16) {
    case NOTHING:
      continue;
    case STRAIGHT:
      #pragma unroll
      for (int c = 0; c < PLANES; c++)
        sum[c] += u[c] * vload16(0, AT(x) + at[c] + k.s0);
      continue;
    }
    #pragma unroll
    for (int c = 0; c < PLANES; c++)
      sum[c] += u[c] * meet(AT(x), at[c], s.s7, k, AT(tables), 0);
  }
  int n = p.s1 - tile * 16;
  #pragma unroll
  for (int c = 0; c < PLANES; c++) {
    if (first + c >= s.s0)
      return;
    int to = (image * s.s0 + first + c) * p.s1 + tile * 16;
    float16 second = 0;
    if (s.s5 & ADDS)
      second = load_part(AT(r) + to, n);
    store_part(finish(sum[c], (float16)(head[PLANES + c]), second, s.s5, limits), AT(y) + to, n);
  }
}
