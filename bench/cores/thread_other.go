//go:build !linux

package main

import "time"

var begun = time.Now()

// threadTime is the time since the start, where there is no better one.
func threadTime() time.Duration { return time.Since(begun) }
