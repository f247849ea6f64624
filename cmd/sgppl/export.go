package main

import (
	"os"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

type exportCmd struct {
	Dir   string `arg:"" name:"run" help:"A run directory."`
	To    string `required:"" placeholder:"FORMAT" help:"stan-csv, csv, parquet or zarr."`
	Out   string `required:"" placeholder:"PATH" help:"The file, or for zarr the directory; stan-csv writes a file a chain: PATH and PATH.csv stand for PATH_1.csv, PATH_2.csv, …"`
	Force bool   `help:"Replace what is there."`
}

func (c *exportCmd) Help() string {
	return `Writes the draws of a run; of one that is not complete those of the chains that give most draws together, as many of each. csv has the columns chain, draw and one for each number, counted from 0;
parquet has the same columns, as 64-bit integers and doubles; stan-csv is CmdStan's format, which cmdstanpy and cmdstanr read; zarr is a copy of the store, which xarray and ArviZ open.
What was written is printed, a path a line.

  sgppl export runs/logistic-1 --to csv --out draws.csv`
}

// Run writes the draws.
func (c *exportCmd) Run(e *session.Session) error {
	if !slices.Contains(trace.Formats(), c.To) {
		return session.Usagef("there is no format %q; there are stan-csv, csv, parquet and zarr",
			c.To)
	}
	r, err := run.Read(c.Dir)
	if err != nil {
		return session.OwnStatus(err)
	}
	store, chosen, err := e.OpenRunDraws(c.Dir, r)
	if err != nil {
		return err
	}
	if _, moments := store.Lookup(run.MomentsGroup, "count"); moments && c.To != "zarr" &&
		len(session.StoredDraws(store)) == 0 {
		return session.Failf(session.ExitData,
			"%s holds means and variances instead of draws (--keep moments): --to zarr exports "+
				"those, `sgppl summary --json` prints them", c.Dir)
	}
	n, err := store.Common()
	if err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	if chosen.Each == 0 && r.Optimize == nil {
		return session.NoDraws(c.Dir)
	}
	files := trace.Outputs(store, c.To, c.Out)
	if err := c.clear(files); err != nil {
		return err
	}
	if len(session.StoredDraws(store)) > 0 {
		session.NoteStored(e, r, n)
	}
	if r.Status != run.Done {
		e.Note("the run is not complete (%s): %s", r.Status, chosen)
	}
	if err := trace.Export(store, c.To, info(r), c.Out); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	for i, file := range files {
		files[i] = printable.Line(file)
	}
	return e.Print("%s\n", strings.Join(files, "\n"))
}

// clear refuses to write over files or a directory without --force.
func (c *exportCmd) clear(files []string) error {
	there := slices.DeleteFunc(slices.Clone(files), func(path string) bool {
		_, err := os.Lstat(path)
		return err != nil
	})
	switch {
	case len(there) == 0:
		return nil
	case !c.Force:
		return session.Usagef("%s exists; --force replaces it", there[0])
	case c.To != "zarr":
		return nil // replaced in one step
	}
	// A directory is removed only if it is a store.
	if _, err := trace.Open(c.Out); err != nil {
		return session.Failf(session.ExitFiles,
			"%s exists and is no store of draws; it is left alone", c.Out)
	}
	if err := os.RemoveAll(c.Out); err != nil {
		return session.Failf(session.ExitFiles, "%v", err)
	}
	return nil
}

// info is what an export says of the run.
func info(r *run.Record) trace.Info {
	s := r.Outline()
	var files []string
	for _, f := range r.Data {
		files = append(files, f.Name)
	}
	x := trace.Info{Model: r.Model, Sampler: s.Method, Warmup: int(s.Warmup), Thin: int(s.Thin),
		StepSize: s.Step, Seed: s.Seed, Data: strings.Join(files, ", "), Version: r.Version}
	for _, c := range r.Chains {
		// A chain's clock does not stop between the phases: by their steps.
		warm := 0.0
		if c.Steps > 0 {
			warm = c.Seconds * float64(min(s.Warmup, c.Steps)) / float64(c.Steps)
		}
		x.WarmupSeconds = append(x.WarmupSeconds, warm)
		x.SamplingSeconds = append(x.SamplingSeconds, c.Seconds-warm)
		var found trace.Adapted
		if a := c.Adapted; a != nil && r.Settings.Sampler == "nuts" {
			x.MaxDepth = r.Settings.MaxDepth
			found = trace.Adapted{Step: a.Step, Metric: a.Metric, Inverse: a.InverseMetric}
		}
		x.Adapted = append(x.Adapted, found)
	}
	return x
}
