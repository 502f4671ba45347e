// A walk: rows of n elements, 16 by an item or LONG, and rank axes around them. WALK declares it in the parameters of a
// kernel, followed by an int8 of strides for each array, the row's own in the last place.
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

// ITEM declares where an item is: its row, its first element there and how many it computes. ITEM_OF is ITEM for items of
// another size.
#define ITEM ITEM_OF(16)
#define ITEM_OF(size) \
  int item = get_global_id(0); \
  if (item >= items) \
    return; \
  int row = item / chunks, first = item % chunks * (size), count = min(size, n - first);
#define LONG 64
