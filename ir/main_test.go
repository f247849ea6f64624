package ir_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the collector run seldom: functions are made and evaluated by the thousand, and
// little is kept.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
