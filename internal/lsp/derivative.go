package lsp

// derivatives are written beside the declaration of a function or distribution.
func (e entry) derivatives() []string { return nil }
