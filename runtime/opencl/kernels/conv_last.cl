// Convolutions of channel-last data, in either direction: an item computes 8 pixels of one or two blocks of 16 output
// channels. The tables have for each axis, position of the output and element of the window the position of the input
// that they meet, -1 for padding; before them the positions along x in the order in which items take them, so that the
// pixels of an item of a transposed convolution meet the same elements.
//   in      images, depth, height, width, channels; groups; channels of a group; tail
//   out     depth, height, width, channels; channels of a group; 1 if a row of the window is one run of memory
//   window  depth, height, width; places of the tables of z, y and x; zeros before the panels
#define PIXELS 8
#define CONV_LAST(name, BLOCKS) \
  KERNEL(name, FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables), int8 in, int8 out, int8 window, float4 limits) { \
    int column = (int)get_global_id(0) * 16 * BLOCKS, tile = get_global_id(1), group = get_global_id(2); \
    int columns = out.s4, channels = in.s6, area = out.s0 * out.s1 * out.s2, pixels = in.s0 * area; \
    if (column >= columns || tile * PIXELS >= pixels) \
      return; \
    global const int *order = AT(tables), *zs[PIXELS], *ys[PIXELS], *xs[PIXELS]; \
    int image[PIXELS], to[PIXELS]; \
    _Pragma("unroll") for (int j = 0; j < PIXELS; j++) { \
      int p = min(tile * PIXELS + j, pixels - 1), rest = p % area; \
      int px = order[rest % out.s2], line = rest / out.s2; \
      image[j] = p / area * in.s1; \
      to[j] = p - rest % out.s2 + px; \
      zs[j] = order + window.s3 + line / out.s1 * window.s0; \
      ys[j] = order + window.s4 + line % out.s1 * window.s1; \
      xs[j] = order + window.s5 + px * window.s2; \
    } \
    int panel = HEAD + 16 * window.s0 * window.s1 * window.s2 * channels; \
    global const float *head = AT(w) + window.s6 + (group * ((columns + 15) / 16) + column / 16) * panel; \
    global const float *next = BLOCKS > 1 && column + 16 < columns ? head + panel : head; \
    START_ROWS(PIXELS, BLOCKS) \
    global const float *from[PIXELS]; \
    for (int kz = 0; kz < window.s0; kz++) \
      for (int ky = 0; ky < window.s1; ky++) { \
        int row[PIXELS], any = 0, whole = out.s5; \
        _Pragma("unroll") for (int j = 0; j < PIXELS; j++) { \
          int iz = zs[j][kz], iy = ys[j][ky]; \
          row[j] = iz < 0 || iy < 0 ? -1 : ((image[j] + iz) * in.s2 + iy) * in.s3; \
          any |= row[j] >= 0; \
          whole &= row[j] < 0 || (xs[j][0] >= 0 && xs[j][window.s2 - 1] >= 0); \
        } \
        if (!any) \
          continue; \
        int run = whole ? window.s2 : 1; \
        for (int kx = 0; kx < window.s2; kx += run) { \
          any = 0; \
          _Pragma("unroll") for (int j = 0; j < PIXELS; j++) { \
            int ix = xs[j][kx]; \
            bool inside = row[j] >= 0 && ix >= 0; \
            any |= inside; \
            from[j] = inside ? AT(x) + (row[j] + ix) * in.s4 + group * channels : AT(w); \
          } \
          if (!any) \
            continue; \
          int tap = ((kz * window.s1 + ky) * window.s2 + kx) * channels * 16; \
          global const float *a = head + HEAD + tap, *b = next + HEAD + tap; \
          ADD_ROWS(PIXELS, BLOCKS, run * channels) \
        } \
      } \
    _Pragma("unroll") for (int j = 0; j < PIXELS; j++) \
      _Pragma("unroll") for (int q = 0; q < BLOCKS; q++) { \
        int first = column + 16 * q, n = columns - first, at = to[j] * out.s3 + group * columns + first; \
        if (tile * PIXELS + j < pixels && n > 0) { \
          float16 other = 0; \
          if (in.s7 & ADDS) \
            other = load_part(AT(r) + at, n); \
          float16 v = finish(sum[j][q], vload16(1, q ? next : head), other, in.s7, limits); \
          store_part(v, AT(y) + at, n); \
        } \
      } \
  }

CONV_LAST(conv_last_16, 1)
CONV_LAST(conv_last_32, 2)

// Convolutions of channel-last data with one channel a group: an item computes 16 channels of a row, 4 pixels at a time.
// The arguments are those of CONV_LAST, but out.s5 is the number of elements of x, and window.s7 the pixels from one
// element of the window to the next, 0 when they are not evenly apart.
#define ROW 4

// The sums of 4 pixels from px on of a line, in 16 channels, of which n are there. w and tables are as the kernels take them.
static inline __attribute__((always_inline)) void sum_row(float16 *sum, global const float *x, global const float *w, global const int *tables, int8 in, int8 out, int8 window, int line, int px, int channel) {
  int area = out.s0 * out.s1, channels = in.s4, n = channels - channel;
  int image = line / area, rest = line % area, step = window.s7 * channels;
  global const int *zs = tables + window.s3 + rest / out.s1 * window.s0;
  global const int *ys = tables + window.s4 + rest % out.s1 * window.s1;
  global const float *head = w + window.s6 + channel / 16 * (HEAD + 16 * window.s0 * window.s1 * window.s2);
  global const int *xs[ROW];
  int whole = window.s7;
  #pragma unroll
  for (int j = 0; j < ROW; j++) {
    xs[j] = tables + window.s5 + min(px + j, out.s2 - 1) * window.s2;
    whole = whole && xs[j][0] >= 0 && xs[j][window.s2 - 1] >= 0;
    sum[j] = vload16(0, head);
  }
  for (int kz = 0; kz < window.s0; kz++)
    for (int ky = 0; ky < window.s1; ky++) {
      int iz = zs[kz], iy = ys[ky];
      if (iz < 0 || iy < 0)
        continue;
      int row = ((image * in.s1 + iz) * in.s2 + iy) * in.s3;
      global const float *taps = head + HEAD + (kz * window.s1 + ky) * window.s2 * 16;
      // Only in the last row of the tensor a load may reach beyond its end.
      bool last = n < 16 && (row + in.s3) * channels + 16 > out.s5;
      if (whole && !last) {
        global const float *from[ROW];
        #pragma unroll
        for (int j = 0; j < ROW; j++)
          from[j] = x + (row + xs[j][0]) * channels + channel;
        for (int kx = 0; kx < window.s2; kx++) {
          float16 u = vload16(kx, taps);
          #pragma unroll
          for (int j = 0; j < ROW; j++) {
            sum[j] += vload16(0, from[j]) * u;
            from[j] += step;
          }
        }
      } else if (last) {
        for (int kx = 0; kx < window.s2; kx++) {
          float16 u = vload16(kx, taps);
          #pragma unroll
          for (int j = 0; j < ROW; j++) {
            int ix = xs[j][kx];
            sum[j] += load_part(ix < 0 ? w : x + (row + ix) * channels + channel, n) * u;
          }
        }
      } else {
        for (int kx = 0; kx < window.s2; kx++) {
          float16 u = vload16(kx, taps);
          #pragma unroll
          for (int j = 0; j < ROW; j++) {
            int ix = xs[j][kx];
            sum[j] += vload16(0, ix < 0 ? w : x + (row + ix) * channels + channel) * u;
          }
        }
      }
    }
}

KERNEL(depthwise_last, FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables), int8 in, int8 out, int8 window, float4 limits) {
  int channel = (int)get_global_id(0) * 16, line = get_global_id(1);
  int channels = in.s4, n = channels - channel;
  if (n <= 0 || line >= in.s0 * out.s0 * out.s1)
    return;
  global const float *head = AT(w) + window.s6 + channel / 16 * (HEAD + 16 * window.s0 * window.s1 * window.s2);
  float16 slope = vload16(1, head);
  for (int px = 0; px < out.s2; px += ROW) {
    float16 sum[ROW];
    sum_row(sum, AT(x), AT(w), AT(tables), in, out, window, line, px, channel);
    #pragma unroll
    for (int j = 0; j < ROW; j++)
      if (px + j < out.s2) {
        int at = (line * out.s2 + px + j) * channels + channel;
        float16 other = 0;
        if (in.s7 & ADDS)
          other = load_part(AT(r) + at, n);
        store_part(finish(sum[j], slope, other, in.s7, limits), AT(y) + at, n);
      }
  }
}

// A depthwise convolution, from the panels w, and the pointwise one that reads its results, from the panels v: an item computes
// 8 pixels of a row, and holds all their channels between the two. The arguments are those of depthwise_last; out.s4 is the
// channels of y, out.s6 the tail of the second, and in.s7 that of the first.
KERNEL(separable_last, FLAT(const float, x), FLAT(const float, w), FLAT(const float, v), FLAT(float, y), FLAT(const float, r), FLAT(const int, tables),
                           local float *held, int8 in, int8 out, int8 window, float4 limits, float4 limits2) {
  int px = (int)get_global_id(0) * PIXELS, line = get_global_id(1);
  int channels = in.s4, columns = out.s4, wide = (channels + 15) / 16 * 16;
  if (px >= out.s2 || line >= in.s0 * out.s0 * out.s1)
    return;
  for (int channel = 0; channel < channels; channel += 16)
    for (int q = 0; q < PIXELS; q += ROW) {
      float16 sum[ROW];
      sum_row(sum, AT(x), AT(w), AT(tables), in, out, window, line, px + q, channel);
      #pragma unroll
      for (int j = 0; j < ROW; j++)
        vstore16(finish(sum[j], 0, 0, in.s7, limits), 0, held + (q + j) * wide + channel);
    }
  local const float *from[PIXELS];
  #pragma unroll
  for (int j = 0; j < PIXELS; j++)
    from[j] = held + j * wide;
  int panel = HEAD + 16 * channels;
  for (int column = 0; column < columns; column += 32) {
    global const float *head = AT(v) + column / 16 * panel;
    global const float *next = column + 16 < columns ? head + panel : head;
    START_ROWS(PIXELS, 2)
    global const float *a = head + HEAD, *b = next + HEAD;
    ADD_ROWS(PIXELS, 2, channels)
    #pragma unroll
    for (int j = 0; j < PIXELS; j++)
      #pragma unroll
      for (int q = 0; q < 2; q++) {
        int first = column + 16 * q, n = columns - first, at = (line * out.s2 + px + j) * columns + first;
        if (px + j < out.s2 && n > 0) {
          float16 other = 0;
          if (out.s6 & ADDS)
            other = load_part(AT(r) + at, n);
          store_part(finish(sum[j][q], vload16(1, q ? next : head), other, out.s6, limits2), AT(y) + at, n);
        }
      }
  }
}
