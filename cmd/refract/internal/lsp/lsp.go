// Package lsp serves the findings of an audit to editors.
package lsp
