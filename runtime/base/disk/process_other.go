//go:build !unix

package disk

import "os"

// exists says whether there is a process of that number, and yes where the system
// does not tell.
func exists(process int) bool {
	p, err := os.FindProcess(process)
	if err == nil {
		p.Release()
	}
	return err == nil
}
