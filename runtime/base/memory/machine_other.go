//go:build !linux

package memory

// physical and process are not known here: without --max-memory or GOMEMLIMIT
// there is no limit.
func physical() int64 { return 0 }
func process() int64  { return 0 }
