package main

import (
	"encoding/json"
	"errors"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/verify"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
)

type verifyCmd struct {
	Dir    string `arg:"" name:"run" help:"A run directory."`
	NoData bool   `name:"no-data" help:"Leave the data away: whether they are those of the run, whether the chains can go on, the blocks of --stream and the native sampler are not checked then."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
}

func (c *verifyCmd) Help() string {
	return `Reads every file of a run and checks it: the digests of draws and metadata, that run.json and the stores agree on chains
and draws, the hash of the model, the checkpoints, from which every chain must be able to go on, the index of rows of
--stream, that the data are those that the run read, and the digest of the native sampler where the cache has it. Ends with
status 5 where anything is wrong, with a line for each file.

  sgppl verify runs/logistic-1`
}

// Run checks a run.
func (c *verifyCmd) Run(e *session.Session) error {
	v, err := verify.Run(e, c.Dir, c.NoData)
	if c.JSON {
		if err := json.NewEncoder(e.Stdout).Encode(v); err != nil {
			return session.Failf(session.ExitFiles, "cannot write: %v", err)
		}
	} else {
		for _, n := range v.Notes {
			e.Note("%s", printable.Lines(n))
		}
		for _, p := range v.Problems {
			printable.Fprintf(e.Stderr, "sgppl: error: %s\n", printable.Lines(p))
		}
		if v.OK {
			return e.Print("%s is whole: %d files, %d bytes of draws and metadata, status %s\n",
				printable.Line(c.Dir), v.Files, v.Bytes, v.Status)
		}
	}
	if v.OK {
		return nil
	}
	if errors.Is(err, run.ErrNoRun) { // and so not a damaged one
		if c.JSON {
			return session.OwnStatus(err)
		}
		return &session.ExitError{Code: session.ExitFiles}
	}
	if len(v.Problems) == 1 {
		return session.Failf(session.ExitFiles, "%s is damaged: 1 problem was found", c.Dir)
	}
	return session.Failf(session.ExitFiles, "%s is damaged: %d problems were found", c.Dir,
		len(v.Problems))
}
