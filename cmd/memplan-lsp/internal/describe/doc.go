// Package describe writes down what a plan says of a pool, a graph, a rule or a tensor, for people. Start from [Pool],
// [Graph], [Rule] and [Tensor]; they return a [Page]. It must not know documents or the protocol.
package describe
