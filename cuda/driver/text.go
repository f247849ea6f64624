//go:build linux

package driver

import "unsafe"

// cString copies a string of C, of at most 64 KiB.
func cString(p *byte) string {
	var out []byte
	for i := 0; i < 1<<16; i++ {
		c := *(*byte)(unsafe.Add(unsafe.Pointer(p), i))
		if c == 0 {
			break
		}
		out = append(out, c)
	}
	return string(out)
}

// cBytes is a string with the zero that ends it in C.
func cBytes(s string) *byte { return &append([]byte(s), 0)[0] }
