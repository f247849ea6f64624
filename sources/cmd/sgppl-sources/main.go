// Command sgppl-sources reads databases and files of Arrow for sgppl, which finds it in its
// directory or on the PATH. It writes a table of typed columns to standard output, as asked for by
// JSON on standard input.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"

	"github.com/sgppl/sgppl/sources/arrowfile"
	"github.com/sgppl/sgppl/sources/database"
	"github.com/sgppl/sgppl/sources/table"
)

// A request is what sgppl asks for.
type request struct {
	Version int               `json:"version"`
	Head    bool              `json:"head"`
	Kind    string            `json:"kind"`
	Address string            `json:"address"`
	Table   string            `json:"table"`
	Query   string            `json:"query"`
	Hidden  map[string]string `json:"hidden"`
}

const protocol = 1

const usage = `sgppl-sources reads databases and files of Arrow for sgppl, which starts it:

  sgppl sample m.sg --data sqlite:claims.db:policies
  sgppl sample m.sg --data 'postgres://anna@localhost/claims?query=select … order by id'
  sgppl sample m.sg --data claims.arrow

It needs no settings. Put it beside sgppl, or on the PATH.
`

func main() {
	switch {
	case len(os.Args) == 2 && os.Args[1] == "stream":
		if err := stream(os.Stdin, os.Stdout); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
	case len(os.Args) == 2 && os.Args[1] == "--version":
		version := "(unknown)"
		if info, ok := debug.ReadBuildInfo(); ok {
			version = info.Main.Version
		}
		fmt.Println("sgppl-sources", version)
	default:
		fmt.Print(usage)
		if len(os.Args) != 2 || os.Args[1] != "--help" {
			os.Exit(2)
		}
	}
}

// stream answers a request. It ends when its input does, as when sgppl is killed.
func stream(in io.Reader, out io.Writer) error {
	lines := bufio.NewReader(in)
	line, err := lines.ReadBytes('\n')
	if err != nil {
		return errors.New("a request is expected on standard input, as a line of JSON")
	}
	var r request
	if err := json.Unmarshal(line, &r); err != nil {
		return fmt.Errorf("the request cannot be read: %w", err)
	}
	if r.Version != protocol {
		return fmt.Errorf("sgppl asks by version %d of the protocol, and this program knows %d: "+
			"install both of one version", r.Version, protocol)
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	go func() {
		io.Copy(io.Discard, lines)
		cancel()
	}()
	return answer(ctx, &r, out)
}

// answer writes the table, or why there is none.
func answer(ctx context.Context, r *request, out io.Writer) error {
	w := table.NewWriter(out)
	var err error
	if r.Kind == "arrow" {
		err = arrowfile.Read(ctx, r.Address, r.Head, w)
	} else {
		err = database.Read(ctx, database.Source{Kind: r.Kind, Address: r.Address, Table: r.Table,
			Query: r.Query, Hidden: r.Hidden}, r.Head, w)
	}
	var f *table.Failure
	switch {
	case errors.As(err, &f):
		return w.Fail(f)
	case err != nil:
		return err
	}
	return w.End()
}
