package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// An interrupt ends a test with 130 and no verdict, a second one at once.
func TestTestInterrupted(t *testing.T) {
	model := filepath.Join(t.TempDir(), "line.sg")
	write(t, model, "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\ny ~ normal(a, 1)\n")
	for times := 1; times <= 2; times++ {
		var out, err bytes.Buffer
		quit := 0
		e := &env{stdin: strings.NewReader(""), stdout: &out, stderr: &err, args: []string{"test", model, "--replications", "100000"}, getenv: func(string) string { return "" },
			now: time.Now, quit: func(code int) { quit = code },
			interrupts: func(f func()) func() {
				for range times {
					f()
				}
				return func() {}
			}}
		if code := execute(e); code != exitInterrupted || out.Len() > 0 || !strings.Contains(err.String(), "interrupted: nothing was judged") {
			t.Errorf("status %d: %s%s", code, out.String(), err.String())
		}
		if want := exitInterrupted * (times - 1); quit != want {
			t.Errorf("%d interrupts: quit %d", times, quit)
		}
	}
}

// Progress is a line every ten seconds by the clock of the program.
func TestTestProgress(t *testing.T) {
	model := filepath.Join(t.TempDir(), "line.sg")
	write(t, model, "param a : real ~ normal(0, 1)\n")
	var out, err bytes.Buffer
	clock := time.Unix(0, 0)
	e := &env{stdin: strings.NewReader(""), stdout: &out, stderr: &err, args: []string{"test", model, "--replications", "8", "--draws", "9", "--warmup", "50"}, getenv: func(string) string { return "" },
		now: func() time.Time { clock = clock.Add(6 * time.Second); return clock }, quit: func(int) {}, interrupts: func(func()) func() { return func() {} }}
	if code := execute(e); code != exitDone {
		t.Fatalf("status %d: %s%s", code, out.String(), err.String())
	}
	if n := strings.Count(err.String(), "of 8 replications, "); n < 2 || n > 4 || strings.Contains(err.String(), "8 of 8") {
		t.Errorf("%s", err.String())
	}
}
