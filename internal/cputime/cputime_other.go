//go:build !linux

package cputime

import "time"

var begun = time.Now()

// Now is the time since the start, where there is no better one.
func Now() time.Duration { return time.Since(begun) }
