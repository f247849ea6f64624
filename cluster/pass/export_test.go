package pass

// LargeFold has tasks add up results of more than so many bytes, and returns what undoes that.
func LargeFold(bytes int64) (undo func()) {
	old := largeFold
	largeFold = bytes
	return func() { largeFold = old }
}
