package main

import (
	"context"
	"fmt"
	"strconv"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

type taskCmd struct {
	Bucket string `arg:"" name:"run" help:"The bucket of the run."`
	Pass   string `required:"" placeholder:"DIR" help:"The pass, such as pass/001-score."`
	Index  int    `default:"-1" placeholder:"I" help:"The job of the array; by default what the array says of it."`
	Each   int    `default:"1" placeholder:"N" help:"Tasks of a job: job I does the tasks I·N to I·N+N-1 (default ${default})."`
	Tasks  int    `required:"" placeholder:"N" help:"Of the pass; jobs leave what is beyond."`
	Engine string `default:"auto" enum:"auto,vm" placeholder:"NAME" help:"vm evaluates the model without the program that the run has for it (default ${default})."`
	Cache  string `placeholder:"DIR" help:"Copies of shards on this machine."`
}

// indexes are the environment variables by which arrays number their jobs.
var indexes = []string{"JOB_COMPLETION_INDEX", "SLURM_ARRAY_TASK_ID", "AWS_BATCH_JOB_ARRAY_INDEX"}

func (c *taskCmd) Help() string {
	return `Does the tasks of one job of an array. The number of the job is --index, or else JOB_COMPLETION_INDEX (Kubernetes),
SLURM_ARRAY_TASK_ID or AWS_BATCH_JOB_ARRAY_INDEX. What is done already is not done again.`
}

// Run does the tasks of a job.
func (c *taskCmd) Run(w *world) error {
	index := c.Index
	for _, name := range indexes {
		if text := w.getenv(name); index < 0 && text != "" {
			n, err := strconv.Atoi(text)
			if err != nil || n < 0 {
				return usage("%s=%s: a number is expected", name, text)
			}
			index = n
		}
	}
	if index < 0 {
		return usage("--index is missing, and none of %v is set", indexes)
	}
	if c.Each < 1 {
		return usage("--each %d: at least 1", c.Each)
	}
	e, err := openRun(w.ctx, c.Bucket, c.Cache)
	if err != nil {
		return err
	}
	defer e.Close()
	e.Note = func(text string) { fmt.Fprintln(w.stderr, "note: "+printable.Line(text)) }
	if c.Engine == "vm" {
		e.UseVM()
	}
	for i := index * c.Each; i < min((index+1)*c.Each, c.Tasks); i++ {
		if err := e.Do(w.ctx, pass.Task{Dir: c.Pass, Index: i}); err != nil {
			return err
		}
	}
	return nil
}

// openRun opens a run that is there.
func openRun(ctx context.Context, at, cache string) (*pass.Env, error) {
	b, err := bucket.Open(ctx, at, false)
	if err != nil {
		return nil, err
	}
	dir, err := cacheDir(cache)
	if err != nil {
		return nil, err
	}
	return pass.Open(ctx, b, dir)
}
