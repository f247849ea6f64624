// Package lsp is the language server, which editors start as `sgppl lsp`. It reads messages of
// the Language Server Protocol 3.17 from one stream and writes to another. Each feature is a file
// of its own, and the table of them is in methods.go.
package lsp
