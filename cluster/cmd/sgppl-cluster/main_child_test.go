package main

import (
	"os"
	"testing"
)

// asCommand is the environment variable that makes the binary of the tests sgppl-cluster.
const asCommand = "SGPPL_TEST_COMMAND"

// TestMain runs the tests, or, where a test starts this binary, the command.
func TestMain(m *testing.M) {
	if os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}
