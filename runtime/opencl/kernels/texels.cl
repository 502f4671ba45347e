// Moves elements of type T between texels and a dense array. Channel k of the texel with the indexes i, of which there
// are extents in row-major order, is the element sum(i[a] * strides[a]) + k * lane. The axis cut, if it is not negative,
// counts the texels of some channels: what is missing to four in the last one is padding. An item is one texel.

#define ORDER int axes, int8 extents, int8 strides, int lane, int cut, int channels, int width, int height

// The number of channels of a texel that are no padding, and the element of the first.
static int locate(int texel, int axes, int8 extents, int8 strides, int cut, int channels, int *element) {
  int extent[8], stride[8], present = 4;
  vstore8(extents, 0, extent);
  vstore8(strides, 0, stride);
  *element = 0;
  for (int a = axes - 1; a >= 0; a--) {
    int index = texel % extent[a];
    texel /= extent[a];
    *element += index * stride[a];
    if (a == cut)
      present = clamp(channels - 4 * index, 0, 4);
  }
  return present;
}

#define LOCATE \
  int column = get_global_id(0), row = get_global_id(1); \
  if (column >= width || row >= height) \
    return; \
  int element; \
  int present = locate(row * width + column, axes, extents, strides, cut, channels, &element); \
  global T *dense = AT(dense) + element;

#ifdef IMAGE
#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define READ JOIN(read_image, IMAGE)
#define WRITE JOIN(write_image, IMAGE)
#define f_ float
#define i_ int
#define ui_ uint
#define WIDE JOIN(IMAGE, _)
#define WIDE4 JOIN(WIDE, 4)
#ifdef HALF
#define LOAD(p, i) vload_half(0, (global half *)(p) + (i))
#define STORE(p, i, v) vstore_half_rte(v, 0, (global half *)(p) + (i))
#else
#define LOAD(p, i) (p)[i]
#define STORE(p, i, v) (p)[i] = (T)(v)
#endif

constant sampler_t exact = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;

kernel void open_image(read_only image2d_t stored, FLAT(T, dense), ORDER) {
  LOCATE
  WIDE lanes[4];
  vstore4(READ(stored, exact, (int2)(column, row)), 0, lanes);
  for (int k = 0; k < present; k++)
    STORE(dense, k * lane, lanes[k]);
}

kernel void pack_image(write_only image2d_t stored, FLAT(T, dense), ORDER) {
  LOCATE
  WIDE lanes[4] = {0, 0, 0, 0};
  for (int k = 0; k < present; k++)
    lanes[k] = LOAD(dense, k * lane);
  WRITE(stored, (int2)(column, row), vload4(0, lanes));
}
#else
kernel void open_rows(FLAT(T, stored), int pitch, FLAT(T, dense), ORDER) {
  LOCATE
  global T *texel = AT(stored) + (long)row * pitch + 4 * column;
  for (int k = 0; k < present; k++)
    dense[k * lane] = texel[k];
}

kernel void pack_rows(FLAT(T, stored), int pitch, FLAT(T, dense), ORDER) {
  LOCATE
  global T *texel = AT(stored) + (long)row * pitch + 4 * column;
  for (int k = 0; k < 4; k++)
    texel[k] = k < present ? dense[k * lane] : 0;
}
#endif
