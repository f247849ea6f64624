package live

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// serve begins a server that ends with the test.
func serve(t *testing.T, stop func() error) *Server {
	t.Helper()
	s, err := Serve(0, stop)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.Close)
	return s
}

// client does not follow redirects.
var client = &http.Client{Timeout: 20 * time.Second,
	CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}

// ask makes a request with headers, of which Host is that of the request, and returns its answer.
func ask(t *testing.T, method, url string, headers ...string) (*http.Response, string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), method, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	for i := 0; i < len(headers); i += 2 {
		if headers[i] == "Host" {
			r.Host = headers[i+1]
		} else {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	a, err := client.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer a.Body.Close()
	b, err := io.ReadAll(a.Body)
	if err != nil {
		t.Fatal(err)
	}
	return a, string(b)
}

// TestAdmission: without the token, and by another name of the machine, nothing is answered
// but 403; the run is stopped by a request of the page itself alone.
func TestAdmission(t *testing.T) {
	var stops atomic.Int32
	s := serve(t, func() error { stops.Add(1); return nil })
	s.Send(Waiting("m"))
	at, url := "http://"+s.at, s.URL()
	_, port, _ := net.SplitHostPort(s.at)
	long := strings.Repeat("A", len(s.token))
	for _, c := range []struct {
		method, url string
		headers     []string
		want        int
	}{
		{"GET", url, nil, 200},
		{"HEAD", url, nil, 200},
		{"GET", at + "/" + s.token, nil, 308},
		{"GET", url + "live.js", nil, 200},
		{"GET", url + "live.css", nil, 200},
		{"GET", url + "view.json", nil, 200},
		{"GET", url + "../live.js", nil, 404},
		{"GET", url + "secret", nil, 404},
		{"GET", url + "index.html", nil, 404},
		{"PUT", url, nil, 405},
		{"GET", at + "/", nil, 403},
		{"GET", at + "/" + long + "/", nil, 403},
		{"GET", at + "/" + long + "/events", nil, 403},
		{"GET", at + "/" + s.token[:len(s.token)-1] + "/", nil, 403},
		{"GET", at + "/" + s.token + "A/", nil, 403},
		{"GET", at + "/view.json?token=" + s.token, nil, 403},
		{"GET", url, []string{"Host", "localhost:" + port}, 200},
		{"GET", url, []string{"Host", "localhost:1"}, 200}, // a port forwarded by ssh
		{"GET", url, []string{"Host", "127.0.0.1"}, 200},
		{"GET", url, []string{"Host", "evil.example:" + port}, 403},
		{"GET", url, []string{"Host", "127.0.0.1.evil.example:" + port}, 403},
		{"GET", url + "events", []string{"Host", "evil.example"}, 403},
		{"GET", url, []string{"Host", "0.0.0.0:" + port}, 403},
		{"GET", url + "stop", nil, 405},
		{"POST", url + "view.json", nil, 405},
		{"POST", url + "stop", nil, 403},
		{"POST", url + "stop", []string{"Origin", "http://evil.example"}, 403},
		{"POST", url + "stop", []string{"Origin", "null"}, 403},
		{"POST", url + "stop", []string{"Origin", "https://" + s.at}, 403},
		{"POST", url + "stop", []string{"Origin", "http://127.0.0.1:1"}, 403},
		{"POST", url + "stop", []string{"Origin", at, "Sec-Fetch-Site", "cross-site"}, 403},
		{"POST", url + "stop", []string{"Origin", "http://evil.example:" + port, "Host",
			"evil.example:" + port}, 403},
		{"POST", at + "/stop", []string{"Origin", at}, 403},
		{"POST", at + "/" + long + "/stop", []string{"Origin", at}, 403},
	} {
		a, body := ask(t, c.method, c.url, c.headers...)
		if a.StatusCode != c.want {
			t.Errorf("%s %s %v: %d, want %d\n%s", c.method, c.url, c.headers, a.StatusCode, c.want,
				body)
		}
		if a.StatusCode == 403 && strings.Contains(body, s.token) {
			t.Errorf("%s %s: the answer has the token", c.method, c.url)
		}
		h := a.Header
		if h.Get("Content-Security-Policy") != policy || h.Get("Cache-Control") != "no-store" ||
			h.Get("Referrer-Policy") != "no-referrer" || h.Get("Access-Control-Allow-Origin") != "" {
			t.Errorf("%s %s: headers %v", c.method, c.url, h)
		}
	}
	if n := stops.Load(); n != 0 {
		t.Fatalf("%d requests that were refused stopped the run", n)
	}
	for _, headers := range [][]string{{"Origin", at},
		{"Origin", at, "Sec-Fetch-Site", "same-origin"},
		{"Origin", "http://localhost:8000", "Host", "localhost:8000"}} {
		if a, body := ask(t, "POST", url+"stop", headers...); a.StatusCode != 204 {
			t.Errorf("%v: %d %s", headers, a.StatusCode, body)
		}
	}
	if n := stops.Load(); n != 3 {
		t.Errorf("%d of 3 requests stopped the run", n)
	}
	if a, _ := ask(t, "GET", url+"view.json"); a.Header.Get("Content-Type") != "application/json" {
		t.Errorf("view.json is %s", a.Header.Get("Content-Type"))
	}
}

// TestStopRefused: what keeps the run from being stopped is said.
func TestStopRefused(t *testing.T) {
	s := serve(t, func() error { return errors.New("no chain runs") })
	a, body := ask(t, "POST", s.URL()+"stop", "Origin", "http://"+s.at)
	if a.StatusCode != 409 || !strings.Contains(body, "no chain runs") {
		t.Errorf("%d %s", a.StatusCode, body)
	}
	if a, _ := ask(t, "GET", s.URL()+"view.json"); a.StatusCode != 503 {
		t.Errorf("without a view: %d", a.StatusCode)
	}
}

// A message is what the server sends to pages.
type message struct {
	id, event string
	view      View
}

// listen follows the events of a server; the channel is closed with the connection.
func listen(t *testing.T, s *Server, last string) (<-chan message, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	r, _ := http.NewRequestWithContext(ctx, "GET", s.URL()+"events", nil)
	if last != "" {
		r.Header.Set("Last-Event-ID", last)
	}
	a, err := http.DefaultTransport.RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	if a.StatusCode != 200 || a.Header.Get("Content-Type") != "text/event-stream" {
		t.Fatalf("%d, %s", a.StatusCode, a.Header.Get("Content-Type"))
	}
	out := make(chan message, 1000)
	go func() {
		defer close(out)
		defer a.Body.Close()
		var m message
		in := bufio.NewScanner(a.Body)
		in.Buffer(nil, 1<<24)
		for in.Scan() {
			key, value, _ := strings.Cut(in.Text(), ": ")
			switch key {
			case "id":
				m.id = value
			case "event":
				m.event = value
			case "data":
				if err := json.Unmarshal([]byte(value), &m.view); err != nil {
					t.Error(err)
				}
			case "":
				if m.event != "" {
					out <- m
				}
				m = message{}
			}
		}
	}()
	return out, cancel
}

// next waits for a message.
func next(t *testing.T, from <-chan message) message {
	t.Helper()
	select {
	case m, ok := <-from:
		if !ok {
			t.Fatal("the connection was cut")
		}
		return m
	case <-time.After(2 * time.Minute):
		t.Fatal("no message")
	}
	return message{}
}

func words(text string) *View {
	v := Waiting("m")
	v.Words = text
	return v
}

// TestEvents: a page gets the newest view at once, then each; one that comes again gets what
// it does not have; the last view ends the connection and the server.
func TestEvents(t *testing.T) {
	s := serve(t, nil)
	s.Send(words("a"))
	s.Send(words("b"))
	one, cancel := listen(t, s, "")
	if m := next(t, one); m.id != "2" || m.event != "view" || m.view.Words != "b" {
		t.Fatalf("%+v", m)
	}
	for s.Pages() != 1 {
		time.Sleep(time.Millisecond)
	}
	s.Send(words("c"))
	if m := next(t, one); m.id != "3" || m.view.Words != "c" {
		t.Fatalf("%+v", m)
	}
	cancel()
	for s.Pages() != 0 {
		time.Sleep(time.Millisecond)
	}
	again, _ := listen(t, s, "3") // nothing is new
	for s.Pages() != 1 {
		time.Sleep(time.Millisecond)
	}
	s.Send(words("d"))
	if m := next(t, again); m.id != "4" || m.view.Words != "d" {
		t.Fatalf("%+v", m)
	}
	late, _ := listen(t, s, "2")
	if m := next(t, late); m.id != "4" {
		t.Fatalf("%+v", m)
	}
	s.End(nil, words("the end"))
	for _, page := range []<-chan message{again, late} {
		if m := next(t, page); m.event != "end" || m.view.Words != "the end" {
			t.Errorf("%+v", m)
		}
		if _, more := <-page; more {
			t.Error("something follows the end")
		}
	}
	if _, err := net.Dial("tcp", s.at); err == nil {
		t.Error("the server is still there")
	}
}

// TestEndWaits: where a browser was started, the end of a short run waits for it.
func TestEndWaits(t *testing.T) {
	s := serve(t, nil)
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	ended := make(chan struct{})
	go func() { s.End(ctx, words("the end")); close(ended) }()
	select {
	case <-ended:
		t.Fatal("it did not wait")
	case <-time.After(100 * time.Millisecond):
	}
	page, _ := listen(t, s, "")
	if m := next(t, page); m.event != "end" {
		t.Errorf("%+v", m)
	}
	select {
	case <-ended:
	case <-time.After(2 * time.Minute):
		t.Fatal("it waits on")
	}
}

// big is more than the buffers of the system take.
var big = strings.Repeat("words ", 1<<18)

// slowPage opens a page that reads nothing.
func slowPage(t *testing.T, s *Server) {
	t.Helper()
	slow, err := net.Dial("tcp", s.at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { slow.Close() })
	fmt.Fprintf(slow, "GET /%s/events HTTP/1.1\r\nHost: %s\r\n\r\n", s.token, s.at)
}

// TestSlowPage: a page that reads nothing never keeps Send waiting, and others get every newest
// view meanwhile. A Send that waited would do so for an hour.
func TestSlowPage(t *testing.T) {
	s := serve(t, nil)
	s.patience = time.Hour
	s.Send(words("a"))
	slowPage(t, s)
	fast, _ := listen(t, s, "")
	next(t, fast)
	for s.Pages() != 2 {
		time.Sleep(time.Millisecond)
	}
	for range 20 {
		s.Send(words(big))
		if m := next(t, fast); m.view.Words != big {
			t.Fatal("the fast page got something else")
		}
	}
}

// TestSlowPageDropped: a page that reads nothing is dropped after some time.
func TestSlowPageDropped(t *testing.T) {
	s := serve(t, nil)
	s.patience = 100 * time.Millisecond
	s.Send(words("a"))
	slowPage(t, s)
	for s.Pages() != 1 {
		time.Sleep(time.Millisecond)
	}
	for i := 0; s.Pages() == 1; i++ {
		if i > 6000 {
			t.Fatal("the slow page is not dropped")
		}
		s.Send(words(big))
		time.Sleep(20 * time.Millisecond)
	}
}

// TestManyPages: as many pages as are allowed get the same view; one more is told to come later.
func TestManyPages(t *testing.T) {
	s := serve(t, nil)
	s.Send(words("a"))
	var pages []<-chan message
	for range mostPages {
		p, _ := listen(t, s, "")
		pages = append(pages, p)
	}
	if a, _ := ask(t, "GET", s.URL()+"events"); a.StatusCode != 503 {
		t.Errorf("one more page: %d", a.StatusCode)
	}
	for _, p := range pages {
		if m := next(t, p); m.view.Words != "a" {
			t.Errorf("%+v", m)
		}
	}
	s.Send(words("b"))
	for _, p := range pages {
		if m := next(t, p); m.view.Words != "b" {
			t.Errorf("%+v", m)
		}
	}
}
