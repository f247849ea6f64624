package live

import (
	"encoding/json"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/sgppl/sgppl/runtime/base/system"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// prepared makes the directory of a run that has not begun.
func prepared(t *testing.T) (dir string, r *run.Record) {
	t.Helper()
	if !system.Locks {
		t.Skipf("%s has no locks", runtime.GOOS)
	}
	dir = filepath.Join(t.TempDir(), "r")
	c := sampler.DefaultConfig()
	c.Sampler, c.Chains = "nuts", 2
	r = &run.Record{Version: "v", ModelInfo: run.ModelInfo{Model: "m"},
		Method: run.Method{Settings: c}}
	if err := run.Prepare(dir, r, "param a : real ~ normal(0, 1)\n", false, time.Now()); err != nil {
		t.Fatal(err)
	}
	return dir, r
}

// follower follows a run by a clock that the test moves.
func follower(
	t *testing.T,
	dir string,
) (f *Follower, view func(state string) *View, later func(time.Duration)) {
	t.Helper()
	f, err := Follow(dir)
	if err != nil {
		t.Fatal(err)
	}
	at := time.Now()
	f.now = func() time.Time { return at }
	return f, func(state string) *View {
		t.Helper()
		v, err := f.View()
		if err != nil {
			t.Fatal(err)
		}
		if v.State != state {
			t.Errorf("the run is %s (%s), want %s", v.State, v.Words, state)
		}
		return v
	}, func(d time.Duration) { at = at.Add(d) }
}

// TestFollow: a run without a process was killed; one whose lock is held goes on, with what its
// pulse says; of a pulse that stops it is said, and of one whose process is gone, too.
func TestFollow(t *testing.T) {
	dir, r := prepared(t)
	f, view, later := follower(t, dir)
	if v := view(Killed); v.Resume != "sgppl sample --resume "+dir || v.Stop {
		t.Errorf("%+v", v.Head)
	}
	unlock, err := run.Lock(dir)
	if err != nil {
		t.Fatal(err)
	}
	if v := view(Running); !strings.Contains(v.Words, "tells nothing") || v.Stop {
		t.Errorf("%+v", v.Head)
	}
	p := play(2, 0)
	p.head.ID = r.ID
	p.all(100, 1)
	pulse := NewPulse(dir, r.ID)
	pulse.Write(p.View())
	if v := view(Running); !v.Stop || v.Run != dir || v.Draws != 200 || len(v.Charts) == 0 {
		t.Errorf("%+v", v.Head)
	}
	later(time.Minute)
	if v := view(Running); len(v.Notes) != 1 ||
		!strings.Contains(v.Notes[0], "has said nothing for 1m0s") {
		t.Errorf("%v", v.Notes)
	}
	pulse.Write(p.View())
	if v := view(Running); len(v.Notes) != 0 {
		t.Errorf("%v", v.Notes)
	}
	if pulse.Asked() {
		t.Error("nobody asked")
	}
	if err := f.Ask(); err != nil {
		t.Fatal(err)
	}
	if v := view(Stopping); v.Stop {
		t.Error("it can be asked twice at a time")
	}
	later(time.Minute)
	pulse.Write(p.View())
	if v := view(Running); !v.Stop || !strings.Contains(strings.Join(v.Notes, ""), "not answered") {
		t.Errorf("%+v %v", v.Head, v.Notes)
	}
	if !pulse.Asked() || pulse.Asked() {
		t.Error("the wish is not heard once")
	}
	unlock()
	later(time.Minute)
	v := view(Killed)
	dynamics := 0
	for _, h := range v.Health {
		if h.Statistic == "xi_variance" {
			dynamics++
		}
	}
	if dynamics != 1 {
		t.Errorf("what the process said last of the dynamics is forgotten: %v", v.Health)
	}
	pulse.Remove()
	if v := view(Killed); !strings.Contains(v.From, "dynamics of the chains were like is not stored") {
		t.Errorf("%q", v.From)
	}
	if list, _ := os.ReadDir(dir); len(list) != 3 { // run.json, model.sg, log.txt
		t.Errorf("%v", list)
	}
}

// TestFollowElsewhere: of a process on another machine, whose lock is not seen here, the pulse
// alone is known.
func TestFollowElsewhere(t *testing.T) {
	dir, r := prepared(t)
	_, view, later := follower(t, dir)
	p := play(2, 0)
	p.all(100, 1)
	pulse := NewPulse(dir, r.ID)
	pulse.host = "another"
	for range 3 {
		pulse.Write(p.View())
		view(Running)
		later(4 * time.Second)
	}
	later(time.Minute)
	if v := view(Silent); v.Stop || !strings.Contains(v.Words, " on another") || v.Resume == "" ||
		len(v.Charts) == 0 {
		t.Errorf("%+v", v.Head)
	}
	pulse.Write(p.View())
	view(Running)
}

// TestOtherPulse: the pulse of a run that was in the directory before, a damaged one, and a wish
// that meant another run are not taken for this run's.
func TestOtherPulse(t *testing.T) {
	dir, r := prepared(t)
	_, view, _ := follower(t, dir)
	p := play(2, 0)
	p.all(100, 1)
	NewPulse(dir, "other").Write(p.View())
	if v := view(Killed); v.Draws != 0 {
		t.Errorf("%+v", v)
	}
	if err := Ask(dir, "other"); err != nil {
		t.Fatal(err)
	}
	if NewPulse(dir, r.ID).Asked() {
		t.Error("the wish was for another run")
	}
	for _, text := range []string{"", "{", "[]", `{"id": "` + r.ID + `"}`, `{"id": "` + r.ID +
		`", "view": 3}`} {
		if err := os.WriteFile(run.PulseFile(dir), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
		view(Killed)
	}
}

// TestNoRun: what is no run is refused, and a run that vanishes is an error.
func TestNoRun(t *testing.T) {
	if _, err := Follow(t.TempDir()); err == nil {
		t.Error("no error")
	}
	dir, _ := prepared(t)
	f, _, _ := follower(t, dir)
	if err := os.RemoveAll(dir); err != nil {
		t.Fatal(err)
	}
	if _, err := f.View(); err == nil {
		t.Error("no error")
	}
	if err := f.Ask(); err == nil {
		t.Error("no error")
	}
}

// TestText: the text of a view has its verdict, its rates and where it came from.
func TestText(t *testing.T) {
	p := play(4, 3)
	p.all(300, 1)
	text := p.view(t).Text()
	for _, want := range []string{"running: the chains draw", "off so far: ", "1200 of 4000 draws",
		"4e+05 rows/s", "w[0]", "of 3 of 10 numbers", "Held-out"} {
		if !strings.Contains(text, want) {
			t.Errorf("there is no %q in\n%s", want, text)
		}
	}
	v := View{}
	b, _ := json.Marshal(Waiting("m"))
	if err := json.Unmarshal(b, &v); err != nil || !strings.Contains(v.Text(), "setting up") {
		t.Errorf("%v\n%s", err, v.Text())
	}
}
