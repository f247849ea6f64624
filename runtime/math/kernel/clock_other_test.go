//go:build !linux

package kernel

import "time"

var begun = time.Now()

// cpuTime is the time since the start, where there is no better one.
func cpuTime() time.Duration { return time.Since(begun) }
