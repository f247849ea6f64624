package latent_test

import (
	"os"
	"runtime/debug"
	"testing"
)

// TestMain has the collector run seldom: tests compile dozens of models and keep little.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	os.Exit(m.Run())
}
