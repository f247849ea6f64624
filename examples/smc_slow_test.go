//go:build slow

package examples_test

import "testing"

// TestSMCTwoNormalsWhole is TestSMCTwoNormals on all rows, against longer chains.
func TestSMCTwoNormalsWhole(t *testing.T) { twoNormalsAgree(t, 300, 2000) }
