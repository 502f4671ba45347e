// Package view is what the command line says: for each verb a human renderer and a JSON one behind one interface,
// chosen once from the flags. Start from [Terminal] and the constructor of the verb, such as [NewPlan].
//
// The package decides nothing: it gets values that are finished and writes them. Diagnostics for people go to standard
// error, results to standard output; with -json standard output holds JSON and nothing else on every path.
package view
