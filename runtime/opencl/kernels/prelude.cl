// The beginning of every program. A flat operand is two parameters, the buffer of its pool and the offset of its first
// element: FLAT(float, x) declares x_pool and x_at, and AT(x) is the pointer to the first element.
#define FLAT(type, name) global type *name##_pool, long name##_at
#define AT(name) (name##_pool + name##_at)

// BELOW and ABOVE keep a NaN, which fmax and fmin drop: a stale read must show in the results.
#define BELOW(V, v, most) ((v) > (V)(most) ? (V)(most) : (v))
#define ABOVE(V, v, least) ((v) < (V)(least) ? (V)(least) : (v))

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)

#ifdef FLOAT64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif

// A walk: rows of n elements, 16 by an item, and rank axes around them. WALK declares it in the parameters of a kernel,
// followed by an int8 of strides for each array, the row's own in the last place.
#define WALK int n, int chunks, int items, int rank, int8 extents

// The first element of a row in an array, without the part along the row.
static int row_start(int row, int rank, int8 extents, int8 strides) {
  int e[8], s[8];
  vstore8(extents, 0, e);
  vstore8(strides, 0, s);
  int at = 0;
  for (int k = rank - 1; k >= 0; k--) {
    at += row % e[k] * s[k];
    row /= e[k];
  }
  return at;
}

// ITEM declares where an item is: its row, its first element there and how many it computes.
#define ITEM \
  int item = get_global_id(0); \
  if (item >= items) \
    return; \
  int row = item / chunks, first = item % chunks * 16, count = min(16, n - first);
