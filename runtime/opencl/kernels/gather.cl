// Elements that indices choose. T is an unsigned integer of the elements' size, K the type of the indices. An index that
// is out of range raises the flag and moves nothing.

// The index at p, counted from the end when it is below 0; -1 when it is out of range.
static int index_at(global const K *p, int extent, global int *fault) {
  long i = *p;
  if (i < -(long)extent || i >= extent) {
    *fault = 1;
    return -1;
  }
  return i < 0 ? i + extent : i;
}

// y is [lanes][each][n], x [lanes][extent][n], and k [batches][each]: each lane takes the rows that the indices of its
// batch name.
kernel void gather_rows(FLAT(const T, x), FLAT(const K, k), FLAT(T, y), int n, int chunks, int items, int extent, int each, int per_batch, FLAT(int, fault)) {
  ITEM
  int pick = row % each, lane = row / each;
  int i = index_at(AT(k) + lane / per_batch * each + pick, extent, AT(fault));
  if (i < 0)
    return;
  global const T *x = AT(x) + (lane * extent + i) * n + first;
  global T *y = AT(y) + row * n + first;
  for (int j = 0; j < count; j++)
    y[j] = x[j];
}

// y and k have the same extents; an element of y is that of x at its own place, but for the axis whose index k names. xs
// are the strides of x, 0 along that axis.
kernel void gather_elements(FLAT(const T, x), FLAT(const K, k), FLAT(T, y), WALK, int8 xs, int extent, int along, FLAT(int, fault)) {
  ITEM
  int at = row * n + first;
  global const T *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7;
  for (int j = 0; j < count; j++) {
    int i = index_at(AT(k) + at + j, extent, AT(fault));
    if (i >= 0)
      AT(y)[at + j] = x[j * xs.s7 + i * along];
  }
}

// The slice that a tuple of depth indices names, counted in slices; -1 when one is out of range.
static int slice_at(global const K *tuple, int depth, int8 extents, global int *fault) {
  int e[8];
  vstore8(extents, 0, e);
  int at = 0;
  for (int d = 0; d < depth; d++) {
    int i = index_at(tuple + d, e[d], fault);
    if (i < 0)
      return -1;
    at = at * e[d] + i;
  }
  return at;
}

// Each tuple of k names a slice of n elements of x; every per_batch tuples belong to a batch of each slices.
kernel void gather_slices(FLAT(const T, x), FLAT(const K, k), FLAT(T, y), int n, int chunks, int items, int depth, int8 extents, int per_batch, int each, FLAT(int, fault)) {
  ITEM
  int at = slice_at(AT(k) + row * depth, depth, extents, AT(fault));
  if (at < 0)
    return;
  global const T *x = AT(x) + (row / per_batch * each + at) * n + first;
  global T *y = AT(y) + row * n + first;
  for (int j = 0; j < count; j++)
    y[j] = x[j];
}

#ifdef COMBINE
// What a scattered element does with the one that is there.
#define REPLACE(a, b) b
#define SUM(a, b) (a + b)
#define PRODUCT(a, b) (a * b)
#define MAXIMUM(a, b) ((a > b || a != a) ? a : b)
#define MINIMUM(a, b) ((a < b || a != a) ? a : b)

// k and x have the same extents; an element of x goes to its own place in y, but for the axis whose index k names. An item
// takes all elements along that axis in their order: those of different items never meet. ks and ys are the strides along
// the other axes, kstep and ystep those along it, of times elements in k and extent in y.
kernel void scatter_elements(FLAT(const T, x), FLAT(const K, k), FLAT(T, y), int items, int rank, int8 extents, int8 ks, int8 ys, int times, int kstep, int extent, int ystep, FLAT(int, fault)) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int from = row_start(item, rank, extents, ks);
  global T *y = AT(y) + row_start(item, rank, extents, ys);
  for (int t = 0; t < times; t++, from += kstep) {
    int i = index_at(AT(k) + from, extent, AT(fault));
    if (i >= 0) {
      T old = y[i * ystep], more = AT(x)[from];
      y[i * ystep] = COMBINE(old, more);
    }
  }
}

// Each tuple of k names a slice of n elements of y that the slices of x go to in their order. An item takes 16 elements of
// all slices.
kernel void scatter_slices(FLAT(const T, x), FLAT(const K, k), FLAT(T, y), int n, int tuples, int depth, int8 extents, FLAT(int, fault)) {
  int first = (int)get_global_id(0) * 16, count = min(16, n - first);
  if (count <= 0)
    return;
  for (int t = 0; t < tuples; t++) {
    int at = slice_at(AT(k) + t * depth, depth, extents, AT(fault));
    if (at < 0)
      return;
    global const T *x = AT(x) + t * n + first;
    global T *y = AT(y) + at * n + first;
    for (int j = 0; j < count; j++) {
      T old = y[j], more = x[j];
      y[j] = COMBINE(old, more);
    }
  }
}
#endif
