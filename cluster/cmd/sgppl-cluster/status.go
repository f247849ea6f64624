package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/runtime/results/run"
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
	exact, err := exactness(w.ctx, e.Bucket)
	if err != nil {
		return err
	}
	if c.JSON {
		out := map[string]any{"model": e.Run.Name, "passes": all}
		if exact != nil {
			out["exactness"] = exact
		}
		return json.NewEncoder(w.stdout).Encode(out)
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
	if exact != nil {
		fmt.Fprintf(w.stdout, "exactness   %s\n", exact)
	}
	return nil
}

// exactness is what the record of a run of sample says of its draws; nil without one.
func exactness(ctx context.Context, b *bucket.Bucket) (*run.Exactness, error) {
	text, err := b.Get(ctx, runRecord)
	if errors.Is(err, bucket.ErrMissing) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var r run.Record
	if err := json.Unmarshal(text, &r); err != nil {
		return nil, fmt.Errorf("%s: %s is damaged: %w", b.URL, runRecord, err)
	}
	return r.Exactness, nil
}
