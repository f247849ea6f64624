//go:build !linux

package training

import "time"

var begun = time.Now()

// CPUTime is the time since the start, where there is no better one.
func CPUTime() time.Duration { return time.Since(begun) }
