package main

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/sgppl/sgppl/cluster/bucket"
)

type fetchCmd struct {
	Bucket string `arg:"" name:"run" help:"The bucket of a run of sample."`
	Dir    string `arg:"" optional:"" help:"The directory to make."`
	Cached bool   `help:"Copy it into the cache of this machine unless it is there, and print the directory: sgppl summary s3://... and others do."`
	Cache  string `placeholder:"DIR" help:"The cache (default: a directory of the user's cache)."`
}

func (c *fetchCmd) Help() string {
	return `Copies a run from a bucket to a directory, which summary, export, report, score and predict of sgppl read.

  sgppl cluster fetch s3://lake/run1 run1`
}

// Run copies a run.
func (c *fetchCmd) Run(w *world) error {
	if c.Cached == (c.Dir != "") {
		return usage("fetch takes a directory, or --cached")
	}
	if c.Cached {
		return c.cached(w)
	}
	if _, err := os.Lstat(c.Dir); err == nil {
		return usage("%s is there already: give another directory", c.Dir)
	}
	b, err := bucket.Open(w.ctx, c.Bucket, false)
	if err != nil {
		return err
	}
	return c.whole(fetchRun(w.ctx, b, c.Dir))
}

// whole is the error of a run that may not be complete.
func (c *fetchCmd) whole(err error) error {
	if errors.Is(err, bucket.ErrMissing) {
		return usage("%s has no run that is complete: there is no %s", c.Bucket, runRecord)
	}
	return err
}

// cached prints the directory of a copy. A run that has changed has another.
func (c *fetchCmd) cached(w *world) error {
	b, err := bucket.Open(w.ctx, c.Bucket, false)
	if err != nil {
		return err
	}
	record, err := b.Get(w.ctx, runRecord)
	if err != nil {
		return c.whole(err)
	}
	cache, err := cacheDir(c.Cache)
	if err != nil {
		return err
	}
	sum := sha256.Sum256(append([]byte(c.Bucket+"\n"), record...))
	dir := filepath.Join(cache, "fetched", hex.EncodeToString(sum[:8]))
	if !isRun(dir) {
		if err := os.MkdirAll(filepath.Dir(dir), 0o777); err != nil {
			return err
		}
		part, err := os.MkdirTemp(filepath.Dir(dir), ".fetch-")
		if err != nil {
			return err
		}
		defer os.RemoveAll(part)
		if err := fetchRun(w.ctx, b, part); err != nil {
			return c.whole(err)
		}
		if err := os.Rename(part, dir); err != nil && !isRun(dir) {
			return err
		}
	}
	_, err = fmt.Fprintln(w.stdout, dir)
	return err
}

// isRun says whether a directory has a run: another process may have been faster.
func isRun(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, runRecord))
	return err == nil
}
