package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// TestLogLikLocked: while a process stores the log likelihoods of a run, a second one
// that is to do so is refused as one is that would sample, and harms nothing; when the
// first has let go, it can.
func TestLogLikLocked(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), faultData["b.sg"])
	write(t, at("d.json"), faultData["d.json"])
	args := []string{"sample", at("m.sg"), "--data", at("d.json"), "--sampler", "hmc", "--step",
		"0.1", "--leapfrog", "2", "--init", "0", "--chains", "1", "--warmup", "2", "--draws", "6",
		"--log-lik", "--engine", "vm", "--progress", "none", "--out", at("r")}
	// The process dies when it is about to store them.
	on := &stopsAt{FS: disk.OS, part: run.LogLikPart(at("r"))}
	if code, msg := faulty(on, args...); code != session.ExitFiles {
		t.Fatalf("status %d\n%s", code, msg)
	}
	second := func() (int, string) {
		return faulty(disk.OS, "sample", "--resume", at("r"), "--progress", "none")
	}
	// The first that goes on meets the second when it begins to store.
	met := false
	first := &stopsAt{FS: disk.OS, part: run.LogLikPart(at("r")), then: func() {
		if met {
			return
		}
		met = true
		if code, msg := second(); code != session.ExitFiles ||
			!strings.Contains(msg, at("r")+" is being written by another process") {
			t.Errorf("the second: status %d\n%s", code, msg)
		}
	}}
	if code, msg := faulty(first, "sample", "--resume", at("r"), "--progress", "none"); code !=
		session.ExitDone || !met {
		t.Fatalf("the first: status %d, met %v\n%s", code, met, msg)
	}
	s, err := trace.Open(run.Draws(at("r")))
	if err != nil || !session.HasLoglik(s) {
		t.Fatalf("no log likelihoods: %v", err)
	}
	if found := s.Verify(); len(found.Problems) > 0 {
		t.Error(found.Problems)
	}
	if code, msg := second(); code != session.ExitDone || !strings.Contains(msg, "is complete") {
		t.Errorf("afterwards: status %d\n%s", code, msg)
	}
}

// stopsAt fails to make the directory part, or calls then before it is made.
type stopsAt struct {
	disk.FS
	part string
	then func()
}

func (s *stopsAt) Mkdir(path string, perm os.FileMode) error {
	if path == s.part {
		if s.then == nil {
			return &os.PathError{Op: "mkdir", Path: path, Err: os.ErrPermission}
		}
		s.then()
	}
	return s.FS.Mkdir(path, perm)
}
