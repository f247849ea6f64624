package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// `sgppl cluster` runs the program on the PATH with its arguments, and ends with its status;
// without one it says how to install it.
func TestCluster(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the program of this test is a script of the shell")
	}
	dir := t.TempDir()
	t.Setenv("PATH", dir+":/usr/bin:/bin")
	code, _, messages := inProcess(t, "", "cluster", "status", "lake")
	if code != 5 || !strings.Contains(messages,
		"go install github.com/sgppl/sgppl/cluster/cmd/sgppl-cluster@latest") {
		t.Errorf("status %d: %s", code, messages)
	}
	text := "#!/bin/sh\necho \"asked: $*\"\nexit 3\n"
	if err := os.WriteFile(filepath.Join(dir, "sgppl-cluster"), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	code, out, messages := inProcess(t, "", "cluster", "score", "run", "--data=x y", "--json")
	if code != 3 || out != "asked: score run --data=x y --json\n" {
		t.Errorf("status %d: %s%s", code, out, messages)
	}
	// A run in a bucket is a copy that the program fetches; its error is the command's.
	code, _, _ = inProcess(t, "", "summary", "s3://lake/run")
	if code != 3 {
		t.Errorf("a run that cannot be fetched: status %d", code)
	}
	text = "#!/bin/sh\necho \"" + dir + "/copy of $*\"\n"
	if err := os.WriteFile(filepath.Join(dir, "sgppl-cluster"), []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	for location, want := range map[string]string{
		"s3://lake/run":        "copy of fetch --cached s3://lake/run is not a run directory",
		"file://" + dir + "/r": "/r is not a run directory",
	} {
		code, _, messages = inProcess(t, "", "summary", location)
		if code == 0 || !strings.Contains(messages, want) || strings.Contains(messages, "file://") {
			t.Errorf("%s: status %d, %s", location, code, messages)
		}
	}
}
