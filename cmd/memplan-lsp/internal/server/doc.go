// Package server answers a language client: one file for each method of the protocol. Start from [Run]. It knows the
// protocol and the session, and must not read files or plan by itself.
package server
