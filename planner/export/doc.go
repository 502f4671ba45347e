// Package export writes plans in the formats of other systems and as pictures; start from [Write] and [Formats]. [DOT] and
// [Mermaid] draw graphs. It
// decides nothing: where a tensor lies was decided, and checked, before. It must not know how.
package export
