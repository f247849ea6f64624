//go:build slow

package main

import "testing"

// TestNativeStreams is TestStreams of built samplers: the same draws to the bit.
func TestNativeStreams(t *testing.T) { streamsAre(t, "native") }
