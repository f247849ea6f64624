package main

import (
	"slices"
	"strings"
	"testing"
)

func TestJoinNegative(t *testing.T) {
	for in, want := range map[string]string{
		"sample m.sg --step -1 --force":  "sample m.sg --step=-1 --force",
		"sample --warmup -1e3 --x=2 -4":  "sample --warmup=-1e3 --x=2 -4",
		"fmt -w -d":                      "fmt -w -d",
		"sample --data -- --step -1":     "sample --data -- --step -1",
		"sample --init -Inf -1 --seed 3": "sample --init=-Inf -1 --seed 3",
		"-1":                             "-1",
		"":                               "",
	} {
		if got := joinNegative(strings.Fields(in)); !slices.Equal(got, strings.Fields(want)) {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}
