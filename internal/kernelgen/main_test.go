package main

import (
	"bytes"
	"os"
	"testing"
)

// What is written is what this command writes now.
func TestFresh(t *testing.T) {
	t.Chdir("../..")
	for path, want := range files() {
		got, err := os.ReadFile(path)
		if err != nil {
			t.Error(err)
		} else if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: go run ./internal/kernelgen", path)
		}
	}
}
