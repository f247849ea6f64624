package main

import (
	"bytes"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
)

// An interrupt ends a test with 130 and no verdict, a second one at once.
func TestTestInterrupted(t *testing.T) {
	model := filepath.Join(t.TempDir(), "line.sg")
	write(t, model, "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\ny ~ normal(a, 1)\n")
	for times := 1; times <= 2; times++ {
		var out, err bytes.Buffer
		quit := 0
		e := &session.Session{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err,
			Args:   []string{"test", model, "--replications", "100000"},
			Getenv: func(string) string { return "" },
			Now:    time.Now, Quit: func(code int) { quit = code },
			Interrupts: func(f func()) func() {
				for range times {
					f()
				}
				return func() {}
			}}
		if code := execute(e); code != session.ExitInterrupted || out.Len() > 0 ||
			!strings.Contains(err.String(), "interrupted: nothing was judged") {
			t.Errorf("status %d: %s%s", code, out.String(), err.String())
		}
		if want := session.ExitInterrupted * (times - 1); quit != want {
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
	e := &session.Session{Stdin: strings.NewReader(""), Stdout: &out, Stderr: &err,
		Args:   []string{"test", model, "--replications", "8", "--draws", "9", "--warmup", "50"},
		Getenv: func(string) string { return "" },
		Now:    func() time.Time { clock = clock.Add(6 * time.Second); return clock },
		Quit:   func(int) {}, Interrupts: func(func()) func() { return func() {} }}
	if code := execute(e); code != session.ExitDone {
		t.Fatalf("status %d: %s%s", code, out.String(), err.String())
	}
	if n := strings.Count(err.String(), "of 8 replications, "); n < 2 || n > 4 ||
		strings.Contains(err.String(), "8 of 8") {
		t.Errorf("%s", err.String())
	}
}
