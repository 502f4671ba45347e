// The end of the program of joined launches, after the kernels as functions and the function perform, which chooses one.
//
// A joined launch runs the launches of a table one after the other, with a barrier between them that needs no driver. Its
// work-groups have one item and take part of the work by tickets, of some items each. Every launch has a counter of the tickets
// that are done, and as many lanes as processors: a lane is a half, a third ... of its tickets, with a counter of those taken. A
// group takes the tickets of its own lane first, so that a processor finds in its cache what it has computed in the launch before,
// then those that other lanes have left.
//
// Groups that wait for each other need a device that runs them all at the same time; that is what persistent kernels with barriers
// between their groups rest on (Sorensen, Donaldson, Batty, Gopalakrishnan, Rakamaric: Portable inter-workgroup barrier
// synchronisation for GPUs, OOPSLA 2016), and an order of tickets makes it a matter of lower tickets only (Merrill, Garland:
// Single-pass parallel prefix scan with decoupled look-back, 2016). Here no group needs another one at all: it never waits between
// taking a ticket and counting it as done, the group that counts the last ticket of a launch goes on to the next launch, and a
// group that waits for the others loses patience and ends. So a joined launch ends under any schedule, also when all groups run
// one after the other.
//
// What a ticket has written is seen by all who have seen it counted: counting releases and looking acquires, and all additions to
// one counter are one release sequence. The last group to end sets the counters to 0 for the next run.
#undef get_group_id
#define LOOK(counter) atomic_load_explicit(counter, memory_order_acquire, memory_scope_device)
#define ADD_ONE(counter) atomic_fetch_add_explicit(counter, 1, memory_order_acq_rel, memory_scope_device)
#define CLEAR(counter) atomic_store_explicit(counter, 0, memory_order_relaxed, memory_scope_device)

// Each counter has a line of the cache of its own. Counters are those of groups that have begun and of groups that have ended, then
// for each launch that of the tickets done, and those of the tickets taken of each lane.
#define LINE 16

static bool await(global atomic_int *done, int tickets, int patience) {
  for (int i = 0; i <= patience; i++)
    if (LOOK(done) == tickets)
      return true;
  return false;
}

kernel void joined(FLAT(const int, table), FLAT(atomic_int, counters), int launches, int lanes, int patience, local uchar *held, MEMORIES) {
  global uchar *const memory[] = {MEMORY_LIST};
  global const int *entry = AT(table);
  global atomic_int *begun = AT(counters), *ended = begun + LINE, *done = ended + LINE;
  int own = ADD_ONE(begun) % lanes;
  for (int k = 0; k < launches; k++, entry += entry[ENTRY_WORDS], done += LINE * (lanes + 1)) {
    int tickets = entry[ENTRY_TICKETS], each = entry[ENTRY_ITEMS];
    int items = entry[ENTRY_EXTENTS] * entry[ENTRY_EXTENTS + 1] * entry[ENTRY_EXTENTS + 2];
    for (int i = 0; i < lanes && LOOK(done) != tickets; i++) {
      int lane = (own + i) % lanes, first = lane * tickets / lanes, n = (lane + 1) * tickets / lanes - first;
      global atomic_int *taken = done + LINE * (lane + 1);
      while (LOOK(taken) < n) {
        int ticket = first + ADD_ONE(taken);
        if (ticket >= first + n)
          break;
        perform(entry, memory, held, ticket * each, min((ticket + 1) * each, items));
        ADD_ONE(done);
      }
    }
    if (!await(done, tickets, patience))
      break;
  }
  if (ADD_ONE(ended) + 1 < (int)get_num_groups(0))
    return;
  for (int i = 0; i < 2 + launches * (lanes + 1); i++)
    CLEAR(begun + LINE * i);
}
