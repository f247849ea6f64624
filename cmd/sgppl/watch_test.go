package main

import (
	"encoding/json"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/live"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/system"
)

// watched is what `sgppl watch --json` says of a run.
func watched(t *testing.T, dir string) *live.View {
	t.Helper()
	status, stdout, stderr := inProcess(t, "", "watch", dir, "--json")
	v := &live.View{}
	if err := json.Unmarshal([]byte(stdout), v); status != 0 || err != nil {
		t.Fatalf("%d %v %s", status, err, stderr)
	}
	return v
}

// ofAllChains reports whether a view has charts of a kind, each with a line for each of four
// chains.
func ofAllChains(v *live.View, kind string) bool {
	found := false
	for _, c := range v.Charts {
		if c.Kind == kind {
			found = true
			if len(c.Lines) != 4 {
				return false
			}
		}
	}
	return found
}

// TestWatch: a run of another command is seen while it goes on, is stopped from the page of who
// watches it, and is seen to be interrupted, killed and complete.
func TestWatch(t *testing.T) {
	if !system.Locks {
		t.Skip("a run without a process cannot be told from one that goes on")
	}
	args, at := aRun(t, 200000)
	b := inBackground(t, append(args, "--out", at("run"))...)
	var v *live.View
	for range 600 {
		if _, err := os.Stat(at("run/run.json")); err == nil {
			if v = watched(t, at("run")); v.RowsRate > 0 && len(v.Health) > 0 &&
				ofAllChains(v, "trace") && ofAllChains(v, "held_out") {
				break
			}
		}
		time.Sleep(50 * time.Millisecond)
	}
	if v.State != live.Running || !v.Stop || !(v.RowsRate > 0) || len(v.Health) == 0 {
		t.Fatalf("%+v\n%s", v, b.stderr())
	}
	if !ofAllChains(v, "trace") || !ofAllChains(v, "held_out") {
		t.Errorf("not all chains are shown: %+v", v.Charts)
	}
	// what a killed process leaves is a directory that nobody has the lock of
	err := os.CopyFS(at("killed"), os.DirFS(at("run")))
	for k := 0; k < 20 && errors.Is(err, fs.ErrNotExist); k++ { // a file was replaced meanwhile
		os.RemoveAll(at("killed"))
		err = os.CopyFS(at("killed"), os.DirFS(at("run")))
	}
	if err != nil {
		t.Fatal(err)
	}
	if v := watched(t, at("killed")); v.State != live.Killed || v.Stop ||
		v.Resume != "sgppl sample --resume "+at("killed") {
		t.Errorf("a copy is %+v", v.Head)
	}
	w := inBackground(t, "watch", at("run"))
	url := ""
	for range 600 {
		url = address.FindString(w.out.String())
		if time.Sleep(50 * time.Millisecond); url != "" {
			break
		}
	}
	untilView(t, w, url, func(v *live.View) bool { return v.State == live.Running })
	r, _ := http.NewRequest("POST", url+"stop", nil)
	r.Header.Set("Origin", url[:strings.LastIndex(url[:len(url)-1], "/")])
	if a, err := http.DefaultClient.Do(r); err != nil || a.StatusCode != 204 {
		t.Fatalf("%v %v", a, err)
	}
	if status := b.wait(t); status != session.ExitInterrupted {
		t.Fatalf("%d %s", status, b.stderr())
	}
	v = untilView(t, w, url, func(v *live.View) bool { return v.State == live.Interrupted })
	if v.Resume != "sgppl sample --resume "+at("run") || v.Stop || len(v.Charts) < 5 || v.Draws == 0 {
		t.Errorf("%+v", v)
	}
	w.stop()
	if status := w.wait(t); status != 0 || !strings.Contains(w.stderr(), "interrupted: a checkpoint") {
		t.Errorf("%d %s", status, w.stderr())
	}
	for _, name := range []string{".sgppl-live.json", ".sgppl-stop"} {
		if _, err := os.Stat(at("run/" + name)); err == nil {
			t.Errorf("%s is left", name)
		}
	}
}

// TestWatchComplete: of a complete run watch says what summary says, in the terminal too, and
// ends there.
func TestWatchComplete(t *testing.T) {
	args, at := aRun(t, 500)
	if status, _, stderr := inProcess(t, "", append(args, "--out", at("run"))...); status != 0 {
		t.Fatal(stderr)
	}
	v := watched(t, at("run"))
	if v.State != live.Done || v.Draws != 2000 || v.Share != 1 || v.Stop || v.Resume != "" {
		t.Errorf("%+v %+v", v.Head, v.Progress)
	}
	_, stdout, _ := inProcess(t, "", "summary", at("run"), "--json")
	var s struct {
		Verdict string `json:"verdict"`
		Health  []any  `json:"health"`
	}
	if err := json.Unmarshal([]byte(stdout), &s); err != nil || s.Verdict != v.Sentence ||
		len(s.Health) != len(v.Health) || s.Verdict == "" {
		t.Errorf("summary: %q of %d rows, watch: %q of %d", s.Verdict, len(s.Health), v.Sentence,
			len(v.Health))
	}
	status, stdout, stderr := inProcess(t, "", "watch", at("run"), "--text")
	if status != 0 || !strings.Contains(stdout, "done: all draws are stored") ||
		!strings.Contains(stdout, s.Verdict) {
		t.Errorf("%d %s\n%s", status, stdout, stderr)
	}
	status, _, stderr = inProcess(t, "", "watch", at("nothing"))
	if status != session.ExitFiles || !strings.Contains(stderr, "not a run directory") {
		t.Errorf("%d %s", status, stderr)
	}
}
