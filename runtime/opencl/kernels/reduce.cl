// Reductions. T is the element type, A that of the sums: T for floats, else long or ulong. An item computes one result
// or 16 neighbouring ones. Reduced axes have rank, extents and strides of their own.
#define T16 JOIN(T, 16)
#define A16 JOIN(A, 16)
#define WIDEN JOIN(convert_, A16)

#ifdef FLOATS
#define MAGNITUDE(v) fabs(v)
#else
#define MAGNITUDE(v) ((v) < 0 ? -(v) : (v))
#endif

// What the kernels do with an element; the numbers are those of the device.
#define FOLD_SUM 0
#define FOLD_MAX 1
#define FOLD_MIN 2
#define FOLD_PRODUCT 3
#define FOLD_SUM_MAGNITUDE 4
#define FOLD_SUM_SQUARE 5

// A NaN shows in the results.
#define STEP(V) \
  switch (op) { \
  case FOLD_SUM: return s + v; \
  case FOLD_MAX: return (v > s || v != v) ? v : s; \
  case FOLD_MIN: return (v < s || v != v) ? v : s; \
  case FOLD_PRODUCT: return s * v; \
  case FOLD_SUM_MAGNITUDE: return s + MAGNITUDE(v); \
  default: return s + v * v; \
  }
static A step(int op, A s, A v) { STEP(A) }
static A16 step16(int op, A16 s, A16 v) { STEP(A16) }

// What becomes of a sum of count elements.
#define END_MEAN 1
#define END_ROOT 2
#define END_LOGARITHM 3
static A end_fold(int end, A s, int count) {
  switch (end) {
#ifdef FLOATS
  case END_MEAN: return s / (A)count;
  case END_ROOT: return sqrt(s);
  case END_LOGARITHM: return log(s);
#else
  case END_MEAN: return count == 0 ? 0 : s / (A)count;
  case END_ROOT: return (A)sqrt((float)s);
  case END_LOGARITHM: return s > 0 ? (A)log((float)s) : LEAST;
#endif
  }
  return s;
}

// The innermost axis, of m elements, is reduced.
KERNEL(reduce_rows, FLAT(const T, x), FLAT(T, y), int items, int rank, int8 extents, int8 xs, int around, int inner_rank, int8 inner_extents, int8 inner_xs, int m, int op, int end, int count, A start) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  global const T *from = AT(x) + row_start(item, rank, extents, xs);
  A16 sums = (A16)start;
  A rest = start;
  for (int r = 0; r < around; r++) {
    global const T *x = from + row_start(r, inner_rank, inner_extents, inner_xs);
    int i = 0;
    for (; i + 16 <= m; i += 16)
      sums = step16(op, sums, WIDEN(vload16(0, x + i)));
    for (; i < m; i++)
      rest = step(op, rest, (A)x[i]);
  }
  A lanes[16];
  vstore16(sums, 0, lanes);
  // Sums of sums: what the steps did to each element is done.
  int again = op >= FOLD_SUM_MAGNITUDE ? FOLD_SUM : op;
  for (int i = 8; i > 0; i /= 2)
    for (int j = 0; j < i; j++)
      lanes[j] = step(again, lanes[j], lanes[j + i]);
  AT(y)[item] = (T)end_fold(end, step(again, lanes[0], rest), count);
}

// The innermost axis, of n elements, is kept: an item computes 16 results side by side.
KERNEL(reduce_columns, FLAT(const T, x), FLAT(T, y), WALK, int8 xs, int around, int inner_rank, int8 inner_extents, int8 inner_xs, int op, int end, int total, A start) {
  ITEM
  global const T *from = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7;
  global T *y = AT(y) + row * n + first;
  if (count == 16 && xs.s7 == 1) {
    A16 sums = (A16)start;
    for (int r = 0; r < around; r++)
      sums = step16(op, sums, WIDEN(vload16(0, from + row_start(r, inner_rank, inner_extents, inner_xs))));
    A lanes[16];
    vstore16(sums, 0, lanes);
    for (int i = 0; i < 16; i++)
      y[i] = (T)end_fold(end, lanes[i], total);
    return;
  }
  for (int i = 0; i < count; i++) {
    A sum = start;
    for (int r = 0; r < around; r++)
      sum = step(op, sum, (A)from[i * xs.s7 + row_start(r, inner_rank, inner_extents, inner_xs)]);
    y[i] = (T)end_fold(end, sum, total);
  }
}

#ifdef FLOATS
#define R A
#else
#define R float
#endif

// The logarithm of the sum of exponentials. The largest element is taken off before, so that none overflows.
KERNEL(reduce_log_sum_exp, FLAT(const T, x), FLAT(T, y), int items, int rank, int8 extents, int8 xs, int around, int inner_rank, int8 inner_extents, int8 inner_xs) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  global const T *x = AT(x) + row_start(item, rank, extents, xs);
  R peak = -INFINITY;
  for (int r = 0; r < around; r++) {
    R v = (R)x[row_start(r, inner_rank, inner_extents, inner_xs)];
    peak = (v > peak || v != v) ? v : peak;
  }
  R sum = 0;
  for (int r = 0; r < around; r++)
    sum += exp((R)x[row_start(r, inner_rank, inner_extents, inner_xs)] - peak);
  AT(y)[item] = (T)(isinf(peak) ? peak : peak + log(sum));
}
