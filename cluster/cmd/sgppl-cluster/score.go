package main

import (
	"encoding/json"
	"fmt"
	"math"

	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/runtime/engine/worker"
)

type scoreCmd struct {
	fitted
	JSON bool `name:"json" help:"Print one JSON object."`
}

func (c *scoreCmd) Help() string {
	return `The numbers of sgppl score, of rows in any number of files: one pass over them.

  sgppl cluster score runs/churn-1 --data 's3://lake/claims/*.parquet' --out s3://lake/scores`
}

// Run scores rows.
func (c *scoreCmd) Run(w *world) error {
	e, err := c.begin(w, "score", false)
	if err != nil || e == nil {
		return err
	}
	defer e.Close()
	by, err := c.front(w)
	if err != nil {
		return err
	}
	s, err := pass.ScoreOf(w.ctx, e, by, 1)
	if err != nil {
		return err
	}
	return printScore(w, e, s, c.JSON)
}

// printScore prints the score of all rows.
func printScore(w *world, e *pass.Env, s *worker.Score, asJSON bool) error {
	if asJSON {
		return json.NewEncoder(w.stdout).Encode(s)
	}
	fmt.Fprintf(w.stdout, "rows   %d in %d shards\ndraws  %d\nlpd    %.6g, the mean over rows\n",
		s.Rows, len(e.Run.Manifest.Shards), s.Draws, s.LPD)
	for _, x := range s.Sites {
		switch {
		case x.Entries == 0:
		case x.Classes:
			fmt.Fprintf(w.stdout, "%s  accuracy %.6g\n", x.Name, x.Value)
		default:
			fmt.Fprintf(w.stdout, "%s  rmse %.6g\n", x.Name, math.Sqrt(x.Value))
		}
	}
	return nil
}
