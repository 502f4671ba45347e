// Operands of kernels that compute four channels of a picture at a time. A view is an image, or flat memory in any order of
// axes, whichever the macro of the operand says: X_IMAGE for x, and so on. The texel of image n, block of four channels c
// and position (z, y, x) stands at the sums of these numbers times the steps s0 to s4 of the view, which are 0 along axes
// that repeat. s5 is the step from one channel of a block to the next (in an image 1 when the first stands for all), and s6
// the number of channels. What is missing to four in the last block is zeros in an image, and stays so.

constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

#define STEPS(s, n, c, pz, py, px) ((n) * s.s0 + (c) * s.s1 + (pz) * s.s2 + (py) * s.s3 + (px) * s.s4)

static inline float4 load_image(read_only image2d_t image, int8 column, int8 row, int n, int c, int z, int y, int x) {
  float4 v = read_imagef(image, exact, (int2)(STEPS(column, n, c, z, y, x), STEPS(row, n, c, z, y, x)));
  return column.s5 ? v.xxxx : v;
}

static inline float4 load_flat(global const float *from, int lane, int present) {
  float4 v = from[0];
  v.y = present > 1 ? from[lane] : 0;
  v.z = present > 2 ? from[2 * lane] : 0;
  v.w = present > 3 ? from[3 * lane] : 0;
  return v;
}

static inline void store_flat(float4 v, global float *to, int lane, int present) {
  to[0] = v.x;
  if (present > 1)
    to[lane] = v.y;
  if (present > 2)
    to[2 * lane] = v.z;
  if (present > 3)
    to[3 * lane] = v.w;
}

static inline float4 padded(float4 v, int present) {
  return (float4)(v.x, present > 1 ? v.y : 0, present > 2 ? v.z : 0, present > 3 ? v.w : 0);
}

#define IMAGE_IN(name) read_only image2d_t name##_image, int8 name##_column, int8 name##_row
#define FLAT_IN(name) FLAT(const float, name), int8 name##_column, int8 name##_row
#define LOAD_IMAGE(name, n, c, pz, py, px) load_image(name##_image, name##_column, name##_row, n, c, pz, py, px)
#define LOAD_FLAT(name, n, c, pz, py, px) load_flat(AT(name) + STEPS(name##_column, n, c, pz, py, px), name##_column.s5, name##_column.s6 - 4 * (c))

#ifdef X_IMAGE
#define X_IN IMAGE_IN(x)
#define LOAD_X(n, c, pz, py, px) LOAD_IMAGE(x, n, c, pz, py, px)
#else
#define X_IN FLAT_IN(x)
#define LOAD_X(n, c, pz, py, px) LOAD_FLAT(x, n, c, pz, py, px)
#endif

// The second operand: the other side of an operation, or weights, whose blocks of lanes are counted by n.
#ifdef WEIGHTS
#define W_BLOCK(n, c) (n)
#else
#define W_BLOCK(n, c) (c)
#endif
#ifdef W_IMAGE
#define W_IN IMAGE_IN(w)
#define LOAD_W(n, c, pz, py, px) LOAD_IMAGE(w, n, c, pz, py, px)
#else
#define W_IN FLAT_IN(w)
#define LOAD_W(n, c, pz, py, px) load_flat(AT(w) + STEPS(w_column, n, c, pz, py, px), w_column.s5, w_column.s6 - 4 * W_BLOCK(n, c))
#endif

// What a fused addition adds.
#ifdef R_IMAGE
#define R_IN IMAGE_IN(r)
#define LOAD_R(n, c, pz, py, px) LOAD_IMAGE(r, n, c, pz, py, px)
#else
#define R_IN FLAT_IN(r)
#define LOAD_R(n, c, pz, py, px) LOAD_FLAT(r, n, c, pz, py, px)
#endif

#ifdef Y_IMAGE
#define Y_OUT write_only image2d_t y_image, int8 y_column, int8 y_row
#define STORE_Y(n, c, pz, py, px, v) \
  write_imagef(y_image, (int2)(STEPS(y_column, n, c, pz, py, px), STEPS(y_row, n, c, pz, py, px)), padded(v, y_column.s6 - 4 * (c)))
#else
#define Y_OUT FLAT(float, y), int8 y_column, int8 y_row
#define STORE_Y(n, c, pz, py, px, v) \
  store_flat(v, AT(y) + STEPS(y_column, n, c, pz, py, px), y_column.s5, y_column.s6 - 4 * (c))
#endif

// The stages of a tail, as in lanes.cl.
#define ADDS (1 << 28)
#define CLAMP(v, least, most) BELOW(float4, ABOVE(float4, v, least), most)
static inline float4 finish(float4 v, float4 slope, float4 other, int tail, float4 limits) {
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

// The four values of a block of channels, of memory that is padded to whole blocks.
#define BLOCK(name, c) vload4(c, AT(name))

#define TAIL FLAT(const float, slopes), R_IN, int tail, float4 limits
#define FINISH(n, c, pz, py, px, v) \
  finish(v, BLOCK(slopes, c), tail & ADDS ? LOAD_R(n, c, pz, py, px) : (float4)0, tail, limits)

// The texel of an item, for kernels whose items count the columns, the rows of all depths, and the blocks of all images.
#define TEXEL \
  int px = get_global_id(0), line = get_global_id(1), block = get_global_id(2); \
  if (px >= out.s4 || line >= out.s2 * out.s3 || block >= out.s0 * out.s1) \
    return; \
  int n = block / out.s1, o = block % out.s1, pz = line / out.s3, py = line % out.s3;
