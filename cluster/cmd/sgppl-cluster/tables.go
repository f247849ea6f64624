package main

import (
	"fmt"

	"github.com/sgppl/sgppl/cluster/pass"
)

type predictCmd struct{ fitted }

func (c *predictCmd) Help() string {
	return `Writes an object predictions/SHARD.csv for each shard: a line for each row, with the expected value of each observed
name, or the probability of each class, averaged over the draws.

  sgppl cluster predict runs/churn-1 --data 's3://lake/claims/*.parquet' --out s3://lake/predicted`
}

// Run predicts rows.
func (c *predictCmd) Run(w *world) error {
	return c.tables(w, "predict", true)
}

type logLikCmd struct{ fitted }

func (c *logLikCmd) Help() string {
	return `Writes an object log_lik/SHARD.bin for each shard: a line of JSON with the numbers of rows, chains and draws, then the
log likelihoods as little-endian doubles, by row, chain and draw.

  sgppl cluster log-lik runs/churn-1 --data 's3://lake/claims/*.parquet' --out s3://lake/loglik`
}

// Run writes log likelihoods.
func (c *logLikCmd) Run(w *world) error {
	return c.tables(w, "log-lik", false)
}

// tables does a pass whose results are what is asked for, an object a shard.
func (f *fitted) tables(w *world, kind string, absent bool) error {
	e, err := f.begin(w, kind, absent)
	if err != nil || e == nil {
		return err
	}
	defer e.Close()
	by, err := f.front(w)
	if err != nil {
		return err
	}
	return tablesOf(w, e, by, kind)
}

// tableNames are the folder and the ending of the objects of a kind of pass.
var tableNames = map[string][2]string{"predict": {"predictions", ".csv"},
	"log-lik": {"log_lik", ".bin"}}

func tablesOf(w *world, e *pass.Env, front pass.Front, kind string) error {
	folder, ending := tableNames[kind][0], tableNames[kind][1]
	n, bytes := len(e.Run.Manifest.Shards), 0
	err := e.Pass(w.ctx, front, 1, kind, n, nil, func(i int, result []byte) error {
		bytes += len(result)
		return e.Bucket.Put(w.ctx, fmt.Sprintf("%s/%06d%s", folder, i, ending), result)
	})
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w.stdout, "%d objects, %d bytes, in %s/%s\n", n, bytes, e.Bucket.URL, folder)
	return err
}
