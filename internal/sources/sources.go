// Package sources runs the program that reads databases and files of Arrow, and keeps
// passwords out of what the command prints and stores. It registers itself with package
// format.
package sources

import (
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"strings"

	"github.com/sgppl/sgppl/internal/companion"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/engine/data/problem"
)

func init() { format.RegisterSources(read) }

// A request is what the program is asked for, as JSON on its standard input. The input stays
// open as long as the table is wanted.
type request struct {
	Version int     `json:"version"`
	Head    bool    `json:"head,omitempty"`   // the columns alone
	Hidden  secrets `json:"hidden,omitempty"` // parameters of the URL that it does not have
	format.Source
}

// protocol is the version of the request and of the table.
const protocol = 1

// read runs the program.
func read(s format.Source, head bool, to io.Writer) error {
	program, err := companion.Find(format.SourceProgram)
	if err != nil {
		return missing(s)
	}
	asked, err := json.Marshal(request{Version: protocol, Head: head, Source: s,
		Hidden: passwords.of(s.Address)})
	if err != nil {
		return err
	}
	c := exec.Command(program, "stream")
	in, err := c.StdinPipe()
	if err != nil {
		return err
	}
	said := &firstBytes{most: 4096}
	c.Stdout, c.Stderr = to, said
	if err := c.Start(); err != nil {
		return &problem.Error{Code: "D0163",
			Message: fmt.Sprintf("%s cannot be started: %v", program, err)}
	}
	_, failed := in.Write(append(asked, '\n'))
	err = c.Wait() // closes the input
	switch {
	case err == nil && failed == nil:
		return nil
	case err == nil:
		err = failed
	}
	text := strings.TrimSpace(string(said.b))
	if text == "" {
		text = err.Error()
	}
	return &problem.Error{Code: "D0169", Message: format.SourceProgram + " failed: " + text}
}

// missing says how to install the program.
func missing(s format.Source) error {
	return &problem.Error{Code: "D0163",
		Message: fmt.Sprintf("%s is read by the program %s, which is not beside sgppl and not "+
			"on the PATH", names[s.Kind], format.SourceProgram),
		Notes: []string{"install it: " + format.InstallSources}}
}

// names are kinds of sources in messages.
var names = map[string]string{"sqlite": "sqlite", "postgres": "PostgreSQL", "mysql": "MySQL",
	"arrow": "Arrow"}

// A firstBytes keeps the first bytes that are written to it.
type firstBytes struct {
	b    []byte
	most int
}

func (f *firstBytes) Write(b []byte) (int, error) {
	f.b = append(f.b, b[:min(len(b), f.most-len(f.b))]...)
	return len(b), nil
}
