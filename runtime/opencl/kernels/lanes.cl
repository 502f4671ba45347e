// Vectors of 16 lanes whose last ones may be missing, and what follows a sum.

// Stores the first n lanes.
static inline void store_part(float16 v, global float *to, int n) {
  if (n >= 16) {
    vstore16(v, 0, to);
    return;
  }
  float8 a = v.lo;
  if (n & 8) {
    vstore8(a, 0, to);
    to += 8;
    a = v.hi;
  }
  float4 b = a.lo;
  if (n & 4) {
    vstore4(b, 0, to);
    to += 4;
    b = a.hi;
  }
  float2 c = b.lo;
  if (n & 2) {
    vstore2(c, 0, to);
    to += 2;
    c = b.hi;
  }
  if (n & 1)
    *to = c.x;
}

// Loads the first n lanes, the rest are zeros.
static inline float16 load_part(global const float *from, int n) {
  if (n >= 16)
    return vload16(0, from);
  float8 a = 0, d = 0;
  float4 b = 0, e = 0;
  float2 c = 0, f = 0;
  int at = n & ~1;
  if (n & 1)
    c.x = from[at];
  if (n & 2) {
    at -= 2;
    f = c;
    c = vload2(0, from + at);
  }
  b = (float4)(c, f);
  if (n & 4) {
    at -= 4;
    e = b;
    b = vload4(0, from + at);
  }
  a = (float8)(b, e);
  if (n & 8) {
    d = a;
    a = vload8(0, from);
  }
  return (float16)(a, d);
}

// Loads 16 channels; those beyond the end of the tensor, which no result needs, are zeros.
static inline float16 load_channels(global const float *x, int at, int size) {
  return at + 16 <= size ? vload16(0, x + at) : load_part(x + at, size - at);
}

// The stages of a tail are hexadecimal digits, run from the lowest to the first zero. ADDS tells that one of them adds, so
// that other, its second operand, must be loaded.
#define ADDS (1 << 28)
#define CLAMP(v, least, most) BELOW(float16, ABOVE(float16, v, least), most)
static inline float16 finish(float16 v, float16 slope, float16 other, int tail, float4 limits) {
  for (; tail & 15; tail >>= 4) {
    switch (tail & 15) {
    case 1: v = CLAMP(v, limits.s0, limits.s1); break;
    case 2: v = CLAMP(v, limits.s2, limits.s3); break;
    case 3: v += other; break;
    case 4: v = v < 0.0f ? v * slope : v; break;
    case 5: v = v * CLAMP(v + 3.0f, 0, 6) / 6.0f; break;
    case 6: v = CLAMP(limits.s2 * v + limits.s3, 0, 1); break;
    case 7: v = 1.0f / (1.0f + exp(-v)); break;
    case 8: v = v / (1.0f + exp(-limits.s2 * v)); break;
    }
  }
  return v;
}

