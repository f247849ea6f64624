//go:build slow

package main

import "testing"

// TestNativeManyRowsStream is TestManyRowsStream of built samplers: the same draws to the bit.
func TestNativeManyRowsStream(t *testing.T) { manyRowsStream(t, "native") }
