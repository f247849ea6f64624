package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// A server is one conversation with a client.
type server struct {
	out      io.Writer
	units    encoding
	pedantic bool
	ready    bool // initialize has been answered
	closing  bool // shutdown has been answered
	docs     map[string]*document
}

// ErrNoShutdown says that the client left without asking the server to shut down.
var ErrNoShutdown = errors.New("the client left without a shutdown")

// Serve answers the messages of in on out until the client says exit or its stream ends.
// Diagnostics are sent when no message waits, so that fast typing is checked once.
func Serve(in io.Reader, out io.Writer) error {
	s := newServer(out)
	bodies := make(chan []byte, 64)
	failed := make(chan error, 1)
	go func() {
		defer close(bodies)
		r := bufio.NewReaderSize(in, 64<<10)
		for {
			body, err := readBody(r)
			if err != nil {
				failed <- err
				return
			}
			bodies <- body
		}
	}()
	for body := range bodies {
		done, err := s.receive(body)
		if err != nil || done {
			return err
		}
		if len(bodies) == 0 {
			if err := s.publish(); err != nil {
				return err
			}
		}
	}
	if err := <-failed; !errors.Is(err, io.EOF) || err != io.EOF {
		return err
	}
	if !s.closing && s.ready {
		return ErrNoShutdown
	}
	return nil
}

func newServer(out io.Writer) *server {
	return &server{out: out, units: utf16Units, docs: map[string]*document{}}
}

// receive handles one message; done says that it was the last.
func (s *server) receive(body []byte) (done bool, err error) {
	var m message
	if err := json.Unmarshal(body, &m); err != nil {
		null := json.RawMessage("null")
		return false, writeMessage(s.out,
			&message{ID: &null, Error: &rpcError{parseError, "this is not a message"}})
	}
	if m.Method == "exit" {
		if !s.closing {
			return true, ErrNoShutdown
		}
		return true, nil
	}
	if m.Method == "" {
		return false, nil // a response: the server asks nothing
	}
	result, failure := s.guarded(&m)
	if m.ID == nil {
		return false, nil
	}
	answer := &message{ID: m.ID}
	if failure != nil {
		answer.Error = &rpcError{internalError, failure.Error()}
		errors.As(failure, &answer.Error)
	} else if answer.Result, err = json.Marshal(result); err != nil {
		return false, err
	}
	return false, writeMessage(s.out, answer)
}

// guarded has a mistake of the server end one request, and not the conversation.
func (s *server) guarded(m *message) (result any, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = failf(internalError, "%s failed, which is a mistake of sgppl: %v", m.Method, r)
		}
	}()
	return s.handle(m)
}

func (s *server) handle(m *message) (any, error) {
	switch {
	case m.Method == "initialize":
		return s.initialize(m.Params)
	case !s.ready:
		return nil, failf(notInitialized, "the first message is initialize")
	case m.Method == "shutdown":
		s.closing = true
		return nil, nil
	case s.closing:
		return nil, failf(invalidRequest, "the server is shut down")
	}
	if f, ok := features[m.Method]; ok {
		p, err := decode[placeParams](m.Params)
		if err != nil {
			return nil, err
		}
		d := s.docs[p.Document.URI]
		if d == nil {
			return nil, failf(invalidParams, "%s is not open", p.Document.URI)
		}
		return f(s, d, d.analysis(s.units, s.pedantic), p)
	}
	switch m.Method {
	case "textDocument/didOpen":
		return nil, s.open(m.Params)
	case "textDocument/didChange":
		return nil, s.change(m.Params)
	case "textDocument/didSave":
		return nil, s.save(m.Params)
	case "textDocument/didClose":
		return nil, s.close(m.Params)
	}
	return nil, failf(methodNotFound, "%s is not known", m.Method)
}

func (s *server) open(raw json.RawMessage) error {
	p, err := decode[openParams](raw)
	if err != nil {
		return err
	}
	s.docs[p.Document.URI] = &document{uri: p.Document.URI, version: p.Document.Version,
		text: p.Document.Text, whole: true}
	return nil
}

func (s *server) change(raw json.RawMessage) error {
	p, err := decode[changeParams](raw)
	if err != nil {
		return err
	}
	d := s.docs[p.Document.URI]
	if d == nil {
		return failf(invalidParams, "%s is not open", p.Document.URI)
	}
	for _, c := range p.Changes {
		d.change(c.Range, c.Text, s.units)
	}
	d.version = p.Document.Version
	return nil
}

// save has the next diagnostics tell what cannot be compiled too.
func (s *server) save(raw json.RawMessage) error {
	p, err := decode[placeParams](raw)
	if err != nil {
		return err
	}
	if d := s.docs[p.Document.URI]; d != nil {
		d.whole, d.told = true, false
	}
	return nil
}

// close forgets a document, and takes its diagnostics away.
func (s *server) close(raw json.RawMessage) error {
	p, err := decode[placeParams](raw)
	if err != nil {
		return err
	}
	delete(s.docs, p.Document.URI)
	return s.notify("textDocument/publishDiagnostics",
		publishParams{URI: p.Document.URI, Diagnostics: []diagnostic{}})
}

// publish sends the diagnostics of the documents that have changed.
func (s *server) publish() error {
	for _, d := range s.docs {
		if d.told {
			continue
		}
		d.told = true
		var list []diagnostic
		if err := s.check(d, &list); err != nil {
			continue // the next change is another chance
		}
		if err := s.notify("textDocument/publishDiagnostics",
			publishParams{d.uri, d.version, list}); err != nil {
			return err
		}
	}
	return nil
}

func (s *server) check(d *document, list *[]diagnostic) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	a := d.analysis(s.units, s.pedantic)
	*list = a.diagnostics(d.uri)
	if d.whole {
		d.whole = false
		*list = append(*list, a.uncompiled(d.uri)...)
	}
	return nil
}

func (s *server) notify(method string, params any) error {
	raw, err := json.Marshal(params)
	if err != nil {
		return err
	}
	return writeMessage(s.out, &message{Method: method, Params: raw})
}
