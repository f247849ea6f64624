package driver

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the collector run seldom: models are compiled by the hundred, and little is kept.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
