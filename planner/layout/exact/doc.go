// Package exact searches one pool for a placement within a capacity, or of least peak, and proves what it says. Start from
// [Problem], [Decide] and [Minimise]. It knows no pools in the plural, no names, no files and no clock: effort is counted
// in nodes, and neither the number of workers nor the speed of the machine changes a result.
//
// # The problem
//
// Given n buffers with sizes, alignments, pins and lifetimes (or explicit conflicts), find offsets so that no two
// conflicting buffers share a byte. It is NP-hard (Garey and Johnson's dynamic storage allocation, SR2).
//
// # Before the search
//
//  1. Groups without conflicts between them are solved one by one. O(n log n).
//  2. Sizes are rounded up to what every offset is a multiple of, then divided by the greatest common divisor of sizes,
//     pins and the alignments that it does not meet anyway. O(n log size).
//  3. Time is cut into sections: spans with a constant live set, less those whose set is part of another's. With explicit
//     conflicts, cliques that cover all conflicts stand in for them, so that the search knows one kind of problem only.
//  4. The bound is the largest total of a section or the highest top of a pin. The first placement is the best of thirteen
//     greedy orders, with gaps filled from below, or the caller's.
//  5. Without pins and alignments each top is a sum of sizes: a capacity is lowered to the next such sum, found by a
//     bitset of subset sums. O(n · capacity/64).
//
// # The search
//
// If there is a placement there is one of least total offset. In it each buffer rests on the bottom or on a buffer it
// conflicts with, and none fits wholly below the lowest of those above. Such placements are built bottom up, in canonical
// order (offset, then rank): each buffer is placed at its low, the lowest offset above its placed conflicts. Moffitt's
// MiniMalloc (ASPLOS 2023, doi 10.1145/3623278.3624752) introduced this order, the section test, dominance and the split;
// the branching on "stands at its low, or is postponed until that rises" is set-times search from scheduling (Le Pape et
// al. 1994). At each node:
//
//   - Branch: the first candidate b in canonical order stands at its low; when that is refuted, it does not, and so rests
//     on an unplaced conflict. That raises a proved bound of its offset, least, at once. If nothing is left to rest on,
//     the node is refuted ("hatless" pruning is a special case).
//   - Section test: the lowest least of a section's unplaced buffers plus their total must meet the capacity. Each section
//     keeps one buffer as a witness of that, and looks for another only when that one is placed or raised too far, as
//     solvers of clauses watch literals (Moskewicz et al. 2001). Nothing unplaced has a least below the offset reached, so
//     no floor has either.
//   - Dominance: candidates must lie below the lowest top that any unplaced buffer could have.
//   - Twins, which differ in nothing but their number, are placed in order of number.
//   - Split: where no unplaced buffer crosses from one section to the next, the sides are solved one by one.
//   - Cache: a refuted part, known by its unplaced buffers, their lows and whether each may still stand there, is refuted at
//     once when it comes again, through whatever order below it.
//
// A node is one placement tried. It costs O(conflicts of one buffer · their sections) at worst, about a microsecond on
// instances of 200 buffers, and allocates nothing; a log takes changes back.
//
// # The portfolio
//
// Ranks decide how soon a search succeeds, and no order is best everywhere. Lanes of different orders are searched side
// by side in rounds of slices measured in nodes; searches are suspended between rounds, not restarted, but for one lane
// that draws perturbed orders on Luby's schedule (Luby, Sinclair, Zuckerman 1993). Orders that succeed at once or not at
// all come first and get short slices. The first lane, in order of lanes, whose slice ends the search decides the round,
// whoever finished first.
//
// # The least peak
//
// The search begins with a dive: a few thousand nodes at the bound, and a few hundred at each of the capacities that halve the
// gap, which is where most of it goes at once. Then it is patient at the bound, and tries capacities between bound and best
// peak by a ladder and by halving, with perturbed orders and budgets that grow from pass to pass. A placement lowers the peak,
// a refutation raises the bound to the next possible peak; a budget's end does neither. The result is optimal when they meet.
package exact
