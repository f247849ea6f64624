//go:build !noclouds

package main

import (
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"
	"github.com/sgppl/sgppl/cluster/bucket"
)

// A flaky server is one of S3's protocol, some of whose requests fail.
type flaky struct {
	server http.Handler
	lock   sync.Mutex
	seen   int                  // requests since the last reset
	fault  func(seen int) fault // of a request, by its number from 0; nil: none
}

// A fault answers a request in place of the server, which it may ask.
type fault func(w http.ResponseWriter, r *http.Request, server http.Handler)

// Faults as they happen: the service is overloaded, a connection breaks before or within a reply,
// and credentials end.
var faults = map[string]fault{
	"busy": func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		refuse(w, http.StatusServiceUnavailable, "SlowDown")
	},
	"broken": func(http.ResponseWriter, *http.Request, http.Handler) { panic(http.ErrAbortHandler) },
	"half": func(w http.ResponseWriter, r *http.Request, server http.Handler) {
		all := httptest.NewRecorder()
		server.ServeHTTP(all, r)
		maps.Copy(w.Header(), all.Header())
		w.Header().Set("Content-Length", strconv.Itoa(all.Body.Len()))
		w.WriteHeader(all.Code)
		w.Write(all.Body.Bytes()[:all.Body.Len()/2])
		panic(http.ErrAbortHandler)
	},
	"ended": func(w http.ResponseWriter, _ *http.Request, _ http.Handler) {
		refuse(w, http.StatusForbidden, "ExpiredToken")
	},
}

func refuse(w http.ResponseWriter, status int, code string) {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>of the test</Message></Error>", code)
}

func (f *flaky) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.lock.Lock()
	var now fault
	if f.fault != nil {
		now = f.fault(f.seen)
	}
	f.seen++
	f.lock.Unlock()
	if now != nil {
		now(w, r, f.server)
		return
	}
	f.server.ServeHTTP(w, r)
}

// reset sets the faults from now on, and returns how many requests there were.
func (f *flaky) reset(fault func(int) fault) int {
	f.lock.Lock()
	defer f.lock.Unlock()
	n := f.seen
	f.seen, f.fault = 0, fault
	return n
}

// A lake is a bucket that several servers show, so that cases with faults can run at once.
type lake struct{ server http.Handler }

func newLake(t *testing.T) lake {
	t.Helper()
	back := s3mem.New()
	if err := back.CreateBucket("lake"); err != nil {
		t.Fatal(err)
	}
	for name, value := range map[string]string{"AWS_ACCESS_KEY_ID": "key", "AWS_REGION": "us-east-1",
		"AWS_SECRET_ACCESS_KEY": "secret"} {
		t.Setenv(name, value)
	}
	return lake{gofakes3.New(back).Server()}
}

// show starts a server of the lake, and returns it with a function that makes a URL of a place.
func (l lake) show(t *testing.T) (*flaky, func(string) string) {
	f := &flaky{server: l.server}
	server := httptest.NewServer(f)
	t.Cleanup(server.Close)
	return f, func(place string) string {
		return "s3://lake/" + place + "?endpoint=" + server.URL + "&use_path_style=true"
	}
}

// lakeRows puts the rows of a table into the lake, and samples a run of them.
func lakeRows(t *testing.T, at func(string) string, n int) (run, rows string) {
	t.Helper()
	dir := t.TempDir()
	local := table(t, dir, n)
	run, _ = fit(t, dir, local)
	b, err := bucket.Open(t.Context(), dir, false)
	if err != nil {
		t.Fatal(err)
	}
	text, err := b.Get(t.Context(), filepath.Base(local))
	if err != nil {
		t.Fatal(err)
	}
	to, err := bucket.Open(t.Context(), at("data"), false)
	if err != nil {
		t.Fatal(err)
	}
	if err := to.Put(t.Context(), "rows.csv", text); err != nil {
		t.Fatal(err)
	}
	return run, at("data/rows.csv")
}

// stored are the objects of a place whose names end in some way.
func stored(t *testing.T, at, ending string) map[string]string {
	t.Helper()
	b, err := bucket.Open(t.Context(), at, false)
	if err != nil {
		t.Error(err)
		return nil
	}
	list, err := b.List(t.Context(), "")
	if err != nil {
		t.Error(err)
	}
	out := map[string]string{}
	for _, o := range list {
		if strings.HasSuffix(o.Name, ending) {
			text, err := b.Get(t.Context(), o.Name)
			if err != nil {
				t.Error(err)
			}
			out[o.Name] = string(text)
		}
	}
	return out
}

// A bucket that cannot be reached from some request on, or that refuses the credentials, ends
// the command with its status and words, whatever it was doing. The same command goes on
// later, does no task again that was done, and has the results of a run without faults.
func TestOutage(t *testing.T) {
	l := newLake(t)
	_, at := l.show(t)
	run, rows := lakeRows(t, at, 1000)
	model := filepath.Join(filepath.Dir(run), "model.sg")
	if err := os.WriteFile(model, []byte(regression), 0o666); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(5, 5))
	var group sync.WaitGroup // clients wait before they try again
	for _, line := range [][]string{
		{"score", run, "--json", "--shard-size=10K"},
		{"fleet", model, "--by=customer", "--parts=2", "--chains=1", "--draws=20", "--warmup=20",
			"--sampler=nuts", "--shard-size=20K"},
	} {
		line = append(line, "--data="+rows, "--engine=vm")
		want := outage{line: line, place: line[0], dir: t.TempDir()}
		f, at := l.show(t)
		if code, messages := want.try(t, at); code != 0 {
			t.Fatal(messages)
		}
		requests := f.reset(nil)
		want.results = stored(t, at(want.place), ".bin")
		for _, name := range slices.Sorted(maps.Keys(faults)) {
			for i := range 3 {
				o := outage{line: line, place: fmt.Sprintf("%s-%s-%d", line[0], name, i), dir: t.TempDir(),
					fault: name, from: r.IntN(requests * (i + 1) / 3)} // early ones too
				f, at := l.show(t)
				group.Go(func() { o.passes(t, f, at, &want) })
			}
		}
	}
	group.Wait()
}

// An outage begins at a request, and lasts.
type outage struct {
	line             []string
	place, dir, said string
	fault            string
	from             int
	results          map[string]string
}

// try gives the command, and keeps its words.
func (o *outage) try(t *testing.T, at func(string) string) (code int, messages string) {
	cache := "--cache=" + filepath.Join(o.dir, "cache")
	args := append(slices.Clone(o.line), "--out="+at(o.place), cache)
	code, o.said, messages = command(t, nil, args...)
	o.said = strings.ReplaceAll(o.said, at(o.place), "OUT")
	return code, messages
}

func (o *outage) passes(t *testing.T, f *flaky, at func(string) string, want *outage) {
	f.reset(func(seen int) fault {
		if seen >= o.from {
			return faults[o.fault]
		}
		return nil
	})
	code, messages := o.try(t, at)
	f.reset(nil)
	words := "What is done is kept: the same command goes on with the rest."
	if o.fault == "ended" {
		words = "with credentials that the store accepts"
	}
	if code != 5 || !strings.Contains(messages, words) || strings.Count(messages, "\n") > 20 {
		t.Errorf("%s from request %d: status %d, %s", o.place, o.from, code, messages)
	}
	done := stored(t, at(o.place), ".done")
	if code, messages := o.try(t, at); code != 0 || o.said != want.said {
		t.Errorf("%s: status %d, %s%s; wanted %s", o.place, code, o.said, messages, want.said)
	}
	if again := stored(t, at(o.place), ".bin"); !maps.Equal(want.results, again) {
		t.Errorf("%s: %d results, and %d, which differ", o.place, len(want.results), len(again))
	}
	after := stored(t, at(o.place), ".done")
	for task, text := range done {
		if after[task] != text {
			t.Errorf("%s: %s was done twice", o.place, task)
		}
	}
	if wrong := stored(t, at(o.place), ".failed"); len(wrong) > 0 {
		t.Errorf("%s: an outage is taken for a permanent error: %v", o.place, wrong)
	}
}

// Single requests that fail are tried again by the client of the store, and nobody notices.
func TestBusy(t *testing.T) {
	f, at := newLake(t).show(t)
	run, rows := lakeRows(t, at, 300)
	f.reset(func(seen int) fault {
		switch seen {
		case 3, 20:
			return faults["busy"]
		case 11:
			return faults["broken"]
		}
		return nil
	})
	code, text, messages := command(t, nil, "score", run, "--json", "--shard-size=10K",
		"--data="+rows, "--out="+at("busy"), "--engine=vm", "--cache="+filepath.Join(t.TempDir(), "c"))
	if n := f.reset(nil); code != 0 || !strings.Contains(text, `"rows":300`) || n < 30 {
		t.Errorf("status %d after %d requests: %s%s", code, n, text, messages)
	}
}

// A loop gives up where tasks fail one after another, and says so in few words.
func TestHopeless(t *testing.T) {
	f, at := newLake(t).show(t)
	run, rows := lakeRows(t, at, 2000)
	line := []string{"score", run, "--json", "--shard-size=1K", "--data=" + rows, "--workers=1",
		"--out=" + at("hopeless"), "--engine=vm", "--cache=" + filepath.Join(t.TempDir(), "c")}
	code, _, messages := command(t, nil, append(line, "--runner=array")...)
	if code != 0 {
		t.Fatal(messages)
	}
	f.lock.Lock()
	server := f.server
	f.server = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut && strings.Contains(r.URL.Path, "/pass/") &&
			strings.Contains(r.URL.Path, ".bin") {
			io.Copy(io.Discard, r.Body)
			refuse(w, http.StatusInsufficientStorage, "Full")
			return
		}
		server.ServeHTTP(w, r)
	})
	f.lock.Unlock()
	code, _, messages = command(t, nil, line...)
	if code != 5 || !strings.Contains(messages, "more tasks failed") ||
		!strings.Contains(messages, " tasks failed one after another, and no more were begun") {
		t.Errorf("status %d: %s", code, messages)
	}
}
