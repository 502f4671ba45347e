// Elements that only move. T is an unsigned integer of their size; WIDE is defined where it is a vector of two. K is the
// type of the numbers that steer, where there are some.

static void copy_row(global const T *x, global T *y, int n) {
  int i = 0;
#ifndef WIDE
  for (; i + 16 <= n; i += 16)
    vstore16(vload16(0, x + i), 0, y + i);
#endif
  for (; i < n; i++)
    y[i] = x[i];
}

static void fill_row(T v, global T *y, int n) {
  int i = 0;
#ifndef WIDE
  for (; i + 16 <= n; i += 16)
    vstore16((JOIN(T, 16))(v), 0, y + i);
#endif
  for (; i < n; i++)
    y[i] = v;
}

// Copies a box: both arrays have strides of their own, of any sign, and 0 in x repeats.
KERNEL(move_box, FLAT(const T, x), FLAT(T, y), WALK, int8 xs, int8 ys) {
  ITEM_OF(LONG)
  global const T *x = AT(x) + row_start(row, rank, extents, xs) + first * xs.s7;
  global T *y = AT(y) + row_start(row, rank, extents, ys) + first * ys.s7;
  if (xs.s7 == 1 && ys.s7 == 1)
    copy_row(x, y, count);
  else if (xs.s7 == 0 && ys.s7 == 1)
    fill_row(*x, y, count);
  else
    for (int i = 0; i < count; i++)
      y[i * ys.s7] = x[i * xs.s7];
}

// Copies planes whose rows lie along different axes: an item copies a square of 16 by 16 elements, which both arrays keep
// in few lines of memory. y is contiguous along the columns, x along the rows.
KERNEL(move_planes, FLAT(const T, x), FLAT(T, y), int rows, int columns, int xstep, int ystep, int planes, int rank, int8 extents, int8 xs, int8 ys) {
  int c0 = (int)get_global_id(0) * 16, r0 = (int)get_global_id(1) * 16, plane = get_global_id(2);
  if (c0 >= columns || r0 >= rows || plane >= planes)
    return;
  global const T *x = AT(x) + row_start(plane, rank, extents, xs);
  global T *y = AT(y) + row_start(plane, rank, extents, ys);
  int c1 = min(c0 + 16, columns), r1 = min(r0 + 16, rows);
  for (int r = r0; r < r1; r++)
    for (int c = c0; c < c1; c++)
      y[r * ystep + c] = x[c * xstep + r];
}

// Fills a dense array with what lies in a box of another one, and a value around it: an element is in the box when its
// index along each axis is in [low, high). x has strides, and is counted from where the index 0 of y would be.
KERNEL(place_box, FLAT(const T, x), FLAT(const T, value), FLAT(T, y), WALK, int8 low, int8 high, int8 xs) {
  ITEM_OF(LONG)
  int e[8], l[8], h[8], s[8];
  vstore8(extents, 0, e);
  vstore8(low, 0, l);
  vstore8(high, 0, h);
  vstore8(xs, 0, s);
  bool inside = true;
  int at = 0, rest = row;
  for (int k = rank - 1; k >= 0; k--) {
    int i = rest % e[k];
    rest /= e[k];
    inside = inside && i >= l[k] && i < h[k];
    at += i * s[k];
  }
  global T *y = AT(y) + row * n + first;
  T around = *AT(value);
  if (!inside) {
    fill_row(around, y, count);
    return;
  }
  int from = clamp(low.s7 - first, 0, count), to = clamp(high.s7 - first, from, count);
  global const T *x = AT(x) + at + (first + from) * xs.s7;
  fill_row(around, y, from);
  if (xs.s7 == 1)
    copy_row(x, y + from, to - from);
  else
    for (int i = from; i < to; i++)
      y[i] = x[(i - from) * xs.s7];
  fill_row(around, y + to, count - to);
}

// Fills a dense array with elements that tables choose: along each axis an index of y adds the table's entry to the
// place in x, and one entry below 0 gives the value instead. starts is where the table of each axis begins, that of the
// row in the last place.
KERNEL(pick, FLAT(const T, x), FLAT(const T, value), FLAT(T, y), FLAT(const int, table), WALK, int8 starts) {
  ITEM
  int e[8], s[8];
  vstore8(extents, 0, e);
  vstore8(starts, 0, s);
  global const int *table = AT(table);
  bool inside = true;
  int at = 0, rest = row;
  for (int k = rank - 1; k >= 0; k--) {
    int entry = table[s[k] + rest % e[k]];
    rest /= e[k];
    inside = inside && entry >= 0;
    at += entry;
  }
  global T *y = AT(y) + row * n + first;
  T around = *AT(value);
  table += starts.s7 + first;
#ifndef WIDE
  if (inside && count == 16) {
    int16 e = vload16(0, table);
    global const T *x = AT(x) + at;
    if (!any(e < 0)) {
      JOIN(T, 16) v = (JOIN(T, 16))(x[e.s0], x[e.s1], x[e.s2], x[e.s3], x[e.s4], x[e.s5], x[e.s6], x[e.s7],
                       x[e.s8], x[e.s9], x[e.sa], x[e.sb], x[e.sc], x[e.sd], x[e.se], x[e.sf]);
      vstore16(v, 0, y);
      return;
    }
  }
#endif
  for (int i = 0; i < count; i++) {
    int entry = table[i];
    y[i] = inside && entry >= 0 ? AT(x)[at + entry] : around;
  }
}

#ifdef K
// Keeps a triangle of each matrix of n columns: above the diagonal number k or, without upper, below it; the rest
// becomes 0.
KERNEL(triangle, FLAT(const T, x), FLAT(T, y), WALK, int matrix_rows, int upper, FLAT(const K, k), int clear) {
  ITEM
  long diagonal = row % matrix_rows + (clear ? 0 : *AT(k));
  global const T *x = AT(x) + row * n;
  global T *y = AT(y) + row * n;
  for (int c = first; c < first + count; c++) {
    bool kept = upper ? c >= diagonal : c <= diagonal;
    y[c] = kept ? x[c] : (T)0;
  }
}

// Reverses the first lengths[b] elements along the time axis of each entry b. x and y are dense; an item moves one
// element. Time and batch are axes of the extents and steps given.
KERNEL(reverse_sequence, FLAT(const T, x), FLAT(T, y), FLAT(const K, lengths), int items, int times, int time_step, int batches, int batch_step, FLAT(int, fault)) {
  int i = get_global_id(0);
  if (i >= items)
    return;
  int t = i / time_step % times;
  long length = AT(lengths)[i / batch_step % batches];
  if (length < 0 || length > times) {
    *AT(fault) = 1;
    return;
  }
  int from = t < length ? (int)length - 1 - t : t;
  AT(y)[i] = AT(x)[i + (from - t) * time_step];
}
#endif
