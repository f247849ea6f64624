package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// table makes customers whose second column counts as much as weight says.
func table(rows int, weight float64) Table {
	r := rand.New(rand.NewPCG(1, 2))
	var t Table
	for range rows {
		x := []float64{r.NormFloat64(), r.NormFloat64()}
		t.X = append(t.X, x)
		t.Left = append(t.Left, r.Float64() < 1/(1+math.Exp(-weight*x[1]+0.5)))
	}
	return t
}

func ask(t *testing.T, url, body string) (status int, a Answer, text string) {
	t.Helper()
	r, err := http.Post(url+"/predict", "application/json", strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return
	}
	defer r.Body.Close()
	var b bytes.Buffer
	b.ReadFrom(r.Body)
	json.Unmarshal(b.Bytes(), &a)
	return r.StatusCode, a, b.String()
}

// TestSwap: requests are answered while a new posterior is fitted and put in the place of the
// old one; each is answered by one of the two, whole, and none is turned away.
func TestSwap(t *testing.T) {
	weight := 2.0
	var lock sync.Mutex
	clock := time.Date(2026, 1, 1, 2, 0, 0, 0, time.UTC)
	s := &Service{Runs: t.TempDir(), Now: func() time.Time {
		lock.Lock()
		defer lock.Unlock()
		clock = clock.Add(time.Second)
		return clock
	}, Read: func() (Table, error) {
		lock.Lock()
		defer lock.Unlock()
		return table(300, weight), nil
	}}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	const question = `{"x": [[0, 2], [0, -2], [0, 0]]}`
	if status, _, _ := ask(t, server.URL, question); status != http.StatusServiceUnavailable {
		t.Errorf("status %d before the first fit", status)
	}
	if err := s.Fit(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, first, text := ask(t, server.URL, question)
	if len(first.Left) != 3 || first.Left[0] < 0.8 || first.Left[1] > 0.2 {
		t.Fatal(text)
	}

	lock.Lock()
	weight = -2
	lock.Unlock()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	var seen sync.Map
	for range 4 {
		wg.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				status, a, text := ask(t, server.URL, question)
				if status != http.StatusOK {
					t.Errorf("status %d: %s", status, text)
					return
				}
				key := a.Fitted.String()
				if old, loaded := seen.LoadOrStore(key, fmt.Sprint(a.Left)); loaded &&
					old != fmt.Sprint(a.Left) {
					t.Errorf("the fit of %s answered %v and %v", key, old, a.Left)
				}
			}
		})
	}
	if err := s.Fit(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, second, _ := ask(t, server.URL, question)
	close(stop)
	wg.Wait()
	if len(second.Left) != 3 || second.Left[0] > 0.2 || second.Left[1] < 0.8 ||
		!second.Fitted.After(first.Fitted) {
		t.Errorf("after the second fit: %+v", second)
	}
	n := 0
	seen.Range(func(any, any) bool { n++; return true })
	if n < 1 || n > 2 {
		t.Errorf("%d posteriors answered", n)
	}

	// A service that starts again answers with what the last one had.
	again := &Service{Runs: s.Runs, Read: s.Read, Now: s.Now}
	if err := again.Restore(); err != nil {
		t.Fatal(err)
	}
	other := httptest.NewServer(again.Handler())
	defer other.Close()
	if _, a, text := ask(t, other.URL, question); fmt.Sprint(a.Left) != fmt.Sprint(second.Left) {
		t.Errorf("restored: %s, want %v", text, second.Left)
	}
	r, err := http.Get(other.URL + "/health")
	if err != nil || r.StatusCode != http.StatusOK {
		t.Error(r, err)
	}
	r.Body.Close()
}

// TestRefused: what cannot be answered is refused with the reason, and a fit that fails
// leaves the old one.
func TestRefused(t *testing.T) {
	broken := false
	s := &Service{Runs: t.TempDir(), Now: time.Now, Read: func() (Table, error) {
		if broken {
			return Table{}, fmt.Errorf("the disk is gone")
		}
		return table(60, 1), nil
	}}
	if err := s.Restore(); err == nil {
		t.Error("a fit was restored where none is")
	}
	if err := s.Fit(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s.Handler())
	defer server.Close()
	for body, status := range map[string]int{
		`{"x": [[1, 2, 3]]}`: 400, `{"x": [[1], [2, 3]]}`: 400, `{"x": "no"}`: 400, `{"z": 1}`: 400,
		``: 400, `{"x": [[1e999, 0]]}`: 400, `{"x": []}`: 200,
	} {
		if got, _, text := ask(t, server.URL, body); got != status {
			t.Errorf("%s: status %d, %s", body, got, text)
		}
	}
	broken = true
	r, err := http.Post(server.URL+"/fit", "", nil)
	if err != nil || r.StatusCode != http.StatusInternalServerError {
		t.Error(r, err)
	}
	r.Body.Close()
	if status, _, _ := ask(t, server.URL, `{"x": [[0, 0]]}`); status != 200 {
		t.Errorf("status %d after a fit that failed", status)
	}
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	broken = false
	if err := s.Fit(cancelled); err == nil {
		t.Error("a fit that was cancelled is used")
	}
	s.one.Lock()
	if err := s.Fit(t.Context()); err != errBusy {
		t.Errorf("two fits at once: %v", err)
	}
	s.one.Unlock()
}

// TestRun: the program starts, answers, ends gracefully when it is told, and starts again
// with the saved fit.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	var text strings.Builder
	text.WriteString("age,calls,left\n")
	for i, x := range table(80, 2).X {
		fmt.Fprintf(&text, "%v,%v,%d\n", x[0], x[1], map[bool]int{true: 1}[table(80, 2).Left[i]])
	}
	file := filepath.Join(dir, "customers.csv")
	if err := os.WriteFile(file, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	s := &Service{Runs: filepath.Join(dir, "runs"),
		Read: func() (Table, error) { return ReadTable(file) }, Now: time.Now}
	for round := range 2 {
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- run(ctx, s, "127.0.0.1:0", 2) }()
		for s.newest.Load() == nil {
			time.Sleep(10 * time.Millisecond)
		}
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(30 * time.Second):
			t.Fatal("the service does not end")
		}
		if fits, _ := os.ReadDir(s.Runs); len(fits) != 1 {
			t.Errorf("round %d: %d fits are saved", round, len(fits))
		}
		s = &Service{Runs: s.Runs, Read: s.Read, Now: s.Now}
	}
	for name, broken := range map[string]string{"empty.csv": "", "words.csv": "a,left\nx,1\n",
		"left.csv": "a,left\n1,2\n", "header.csv": "a,left\n"} {
		path := filepath.Join(dir, name)
		os.WriteFile(path, []byte(broken), 0o666)
		if _, err := ReadTable(path); err == nil {
			t.Errorf("%s was read", name)
		}
	}
}

// TestUntil: the next night is ahead, and at most a day away.
func TestUntil(t *testing.T) {
	for _, h := range []int{0, 1, 2, 3, 23} {
		now := time.Date(2026, 3, 1, h, 30, 0, 0, time.UTC)
		if d := until(now, 2); d <= 0 || d > 24*time.Hour || now.Add(d).Hour() != 2 {
			t.Errorf("%v to %v", now, now.Add(d))
		}
	}
	if d := until(time.Date(2026, 3, 1, 2, 0, 0, 0, time.UTC), 2); d != 24*time.Hour {
		t.Error(d)
	}
}
