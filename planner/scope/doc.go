// Package scope decides for each tensor its memory scope and the pools it may stand in, records which rule or policy said so
// and what it ruled out, and lists the copies between scopes that follow. Start from [Decide]; [InsertCopies] makes the
// copies steps of the graph.
//
// Rules order scopes or, with a penalty, wish for them. What they leave open a policy decides: [FlatPolicy], [TVMRelay] and
// [TVMRelax] by their own rules, [MinCopy] by the least sum of bytes copied and penalties incurred. Which op can run with
// which operands in which scopes is a table, [Variant], that holds for every policy; so the solution of each is one that
// mincopy may choose. Readers that want a tensor in one scope share a copy under every policy, where TVM's Relay makes one
// for each: the copied bytes of its policies are those of shared copies.
//
// Rules come as plain values with a function for their condition: the package knows nothing of the configuration's
// syntax, and nothing of offsets or lifetimes.
package scope
