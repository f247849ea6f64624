//go:build slow

package examples_test

import "testing"

// TestSurrogateManyIntercepts is TestSurrogateIntercepts with more rows and longer chains.
func TestSurrogateManyIntercepts(t *testing.T) { interceptsAgree(t, 8000, 500, 2000, 1000) }
