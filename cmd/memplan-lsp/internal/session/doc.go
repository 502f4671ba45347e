// Package session holds what the editor and the disk say: the open documents, the configurations they belong to, and what
// is wrong with those. Start from [New]. Every change makes new immutable values, so that a request goes on with those it
// began with. It must not know requests of the protocol.
package session
