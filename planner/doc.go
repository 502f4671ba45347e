// Package planner turns a configuration into a plan: it imports the graphs, infers shapes, folds constants, decides
// scopes, computes lifetimes, lays out the pools, checks the placement independently and writes it all down. Start
// from [Plan].
//
// It is the only planner package that sees the configuration. Every stage is a function from values to values plus
// diagnostics; files come in through [Options].Open alone and nothing is written.
package planner
