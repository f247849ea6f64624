package live

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

const (
	mostPages   = 64               // that are open at a time
	patience    = 5 * time.Second  // with a page that takes nothing
	quietTime   = 15 * time.Second // after which a page is told that the server is there
	lastWords   = 2 * time.Second  // for pages to take the last view
	reconnectMS = 1000             // that a page waits before it comes again
)

// A Server has the page of a run on 127.0.0.1, at an address with a token that nobody can
// guess. It answers requests with the token that name this machine as loopback, and
// takes the wish to stop from its own page alone.
type Server struct {
	token    string
	stop     func() error // asks the run to stop
	http     *http.Server
	at       string
	patience time.Duration // after which a page that takes nothing is dropped

	lock    sync.Mutex
	newest  *View
	message []byte // the newest view, as it is sent; nil where no page asked for it yet
	number  int64  // of it, from 1
	last    bool   // there will be no other
	pages   map[chan struct{}]bool
	told    bool // a page has the last view
}

// Serve begins to serve on a port, 0 for one that is free. stop is what the stop button does.
func Serve(port int, stop func() error) (*Server, error) {
	listener, err := net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port)))
	if err != nil {
		return nil, err
	}
	s := &Server{token: rand.Text(), stop: stop, at: listener.Addr().String(),
		patience: patience, pages: map[chan struct{}]bool{}}
	s.http = &http.Server{Handler: s, ReadHeaderTimeout: 10 * time.Second,
		MaxHeaderBytes: 1 << 16, ErrorLog: log.New(io.Discard, "", 0)}
	go s.http.Serve(listener)
	return s, nil
}

// URL is the address of the page. Whoever has it may look at the run, and stop it.
func (s *Server) URL() string { return "http://" + s.at + "/" + s.token + "/" }

// Send gives a view to all pages. It does not wait for them: a page that is slow misses views,
// and gets the newest. Nothing may change the view afterwards.
func (s *Server) Send(v *View) { s.send(v, false) }

func (s *Server) send(v *View, last bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.newest, s.message, s.last = v, nil, last
	s.number++
	for page := range s.pages {
		select {
		case page <- struct{}{}:
		default: // it has not taken the one before, and will take this one instead
		}
	}
}

// Pages is how many pages are open.
func (s *Server) Pages() int {
	s.lock.Lock()
	defer s.lock.Unlock()
	return len(s.pages)
}

// End sends the last view, waits a moment until pages have it, and ends the server. Where no
// page has come yet and ctx is not nil it waits for the first until ctx is done.
func (s *Server) End(ctx context.Context, v *View) {
	s.send(v, true)
	for ctx != nil && ctx.Err() == nil && !s.heard() {
		time.Sleep(20 * time.Millisecond)
	}
	grace, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	if s.http.Shutdown(grace) != nil {
		s.http.Close() // of pages that took nothing
	}
}

func (s *Server) heard() bool {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.told
}

// Close ends the server at once.
func (s *Server) Close() { s.http.Close() }

//go:embed page/index.html
var page []byte

//go:embed page/live.css
var style []byte

//go:embed page/live.js
var script []byte

// policy lets the page load its own files and nothing else, and nobody frame it.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; " +
	"img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// ServeHTTP implements http.Handler.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Security-Policy", policy)
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	file, ok := s.admits(r)
	if ok && r.URL.Path == "/"+s.token {
		http.Redirect(w, r, "/"+s.token+"/", http.StatusPermanentRedirect)
		return
	}
	if !ok {
		http.Error(w, "403: the address lacks the token that sgppl printed, or names another "+
			"host than 127.0.0.1 or localhost", http.StatusForbidden)
		return
	}
	method := http.MethodGet
	if file == "stop" {
		method = http.MethodPost
	}
	if r.Method != method && !(method == http.MethodGet && r.Method == http.MethodHead) {
		h.Set("Allow", method)
		http.Error(w, "405: "+method+" is expected", http.StatusMethodNotAllowed)
		return
	}
	switch file {
	case "":
		s.file(w, r, "index.html", page)
	case "live.css":
		s.file(w, r, file, style)
	case "live.js":
		s.file(w, r, file, script)
	case "view.json":
		s.view(w)
	case "events":
		s.events(w, r)
	case "stop":
		s.stopRun(w, r)
	default:
		http.Error(w, "404: there is no such file", http.StatusNotFound)
	}
}

// admits reports whether a request has the token and was made for this machine by name, and the
// file that it asks for. The second keeps out pages of others whose name leads to 127.0.0.1 (DNS
// rebinding).
func (s *Server) admits(r *http.Request) (file string, ok bool) {
	host := r.Host
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	token, file, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	same := subtle.ConstantTimeCompare([]byte(token), []byte(s.token)) == 1
	switch host {
	case "127.0.0.1", "localhost", "::1", "[::1]":
		return file, same
	}
	return "", false
}

func (s *Server) file(w http.ResponseWriter, r *http.Request, name string, b []byte) {
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(b))
}

// view answers with the newest view, for programs.
func (s *Server) view(w http.ResponseWriter) {
	s.lock.Lock()
	v := s.newest
	s.lock.Unlock()
	b, err := json.Marshal(v)
	if v == nil || err != nil {
		http.Error(w, "503: there is no view yet", http.StatusServiceUnavailable)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.Write(b)
}

// stopRun asks the run to stop, where the page of this server asks for it.
func (s *Server) stopRun(w http.ResponseWriter, r *http.Request) {
	if r.Header.Get("Origin") != "http://"+r.Host {
		http.Error(w, "403: the page alone can stop the run", http.StatusForbidden)
		return
	}
	if site := r.Header.Get("Sec-Fetch-Site"); site != "" && site != "same-origin" {
		http.Error(w, "403: the page alone can stop the run", http.StatusForbidden)
		return
	}
	if err := s.stop(); err != nil {
		http.Error(w, "409: "+err.Error(), http.StatusConflict)
		return
	}
	w.WriteHeader(http.StatusNoContent)
}

// join adds a page; false where there are too many.
func (s *Server) join() (page chan struct{}, ok bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if len(s.pages) >= mostPages {
		return nil, false
	}
	page = make(chan struct{}, 1)
	s.pages[page] = true
	return page, true
}

func (s *Server) leave(page chan struct{}) {
	s.lock.Lock()
	defer s.lock.Unlock()
	delete(s.pages, page)
}

// after is the newest message if it is not of that number.
func (s *Server) after(has int64) (message []byte, number int64, last bool) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.number == has || s.newest == nil {
		return nil, has, s.last
	}
	if s.message == nil {
		event := "view"
		if s.last {
			event = "end"
		}
		b, err := json.Marshal(s.newest)
		if err != nil {
			return nil, has, s.last
		}
		s.message = fmt.Appendf(nil, "id: %d\nevent: %s\ndata: %s\n\n", s.number, event, b)
	}
	return s.message, s.number, s.last
}

// events sends views until the run ends, the page goes, or it takes nothing for too long. A
// page that comes again says which view it has; what it missed is in the newest.
func (s *Server) events(w http.ResponseWriter, r *http.Request) {
	page, ok := s.join()
	if !ok {
		http.Error(w, "503: too many pages are open", http.StatusServiceUnavailable)
		return
	}
	defer s.leave(page)
	w.Header().Set("Content-Type", "text/event-stream")
	to := http.NewResponseController(w)
	has, _ := strconv.ParseInt(r.Header.Get("Last-Event-ID"), 10, 64)
	send := func(b []byte) bool {
		if err := to.SetWriteDeadline(time.Now().Add(s.patience)); err != nil &&
			!errors.Is(err, http.ErrNotSupported) {
			return false
		}
		_, err := w.Write(b)
		return err == nil && to.Flush() == nil
	}
	if !send(fmt.Appendf(nil, "retry: %d\n\n", reconnectMS)) {
		return
	}
	quiet := time.NewTicker(quietTime)
	defer quiet.Stop()
	for {
		message, number, last := s.after(has)
		if message != nil && !send(message) {
			return
		}
		if has = number; last {
			s.lock.Lock()
			s.told = true
			s.lock.Unlock()
			return
		}
		select {
		case <-page:
		case <-quiet.C:
			if !send([]byte(": \n\n")) {
				return
			}
		case <-r.Context().Done():
			return
		}
	}
}
