package main

import (
	"encoding/json"
	"fmt"
)

type statusCmd struct {
	Bucket string `arg:"" name:"run" help:"The bucket of the run."`
	JSON   bool   `name:"json" help:"Print JSON."`
}

// Run prints how far a run is.
func (c *statusCmd) Run(w *world) error {
	e, err := openRun(w.ctx, c.Bucket, "")
	if err != nil {
		return err
	}
	all, err := e.Passes(w.ctx)
	if err != nil {
		return err
	}
	if c.JSON {
		return json.NewEncoder(w.stdout).Encode(map[string]any{"model": e.Run.Name, "passes": all})
	}
	fmt.Fprintf(w.stdout, "%s: %s, %d shards\n", c.Bucket, e.Run.Name, len(e.Run.Manifest.Shards))
	for _, s := range all {
		fmt.Fprintf(w.stdout, "%s  %d of %d tasks", s.Dir, s.Done, s.Tasks)
		if s.Running > 0 {
			fmt.Fprintf(w.stdout, ", %d begun", s.Running)
		}
		if s.Resumed > 0 {
			fmt.Fprintf(w.stdout, ", %d resumed", s.Resumed)
		}
		if s.Failed > 0 {
			fmt.Fprintf(w.stdout, ", %d failed", s.Failed)
		}
		if s.Rows > 0 {
			fmt.Fprintf(w.stdout, "; %d rows, %.3g a second", s.Rows, s.Rate())
		}
		if s.Slowest != "" {
			fmt.Fprintf(w.stdout, "; slowest %s, %.1f s", s.Slowest, s.SlowestTakes)
		}
		fmt.Fprintln(w.stdout)
	}
	return nil
}
