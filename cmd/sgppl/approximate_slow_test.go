//go:build slow

package main

import "testing"

// TestApproximationsNative: a native engine gives the draws of the VM.
func TestApproximationsNative(t *testing.T) { approximationsAre(t, "native") }
