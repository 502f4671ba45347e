// Package explain says of one tensor of a plan where it is and why: the text that "memplan show -tensor" prints and that
// an editor shows. Start from [Tensor].
//
// Everything is read from the plan alone, so that a lock explains itself without the model that it was made of. It
// decides nothing, and knows no configuration, terminal or editor.
package explain
