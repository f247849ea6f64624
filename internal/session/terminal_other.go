//go:build js || wasip1

package session

import "os"

// terminal says no: nothing here says what stands at the other end of a file.
func terminal(*os.File) (is, sized bool) { return false, false }
