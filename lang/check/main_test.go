package check_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the collector run seldom: texts are checked by the hundred, and little is kept.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
