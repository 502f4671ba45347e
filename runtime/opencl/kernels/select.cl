// A choice between elements by a condition; all three broadcast. T is an unsigned integer of the elements' size.
kernel void choose(FLAT(const uchar, c), FLAT(const T, x), FLAT(const T, y), FLAT(T, z), WALK, int8 cs, int8 xs, int8 ys) {
  ITEM_OF(LONG)
  global const uchar *c = AT(c) + row_start(row, rank, extents, cs) + first * cs.s7;
  global const T *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7;
  global const T *y = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7;
  global T *z = AT(z) + row * n + first;
  for (int i = 0; i < count; i++) {
    T v = x[i * xs.s7], w = y[i * ys.s7];
    z[i] = c[i * cs.s7] ? v : w;
  }
}

#ifdef K
// 1 where the new axis of n equals the index, 0 elsewhere, as elements of two. y is [outer][n][inner], k [outer][inner].
kernel void one_hot(FLAT(const K, k), FLAT(const T, values), FLAT(T, y), int items, int n, int inner) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int i = item / inner % n;
  K p = AT(k)[item / inner / n * inner + item % inner];
  if (p < 0)
    p += n;
  AT(y)[item] = AT(values)[p == i];
}

// Lists the elements of k that are not 0: where gets their numbers in order, as many as wanted. Another number of them
// raises the flag.
kernel void list_nonzero(FLAT(const K, k), int n, FLAT(int, where), int wanted, FLAT(int, fault)) {
  if (get_global_id(0) != 0)
    return;
  int found = 0;
  for (int i = 0; i < n; i++)
    if (AT(k)[i] != 0) {
      if (found < wanted)
        AT(where)[found] = i;
      found++;
    }
  if (found != wanted)
    *AT(fault) = 1;
  for (; found < wanted; found++)
    AT(where)[found] = 0;
}
#endif

// The indices of listed elements of a dense array of extents: element number i of the list along axis a goes to
// i·list_step + a·axis_step.
kernel void indices_of(FLAT(const int, where), FLAT(long, y), int items, int rank, int8 extents, int list_step, int axis_step) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int e[8];
  vstore8(extents, 0, e);
  int at = AT(where)[item];
  for (int k = rank - 1; k >= 0; k--) {
    AT(y)[item * list_step + k * axis_step] = at % e[k];
    at /= e[k];
  }
}

#ifdef NUMBERS
// start + i·delta, for i up to the planned number. Another number of steps to the limit raises the flag; where rounding may
// decide, it must be off by more than one.
kernel void count_up(FLAT(const T, start), FLAT(const T, limit), FLAT(const T, delta), FLAT(T, y), int n, FLAT(int, fault)) {
  int i = get_global_id(0);
  T from = *AT(start), to = *AT(limit), by = *AT(delta);
  if (i < n)
    AT(y)[i] = from + (T)i * by;
  if (i > 0)
    return;
#ifdef FLOATS
  T steps = fmax(ceil((to - from) / by), (T)0);
  if (!(fabs(steps - (T)n) <= 1))
    *AT(fault) = 1;
#else
  if (by == 0) {
    *AT(fault) = 1;
    return;
  }
  ulong steps = 0;
  if (by > 0 && to > from)
    steps = ((ulong)to - (ulong)from - 1) / (ulong)by + 1;
  else if (by < 0 && to < from)
    steps = ((ulong)from - (ulong)to - 1) / -(ulong)by + 1;
  if (steps != n)
    *AT(fault) = 1;
#endif
}
#endif
