package calibrate

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the collector run seldom: models are compiled and made ready again and again, and
// little is kept.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
