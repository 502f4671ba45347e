// Matrix products, and convolutions of one pixel of channel-last data. An item computes a few rows, which are pixels, of
// one or two blocks of 16 columns, which are output channels, from panels of 16 lanes.
#define HEAD 32

// ADD_ROWS adds k products to the sums of all rows: from has the common factor of each row, a and b its panels.
#define ADD_ROWS(ROWS, BLOCKS, k) \
  for (int i = 0; i < (k); i++) { \
    float16 u = vload16(i, a), v = u; \
    if (BLOCKS > 1) \
      v = vload16(i, b); \
    _Pragma("unroll") for (int j = 0; j < ROWS; j++) { \
      float f = from[j][i]; \
      sum[j][0] += f * u; \
      if (BLOCKS > 1) \
        sum[j][BLOCKS - 1] += f * v; \
    } \
  }

// START_ROWS starts the sums with the bias that the panels begin with.
#define START_ROWS(ROWS, BLOCKS) \
  float16 sum[ROWS][BLOCKS]; \
  _Pragma("unroll") for (int j = 0; j < ROWS; j++) { \
    sum[j][0] = vload16(0, head); \
    if (BLOCKS > 1) \
      sum[j][BLOCKS - 1] = vload16(0, next); \
  }

// PRODUCT defines y = x·w.
//   s  rows, common factor, columns, stride of rows of x, of y, of the other operand of an addition, stride of its
//      columns (0 or 1), tail
//   z  products along the inner axis of the batch; strides of x, w and y along the inner and the outer axis
#define PRODUCT(name, ROWS, BLOCKS) \
  KERNEL(name, FLAT(const float, x), FLAT(const float, w), FLAT(float, y), FLAT(const float, r), int8 s, int8 z, float4 limits) { \
    int column = (int)get_global_id(0) * 16 * BLOCKS, row = (int)get_global_id(1) * ROWS, item = get_global_id(2); \
    int rows = s.s0, k = s.s1, columns = s.s2; \
    if (column >= columns || row >= rows) \
      return; \
    int outer = item / z.s0, inner = item % z.s0; \
    global const float *from[ROWS]; \
    _Pragma("unroll") for (int j = 0; j < ROWS; j++) \
      from[j] = AT(x) + inner * z.s1 + outer * z.s2 + min(row + j, rows - 1) * s.s3; \
    int panel = HEAD + 16 * k; \
    global const float *head = AT(w) + inner * z.s3 + outer * z.s4 + column / 16 * panel; \
    global const float *next = BLOCKS > 1 && column + 16 < columns ? head + panel : head; \
    START_ROWS(ROWS, BLOCKS) \
    global const float *a = head + HEAD, *b = next + HEAD; \
    ADD_ROWS(ROWS, BLOCKS, k) \
    int at = inner * z.s5 + outer * z.s6; \
    _Pragma("unroll") for (int j = 0; j < ROWS; j++) \
      _Pragma("unroll") for (int q = 0; q < BLOCKS; q++) { \
        int first = column + 16 * q, n = columns - first; \
        if (row + j < rows && n > 0) { \
          float16 other = 0; \
          if (s.s7 & ADDS) \
            other = s.s6 ? load_part(AT(r) + at + (row + j) * s.s5 + first, n) : (float16)(AT(r)[at + (row + j) * s.s5]); \
          float16 v = finish(sum[j][q], vload16(1, q ? next : head), other, s.s7, limits); \
          store_part(v, AT(y) + at + (row + j) * s.s4 + first, n); \
        } \
      } \
  }

PRODUCT(product_1x16, 1, 1)
PRODUCT(product_8x16, 8, 1)
PRODUCT(product_8x32, 8, 2)

// y[c][r] = x[r][c] for 16 columns of a row.
KERNEL(transpose_matrix, FLAT(const float, x), FLAT(float, y), int rows, int columns) {
  int c = (int)get_global_id(0) * 16, r = get_global_id(1);
  for (int end = min(c + 16, columns); c < end; c++)
    AT(y)[c * rows + r] = AT(x)[r * columns + c];
}

// y = factor·x, 16 elements an item.
KERNEL(scale_matrix, FLAT(const float, x), FLAT(float, y), int n, float factor) {
  int i = (int)get_global_id(0) * 16;
  if (i < n)
    store_part(factor * load_part(AT(x) + i, n - i), AT(y) + i, n - i);
}
