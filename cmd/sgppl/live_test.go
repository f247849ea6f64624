package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/sgppl/sgppl/internal/live"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A background is a command that goes on while a test looks at it.
type background struct {
	out, err safeBuffer // its standard output and error
	status   chan int
	stop     func() // interrupts it
}

func (b *background) stderr() string { return b.err.String() }

// inBackground begins a command, which ends with the test at the latest.
func inBackground(t *testing.T, args ...string) *background {
	t.Helper()
	b := &background{status: make(chan int, 1)}
	var lock sync.Mutex
	var list []*func()
	b.stop = func() {
		lock.Lock()
		defer lock.Unlock()
		if n := len(list); n > 0 {
			go (*list[n-1])()
		}
	}
	e := &session.Session{Stdin: strings.NewReader(""), Stdout: &b.out, Stderr: &b.err, Args: args,
		Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now, Quit: func(int) {},
		Interrupts: func(f func()) func() {
			lock.Lock()
			defer lock.Unlock()
			list = append(list, &f)
			return func() {
				lock.Lock()
				defer lock.Unlock()
				list = list[:len(list)-1]
			}
		}}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		b.status <- execute(e)
	}()
	t.Cleanup(func() {
		b.stop()
		<-ended
	})
	return b
}

var address = regexp.MustCompile(`http://127\.0\.0\.1:[0-9]+/[A-Z2-7]+/`)

// page waits for the address that a command prints.
func (b *background) page(t *testing.T) string {
	t.Helper()
	for range 3000 {
		if at := address.FindString(b.stderr()); at != "" {
			return at
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("no address:\n%s", b.stderr())
	return ""
}

// wait waits for the end of a command.
func (b *background) wait(t *testing.T) int {
	t.Helper()
	select {
	case status := <-b.status:
		return status
	case <-time.After(2 * time.Minute):
		t.Fatalf("it does not end:\n%s", b.stderr())
	}
	return -1
}

// viewAt is what a page shows now; nil where the server is gone or has none yet.
func viewAt(url string) *live.View {
	a, err := http.Get(url + "view.json")
	if err != nil {
		return nil
	}
	defer a.Body.Close()
	v := &live.View{}
	if a.StatusCode != 200 || json.NewDecoder(a.Body).Decode(v) != nil {
		return nil
	}
	return v
}

// untilView waits for a view.
func untilView(t *testing.T, b *background, url string, is func(v *live.View) bool) *live.View {
	t.Helper()
	var v *live.View
	for range 600 {
		if v = viewAt(url); v != nil && is(v) {
			return v
		}
		time.Sleep(50 * time.Millisecond)
	}
	t.Fatalf("no such view; the last was %+v\n%s", v, b.stderr())
	return nil
}

// files are the digests of the files of a run that hold its draws.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	out := map[string]string{}
	store := filepath.Join(dir, "draws.zarr")
	err := filepath.WalkDir(store, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		b, err := os.ReadFile(path)
		rel, _ := filepath.Rel(store, path)
		out[rel] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// sameFiles holds the files of two runs against each other.
func sameFiles(t *testing.T, a, b string) {
	t.Helper()
	x, y := files(t, a), files(t, b)
	for name, text := range x {
		if y[name] != text {
			t.Errorf("%s differs in %s and %s", name, a, b)
		}
	}
	if len(x) != len(y) || len(x) == 0 {
		t.Errorf("%d files in %s, %d in %s", len(x), a, len(y), b)
	}
	list, _ := os.ReadDir(b)
	for _, f := range list {
		if strings.HasPrefix(f.Name(), ".sgppl") {
			t.Errorf("%s is left in %s", f.Name(), b)
		}
	}
}

// aRun writes a model and returns a command that samples it for some seconds.
func aRun(t *testing.T, draws int) (args []string, at func(name string) string) {
	t.Helper()
	dir := t.TempDir()
	at = func(name string) string { return filepath.Join(dir, name) }
	write(t, at("m.sg"), "dim N\ndata y[N] : real\nparam a : real ~ normal(0, 1)\n"+
		"param w[3] : real ~ normal(0, 1)\n"+
		"for n in N { y[n] ~ normal(a + w[0], 1) }\n")
	write(t, at("d.json"), `{"y": [1, 2, 3]}`)
	write(t, at("h.json"), `{"y": [2]}`)
	return []string{"sample", at("m.sg"), "--data", at("d.json"), "--held-out", at("h.json"),
		"--sampler", "msgnht", "--step", "0.05", "--friction", "1", "--batch", "2", "--thin", "20",
		"--draws", fmt.Sprint(draws), "--engine", "vm", "--progress", "none"}, at
}

// TestServedRun: a run with a page, which is stopped by its button and goes on with another page,
// has the bytes of one without; it stops as by an interrupt, and its page says how to go on.
func TestServedRun(t *testing.T) {
	args, at := aRun(t, 6000)
	if status, _, stderr := inProcess(t, "", append(args, "--out", at("plain"))...); status != 0 {
		t.Fatal(stderr)
	}
	b := inBackground(t, append(args, "--out", at("run"), "--serve")...)
	url := b.page(t)
	r, err := http.NewRequest("POST", url+"stop", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := http.DefaultClient.Do(r)
	if err != nil || a.StatusCode != 403 {
		t.Fatalf("without an origin: %v %v", a, err)
	}
	r.Header.Set("Origin", strings.TrimSuffix(url[:strings.LastIndex(url[:len(url)-1], "/")], "/"))
	stopped := false
	for range 600 { // until the chains run
		if a, err = http.DefaultClient.Do(r); err != nil {
			break
		}
		if stopped = a.StatusCode == 204; stopped {
			break
		}
		time.Sleep(50 * time.Millisecond)
	}
	if !stopped {
		t.Fatalf("%v %v\n%s", a, err, b.stderr())
	}
	if status := b.wait(t); status != session.ExitInterrupted ||
		!strings.Contains(b.stderr(), "interrupted; a checkpoint of every chain is written") {
		t.Fatalf("status %d\n%s", status, b.stderr())
	}
	if viewAt(url) != nil {
		t.Error("the server is still there")
	}
	half, err := run.Read(at("run"))
	if err != nil || half.Status != run.Interrupted {
		t.Fatalf("%v %+v", err, half.Chains)
	}
	b = inBackground(t, "sample", "--resume", at("run"), "--serve", "--progress", "none")
	page := events(t, b.page(t))
	if status := b.wait(t); status != 0 {
		t.Fatal(b.stderr())
	}
	last := <-page
	if last.State != live.Done || last.Verdict == "" || last.Method == "" || len(last.Health) == 0 ||
		last.Draws != 24000 || last.Stop {
		t.Errorf("the last view is %+v", last)
	}
	for _, c := range last.Charts { // those of before the stop too
		for _, l := range c.Lines {
			for i := range l.X {
				if c.Kind == "trace" && i > 0 && l.X[i]-l.X[i-1] != l.X[1]-l.X[0] {
					t.Fatalf("%s of chain %d jumps from draw %d to %d", c.Title, l.Chain, l.X[i-1],
						l.X[i])
				}
			}
		}
	}
	sameFiles(t, at("plain"), at("run"))
}

// events follows a page and returns its last view.
func events(t *testing.T, url string) <-chan *live.View {
	t.Helper()
	a, err := http.Get(url + "events")
	if err != nil {
		t.Fatal(err)
	}
	out := make(chan *live.View, 1)
	go func() {
		defer a.Body.Close()
		b, _ := io.ReadAll(a.Body)
		v := &live.View{}
		at := bytes.LastIndex(b, []byte("\nevent: end\ndata: "))
		if at >= 0 {
			json.Unmarshal(b[at+len("\nevent: end\ndata: "):], v)
		}
		out <- v
	}()
	return out
}

// TestServeRefused: a port that is taken ends the command before there is a run, and what is no
// port is refused.
func TestServeRefused(t *testing.T) {
	args, at := aRun(t, 10)
	s, err := live.Serve(0, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	port := regexp.MustCompile(`:([0-9]+)/`).FindStringSubmatch(s.URL())[1]
	args = append(args, "--out", at("run"))
	status, _, stderr := inProcess(t, "", append(args, "--serve="+port)...)
	if status != session.ExitFiles || !strings.Contains(stderr, "--serve=PORT takes another port") {
		t.Errorf("%d %s", status, stderr)
	}
	status, _, stderr = inProcess(t, "", append(args, "--serve=here")...)
	if status != session.ExitUsage || !strings.Contains(stderr, "a port is expected") {
		t.Errorf("%d %s", status, stderr)
	}
	if _, err := os.Stat(at("run")); err == nil {
		t.Error("there is a run")
	}
	write(t, at("c.toml"), "serve = false\n")
	if status, _, stderr = inProcess(t, "", append(args, "--config", at("c.toml"))...); status != 0 ||
		strings.Contains(stderr, "http://") {
		t.Errorf("%d %s", status, stderr)
	}
}

// TestServedFailure: the page of a command that ends before its run says why.
func TestServedFailure(t *testing.T) {
	args, at := aRun(t, 10)
	write(t, at("d.json"), `{"z": [1]}`)
	b := inBackground(t, append(args, "--out", at("run"), "--serve")...)
	if status := b.wait(t); status == 0 {
		t.Error("no error")
	}
	if address.FindString(b.stderr()) == "" {
		t.Error(b.stderr())
	}
}
