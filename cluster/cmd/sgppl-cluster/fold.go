package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/sgppl/sgppl/cluster/pass"
)

type foldCmd struct {
	Bucket string `arg:"" name:"run" help:"The bucket of the run."`
	Pass   string `placeholder:"DIR" help:"The pass, such as pass/001-score (default: the last)."`
	JSON   bool   `name:"json" help:"Print one JSON object."`
	Cache  string `placeholder:"DIR" help:"Copies of shards on this machine."`
}

func (c *foldCmd) Help() string {
	return `Folds the results of a pass whose tasks have ended, in their order, and prints what they come to. It needs neither
the flags of the command that began the run nor the rows, does no task, and may be given any number of times. Each
result is held against its check sum. Of score, loo, predict, log-lik, fleet and test it prints and writes what that
command does at its end. The check sum that is printed is of all results: two runs with the same one have the same bits.

  sgppl cluster fold s3://lake/scores
  sgppl cluster fold s3://lake/run1 --pass pass/002-gradient --json`
}

// Run folds.
func (c *foldCmd) Run(w *world) error {
	e, err := openRun(w.ctx, c.Bucket, c.Cache)
	if err != nil {
		return err
	}
	defer e.Close()
	dir, err := c.pass(w, e)
	if err != nil {
		return err
	}
	s, err := e.Fold(w.ctx, dir)
	if none := (*pass.UnfinishedError)(nil); errors.As(err, &none) {
		return &unfinishedError{fmt.Errorf("%w: `sgppl cluster array %s` gives them to an array, and "+
			"the command that began the run does them", err, c.Bucket)}
	}
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(w.stdout).Encode(s)
	}
	fmt.Fprintf(w.stdout, "%s  %d tasks, %d rows, %d bytes, sha256 %s\n", s.Dir, s.Tasks, s.Rows,
		s.Bytes, s.SHA256)
	for _, v := range s.Values {
		fmt.Fprintf(w.stdout, "%-22s %-12.8g  %s\n", v.Name, float64(v.Value), v.Says)
	}
	if end := endings[s.Kind]; end != nil && path.Base(dir)[:3] == firstPass[s.Kind] {
		return end(w, e)
	}
	return nil
}

// pass is the directory of the pass.
func (c *foldCmd) pass(w *world, e *pass.Env) (string, error) {
	all, err := e.Passes(w.ctx)
	if err != nil {
		return "", err
	}
	if len(all) == 0 {
		return "", usage("%s has no pass yet", c.Bucket)
	}
	if c.Pass == "" {
		return all[len(all)-1].Dir, nil
	}
	var names []string
	for _, s := range all {
		if s.Dir == strings.TrimSuffix(c.Pass, "/") {
			return s.Dir, nil
		}
		names = append(names, s.Dir)
	}
	return "", usage("--pass %s: %s has %s", c.Pass, c.Bucket, strings.Join(names, ", "))
}

// An unfinishedError says that tasks have to be done before something can be folded.
type unfinishedError struct{ error }

func (e *unfinishedError) Unwrap() error { return e.error }

// firstPass is the number by which the commands of endings name the pass of a kind.
var firstPass = map[string]string{"score": "001", "loo": "001", "predict": "001", "log-lik": "001",
	"fleet": "002", "replicate": "001"}

// endings are what commands do when all tasks of their pass have ended.
var endings = map[string]func(w *world, e *pass.Env) error{
	"score": func(w *world, e *pass.Env) error {
		s, err := pass.ScoreOf(w.ctx, e, pass.Unfinished{}, 1)
		if err != nil {
			return err
		}
		return printScore(w, e, s, false)
	},
	"loo": func(w *world, e *pass.Env) error {
		l, err := pass.LOOOf(w.ctx, e, pass.Unfinished{}, 1)
		if err != nil {
			return err
		}
		return printLOO(w, l, false)
	},
	"predict": func(w *world, e *pass.Env) error {
		return tablesOf(w, e, pass.Unfinished{}, "predict")
	},
	"log-lik": func(w *world, e *pass.Env) error {
		return tablesOf(w, e, pass.Unfinished{}, "log-lik")
	},
	"fleet": func(w *world, e *pass.Env) error {
		var f pass.Fleet
		if err := e.Asked(w.ctx, "pass/002-fleet", &f); err != nil {
			return err
		}
		f.Split = ""
		return collectFleet(w, e, pass.Unfinished{}, f)
	},
	"replicate": func(w *world, e *pass.Env) error {
		var s pass.Study
		if err := e.Asked(w.ctx, "pass/001-replicate", &s); err != nil {
			return err
		}
		r, err := pass.TestOf(w.ctx, e, pass.Unfinished{}, s)
		if err != nil {
			return err
		}
		return reportTest(w, e, r, e.Run.Name, false)
	},
}
