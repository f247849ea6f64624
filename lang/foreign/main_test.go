package foreign_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the collector run seldom: programs are translated by the hundred, and little is
// kept.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
