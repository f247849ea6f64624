package main

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/session"
)

// TestInterruptedFiles: an interrupt ends what comes after a run with 130 and
// leaves nothing behind; a second one ends the process.
func TestInterruptedFiles(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(a, 1) }\n")
	write(t, at("d.json"), `{"y": [1, 2, 3]}`)
	if status, _, stderr := inProcess(t, "", "sample", at("m.sg"), "--data", at("d.json"),
		"--chains", "1", "--warmup", "20", "--draws", "20",
		"--engine", "vm", "--progress", "none", "--out", at("r")); status != 0 {
		t.Fatal(stderr)
	}
	before, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{
		{"predict", at("r"), "--out", at("p.json")},
		{"predict", at("r"), "--out", at("p.zarr")},
		{"predict", at("r"), "--out", at("p.csv"), "--mean"},
		{"loo", at("r")},
		{"loo", at("r"), "--save"},
		{"simulate", at("m.sg"), "--set", "N=4", "--replications", "50", "--out", at("s.json"),
			"--params-out", at("t.json")},
		{"simulate", at("m.sg"), "--set", "N=4", "--replications", "50", "--out", at("s.zarr")},
	} {
		for times := 1; times <= 2; times++ {
			var stdout, stderr bytes.Buffer
			quit := 0
			e := &session.Session{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
				Args: args, Getenv: func(string) string { return "" }, Now: time.Now,
				Quit: func(code int) { quit = code },
				Interrupts: func(f func()) func() {
					for range times {
						f()
					}
					return func() {}
				}}
			status := execute(e)
			if status != session.ExitInterrupted ||
				!strings.Contains(stderr.String(), "interrupted") || stdout.Len() > 0 ||
				(quit == session.ExitInterrupted) != (times == 2) {
				t.Errorf("%v, %d times: status %d, quit %d\n%s%s", args, times, status, quit,
					stdout.String(), stderr.String())
			}
		}
	}
	if after, err := os.ReadDir(dir); err != nil || len(after) != len(before) {
		t.Errorf("%v became %v", before, after)
	}
	entries, _ := os.ReadDir(at("r"))
	for _, x := range entries {
		if strings.Contains(x.Name(), "log_lik") {
			t.Error("left behind:", x.Name())
		}
	}
}

// TestInterruptedBuild: an interrupt while the native engine is built says so, ends with 130, and
// leaves nothing half made in the cache; and no run, unless the VM sampled meanwhile.
func TestInterruptedBuild(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("the go command of this test is a shell script")
	}
	for _, engine := range []string{"auto", "native"} {
		dir := t.TempDir()
		at := func(name string) string { return filepath.Join(dir, name) }
		write(t, at("m.sg"), "param a : real ~ normal(0, 1)\n")
		write(t, at("go"), "#!/bin/sh\ntouch "+at("begun")+"\nexec sleep 60\n")
		if err := os.Chmod(at("go"), 0o755); err != nil {
			t.Fatal(err)
		}
		var stdout, stderr bytes.Buffer
		e := &session.Session{Stdin: strings.NewReader(""), Stdout: &stdout, Stderr: &stderr,
			Now: time.Now, Quit: func(int) {},
			Args: []string{"sample", at("m.sg"), "--sampler", "nuts", "--engine", engine,
				"--progress", "none", "--draws", "3000000", "--out", at("run")},
			Getenv: func(name string) string {
				return map[string]string{"SGPPL_CACHE": at("cache")}[name]
			},
			Environ: []string{"PATH=" + dir + string(filepath.ListSeparator) + os.Getenv("PATH")},
			Interrupts: func(f func()) func() {
				done := make(chan struct{})
				go func() {
					for range 3000 {
						select {
						case <-done:
							return
						case <-time.After(10 * time.Millisecond):
						}
						if _, err := os.Stat(at("begun")); err == nil {
							f()
							return
						}
					}
				}()
				return func() { close(done) }
			}}
		said := map[string]string{"auto": "a checkpoint of every chain is written",
			"native": "interrupted while the sampler was built: nothing is written"}[engine]
		if status := execute(e); status != session.ExitInterrupted || stdout.Len() > 0 ||
			!strings.Contains(stderr.String(), said) {
			t.Errorf("--engine %s: status %d\n%s%s", engine, status, stdout.String(),
				stderr.String())
		}
		if _, err := os.Stat(at("run")); (err == nil) != (engine == "auto") {
			t.Errorf("--engine %s: a run directory: %v", engine, err)
		}
		if left, _ := os.ReadDir(filepath.Join(at("cache"), "bin")); len(left) > 0 {
			t.Errorf("--engine %s: left in the cache: %v", engine, left)
		}
	}
}
