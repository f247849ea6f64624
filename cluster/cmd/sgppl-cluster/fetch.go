package main

import (
	"errors"
	"os"

	"github.com/sgppl/sgppl/cluster/bucket"
)

type fetchCmd struct {
	Bucket string `arg:"" name:"run" help:"The bucket of a run of sample."`
	Dir    string `arg:"" help:"The directory to make."`
}

func (c *fetchCmd) Help() string {
	return `Copies a run from a bucket to a directory, which summary, export, report, score and predict of sgppl read.

  sgppl cluster fetch s3://lake/run1 run1`
}

// Run copies a run.
func (c *fetchCmd) Run(w *world) error {
	if _, err := os.Lstat(c.Dir); err == nil {
		return usage("%s is there already: give another directory", c.Dir)
	}
	b, err := bucket.Open(w.ctx, c.Bucket, false)
	if err != nil {
		return err
	}
	err = fetchRun(w.ctx, b, c.Dir)
	if errors.Is(err, bucket.ErrMissing) {
		return usage("%s has no run that is complete: there is no %s", c.Bucket, runRecord)
	}
	return err
}
