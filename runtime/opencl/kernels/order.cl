// Comparing the elements along one axis: x is [outer][n][inner], a lane the n elements of an outer and an inner index. T is
// the element type, K that of the positions. A NaN counts as larger than every number; least elements first, as smaller.
#define LANE \
  int lane = get_global_id(0); \
  if (lane >= lanes) \
    return; \
  global const T *x = AT(x) + lane / inner * n * inner + lane % inner;

#ifdef FLOATS
#define IS_NAN(v) isnan(v)
#else
#define IS_NAN(v) false
#endif

// Whether a comes before b among the largest or the least elements, and whether they are equal.
static bool before(T a, T b, int least, int nan_first) {
  if (IS_NAN(a) || IS_NAN(b))
    return nan_first ? IS_NAN(a) && !IS_NAN(b) : !IS_NAN(a) && IS_NAN(b);
  return least ? a < b : a > b;
}
static bool equal_to(T a, T b) { return a == b || (IS_NAN(a) && IS_NAN(b)); }

#ifdef K
// The position of the largest or the least element: the first, or the last.
kernel void argument(FLAT(const T, x), FLAT(K, y), int lanes, int n, int inner, int least, int last) {
  LANE
  int best = 0;
  T top = x[0];
  for (int i = 1; i < n; i++) {
    T v = x[i * inner];
    if (before(v, top, least, 1) || (last && equal_to(v, top))) {
      best = i;
      top = v;
    }
  }
  AT(y)[lane] = best;
}

// The k largest or least elements in order, of equal ones the first. An item counts how many come before its own element.
// wanted is 1 for values, 2 for positions, 3 for both.
kernel void top(FLAT(const T, x), FLAT(T, values), FLAT(K, places), int items, int n, int inner, int k, int least, int wanted) {
  int item = get_global_id(0);
  if (item >= items)
    return;
  int i = item / inner % n, outer = item / inner / n, at = item % inner;
  global const T *x = AT(x) + outer * n * inner + at;
  T own = x[i * inner];
  int rank = 0;
  for (int j = 0; j < i; j++)
    rank += !before(own, x[j * inner], least, !least);
  for (int j = i + 1; j < n; j++)
    rank += before(x[j * inner], own, least, !least);
  if (rank >= k)
    return;
  int to = (outer * k + rank) * inner + at;
  if (wanted & 1)
    AT(values)[to] = own;
  if (wanted & 2)
    AT(places)[to] = i;
}
#endif

// 1 at the first largest element of each lane, 0 elsewhere.
kernel void hardmax(FLAT(const T, x), FLAT(T, y), int lanes, int n, int inner) {
  LANE
  global T *y = AT(y) + lane / inner * n * inner + lane % inner;
  int best = 0;
  T top = x[0];
  for (int i = 1; i < n; i++) {
    T v = x[i * inner];
    if (before(v, top, 0, 1)) {
      best = i;
      top = v;
    }
  }
  for (int i = 0; i < n; i++)
    y[i * inner] = i == best;
}

// Sums along each lane, from the end when backwards is set, without the element itself when exclusive is.
kernel void cumulate(FLAT(const T, x), FLAT(T, y), int lanes, int n, int inner, int exclusive, int backwards) {
  LANE
  global T *y = AT(y) + lane / inner * n * inner + lane % inner;
  int at = backwards ? (n - 1) * inner : 0, step = backwards ? -inner : inner;
  T sum = 0;
  for (int i = 0; i < n; i++, at += step) {
    T v = x[at];
    y[at] = exclusive ? sum : sum + v;
    sum += v;
  }
}
