// Pooling of float32. RAISE(best, v) is the larger one, or a NaN that either is.
#define RAISE(best, v) ((((v) > (best)) | isnan(v)) ? (v) : (best))

// The power of a magnitude, and the root that undoes it.
static float16 power_of(float16 v, int p) { return p == 1 ? fabs(v) : p == 2 ? v * v : pow(fabs(v), (float16)p); }
static float16 root_of(float16 v, int p) { return p == 1 ? v : p == 2 ? sqrt(v) : pow(v, (float16)(1.0f / p)); }

#define LARGEST(sum, v) sum = RAISE(sum, v)
#define ADD(sum, v) sum += v
#define ADD_POWER(sum, v) sum += power_of(v, in.s5)

#define AS_IS sum
#define MEAN (sum / divisor)
#define ROOT root_of(sum, in.s5)

// POOL_LAST is a pooling of channel-last data; an item computes 16 channels of one pixel. The tables have for each axis,
// position of the output and element of the window the position of the input that they meet, -1 for padding, and how many
// elements of the window count at each position.
//   in      images, depth, height, width, channels; power; elements of x
//   out     depth, height, width; places of the counts of z, y and x
//   window  depth, height, width; places of the tables of z, y and x
#define POOL_LAST(name, START, TAKE, END) \
  KERNEL(name, FLAT(const float, x), FLAT(float, y), FLAT(const int, tables), int8 in, int8 out, int8 window) { \
    int channel = (int)get_global_id(0) * 16, px = get_global_id(1), line = get_global_id(2); \
    int channels = in.s4, area = out.s0 * out.s1; \
    if (channel >= channels || px >= out.s2) \
      return; \
    int rest = line % area, pz = rest / out.s1, py = rest % out.s1; \
    global const int *t = AT(tables); \
    global const int *zs = t + window.s3 + pz * window.s0, *ys = t + window.s4 + py * window.s1, *xs = t + window.s5 + px * window.s2; \
    float divisor = t[out.s3 + pz] * t[out.s4 + py] * t[out.s5 + px]; \
    float16 sum = START; \
    for (int kz = 0; kz < window.s0; kz++) \
      for (int ky = 0; ky < window.s1; ky++) { \
        if (zs[kz] < 0 || ys[ky] < 0) \
          continue; \
        int row = ((line / area * in.s1 + zs[kz]) * in.s2 + ys[ky]) * in.s3; \
        for (int kx = 0; kx < window.s2; kx++) \
          if (xs[kx] >= 0) { \
            int at = (row + xs[kx]) * channels + channel; \
            float16 v = load_channels(AT(x), at, in.s6); \
            TAKE(sum, v); \
          } \
      } \
    store_part(END, AT(y) + (line * out.s2 + px) * channels + channel, channels - channel); \
  }

POOL_LAST(max_last, -INFINITY, LARGEST, AS_IS)
POOL_LAST(average_last, 0, ADD, MEAN)
POOL_LAST(power_last, 0, ADD_POWER, ROOT)

// POOL_FIRST is a pooling of channel-first data; an item computes 16 pixels of one channel.
//   in  planes, which are the channels of all images; pixels of a plane, of one of the output; elements of the window;
//       place of the counts of the pixels in the tables; power; elements of x
#define POOL_FIRST(name, START, TAKE, END) \
  KERNEL(name, FLAT(const float, x), FLAT(float, y), FLAT(const int, tables), int8 in) { \
    int tile = get_global_id(0), plane = get_global_id(1); \
    int n = in.s2 - tile * 16; \
    if (n <= 0 || plane >= in.s0) \
      return; \
    global const int2 *e = (global const int2 *)AT(tables) + tile * in.s3; \
    float16 sum = START; \
    for (int k = 0; k < in.s3; k++) { \
      float16 v = meet(AT(x), plane * in.s1, in.s6, e[k], AT(tables), START); \
      TAKE(sum, v); \
    } \
    float16 divisor = convert_float16(vload16(tile, AT(tables) + in.s4)); \
    store_part(END, AT(y) + plane * in.s2 + tile * 16, n); \
  }

POOL_FIRST(max_first, -INFINITY, LARGEST, AS_IS)
POOL_FIRST(average_first, 0, ADD, MEAN)
POOL_FIRST(power_first, 0, ADD_POWER, ROOT)

// GLOBAL is a pooling over all pixels. Of channel-first data an item computes a channel, 16 pixels at a time; ALL joins
// the lanes.
//   in  planes, which are the channels of all images, or for channel-last data the images; pixels; channels; power as s5
#define JOIN_LANES(J, v, to) \
  float8 a8 = J(v.lo, v.hi); \
  float4 a4 = J(a8.lo, a8.hi); \
  float2 a2 = J(a4.lo, a4.hi); \
  float to = J(a2.x, a2.y);
#define PLUS(a, b) ((a) + (b))
#define LARGER(a, b) ((((b) > (a)) | isnan(b)) ? (b) : (a))
#define GLOBAL(name, START, TAKE, J, END) \
  KERNEL(name##_global_first, FLAT(const float, x), FLAT(float, y), int8 in) { \
    int plane = get_global_id(0), pixels = in.s1, i = 0; \
    if (plane >= in.s0) \
      return; \
    global const float *from = AT(x) + plane * pixels; \
    float16 lanes = START; \
    for (; i + 16 <= pixels; i += 16) { \
      float16 v = vload16(0, from + i); \
      TAKE(lanes, v); \
    } \
    if (i < pixels) { \
      float16 v = load_part(from + i, pixels - i); \
      v = (LANE < pixels - i) ? v : START; \
      TAKE(lanes, v); \
    } \
    JOIN_LANES(J, lanes, joined) \
    float16 sum = joined; \
    float divisor = pixels; \
    float16 all = END; \
    AT(y)[plane] = all.s0; \
  } \
  KERNEL(name##_global_last, FLAT(const float, x), FLAT(float, y), int8 in) { \
    int channel = (int)get_global_id(0) * 16, image = get_global_id(1), pixels = in.s1, channels = in.s2; \
    if (channel >= channels || image >= in.s0) \
      return; \
    int n = channels - channel; \
    global const float *from = AT(x) + image * pixels * channels + channel; \
    float16 sum = START; \
    for (int i = 0; i < pixels; i++) { \
      float16 v = load_part(from + i * channels, n); \
      TAKE(sum, v); \
    } \
    float divisor = pixels; \
    store_part(END, AT(y) + image * channels + channel, n); \
  }
#define LANE ((int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15))

GLOBAL(max, (float16)(-INFINITY), LARGEST, LARGER, AS_IS)
GLOBAL(average, (float16)(0), ADD, PLUS, MEAN)
GLOBAL(power, (float16)(0), ADD_POWER, PLUS, ROOT)
