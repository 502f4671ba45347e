// Command memplan-lsp is the language server of memplan: it shows in an editor, while one types, where every buffer goes
// and why. It speaks the Language Server Protocol over its standard input and output.
package main
