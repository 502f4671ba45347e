// Package outline makes out the blocks, attributes and references of a configuration's text while it is being typed: what
// is missing or unfinished in one place does not hide the rest. Start from [New]. It knows the language's schema and
// must not know values, files or the protocol.
package outline
