// The beginning of the program of joined launches, before the files of the kernels. A kernel becomes a function of one item:
// its place among the items, or among the work-groups, takes the part of the ids, and a group has no other item.
#define KERNEL(name, ...) static inline __attribute__((always_inline)) void name(int3 item_place, __VA_ARGS__)
#define get_global_id(axis) (item_place[axis])
#define get_group_id(axis) (item_place[axis])
#define get_local_id(axis) 0
#define get_local_size(axis) 1
#define barrier(flags)

// An entry of the table of launches. Its arguments follow.
#define ENTRY_WORDS 0 // words from this entry to the next
#define ENTRY_KERNEL 1
#define ENTRY_EXTENTS 2 // three: the items along each axis
#define ENTRY_TICKETS 5
#define ENTRY_ITEMS 6 // items of a ticket
#define ENTRY_ARGUMENTS 7

// TASK defines a function that computes the items [first, last) of a launch by one kernel. EACH_ITEM visits their places, the first
// axis fastest.
#define TASK(name) static __attribute__((noinline)) void task_##name(global const int *entry, global uchar *const *memory, local uchar *held, int first, int last)
#define EACH_ITEM \
  int columns = entry[ENTRY_EXTENTS], rows = entry[ENTRY_EXTENTS + 1]; \
  int3 place = (int3)(first % columns, first / columns % rows, first / columns / rows); \
  for (int item = first; item < last; item++, place = place.x + 1 < columns ? (int3)(place.x + 1, place.y, place.z) \
                                                    : place.y + 1 < rows ? (int3)(0, place.y + 1, place.z) \
                                                                         : (int3)(0, 0, place.z + 1))
