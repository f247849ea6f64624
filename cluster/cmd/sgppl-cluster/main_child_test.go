package main

import (
	"os"
	"strings"
	"testing"
)

// asCommand is the environment variable that makes the binary of the tests sgppl-cluster.
const asCommand = "SGPPL_TEST_COMMAND"

// TestMain runs the tests, or, where a test or a runner of Beam starts this binary, the command.
func TestMain(m *testing.M) {
	if strings.HasPrefix(strings.Join(os.Args[1:], " "), "--id=") || os.Getenv(asCommand) != "" {
		main()
	}
	os.Exit(m.Run())
}
