//go:build slow

package examples_test

import "testing"

// TestPosteriorsInSingleByRows is TestPosteriorsInSingle by minibatches.
func TestPosteriorsInSingleByRows(t *testing.T) { inSingle(t, regressions(t)[1], true) }
