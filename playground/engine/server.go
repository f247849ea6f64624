//go:build js

package main

import (
	"bytes"
	"fmt"
	"io"
	"strconv"
	"syscall/js"

	"github.com/sgppl/sgppl/internal/lsp"
)

// A server is the language server with messages in place of streams.
type server struct{ messages chan string }

func newServer() *server {
	s := &server{make(chan string, 1024)}
	in, send := io.Pipe()
	go func() {
		for text := range s.messages {
			fmt.Fprintf(send, "Content-Length: %d\r\n\r\n%s", len(text), text)
		}
	}()
	go lsp.Serve(in, &unframed{})
	return s
}

// receive takes a message of the page.
func (s *server) receive(text string) { s.messages <- text }

// unframed sends each message of the protocol's stream to the page, without its header.
type unframed struct{ left []byte }

func (u *unframed) Write(b []byte) (int, error) {
	u.left = append(u.left, b...)
	for {
		head, rest, whole := bytes.Cut(u.left, []byte("\r\n\r\n"))
		if !whole {
			return len(b), nil
		}
		n, err := strconv.Atoi(string(bytes.TrimPrefix(head, []byte("Content-Length: "))))
		if err != nil {
			return 0, err
		}
		if len(rest) < n {
			return len(b), nil
		}
		js.Global().Call("sgppl_send", string(rest[:n]))
		u.left = append([]byte(nil), rest[n:]...)
	}
}
