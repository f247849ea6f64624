package main

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"slices"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/memory"
)

// plan are the flags of all commands that run passes.
type plan struct {
	Data      []string `sep:"none" required:"" placeholder:"SPEC" help:"Rows, as for sample: [NAME=]FILES[:FIELD]. FILES is a path or a URL (s3://, gs://, azblob://), with * for many. May be repeated."`
	Out       string   `required:"" placeholder:"BUCKET" help:"Where results go: a directory, or the URL of a bucket and a prefix."`
	ShardSize string   `default:"64M" placeholder:"SIZE" help:"About how much text a shard has; row groups of Parquet are not cut (default ${default})."`
	Runner    string   `default:"loop" enum:"loop,prism,array" placeholder:"NAME" help:"loop does the tasks in this process, prism by Apache Beam on this machine; array writes what tasks need, and prints how to run them (default ${default})."`
	Workers   int      `placeholder:"N" help:"Tasks at once; 0 is as many as there are processors."`
	Cache     string   `placeholder:"DIR" help:"Copies of shards on this machine (default: a directory of the user's cache)."`
	Dry       bool     `help:"Say what would be read and done, and leave."`
}

// cut cuts the rows.
func (p *plan) cut(w *world) (*shards.Manifest, error) {
	size, ok := session.Bytes(p.ShardSize)
	if !ok {
		return nil, usage("--shard-size %s: a size such as 64M is expected", p.ShardSize)
	}
	return shards.Cut(w.ctx, p.Data, size)
}

// open makes the run in its bucket, or goes on with it.
func (p *plan) open(w *world, r *pass.Run) (*pass.Env, error) {
	b, err := bucket.Open(w.ctx, p.Out, true)
	if err != nil {
		return nil, err
	}
	if err := pass.Create(w.ctx, b, r); err != nil {
		return nil, err
	}
	cache, err := cacheDir(p.Cache)
	if err != nil {
		return nil, err
	}
	return pass.Open(w.ctx, b, cache)
}

// cacheDir is the directory for copies of shards.
func cacheDir(given string) (string, error) {
	if given == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			base = os.TempDir()
		}
		given = filepath.Join(base, "sgppl-cluster")
	}
	return given, os.MkdirAll(given, 0o777)
}

// dry says what a pass over the rows would read.
func (p *plan) dry(w *world, m *shards.Manifest, what string) error {
	largest := slices.MaxFunc(m.Shards, func(a, b shards.Shard) int { return int(a.Size - b.Size) })
	_, err := fmt.Fprintf(w.stdout, "%s: %d shards, %s in all, the largest %s (%v)\n"+
		"nothing was written; without --dry the results go to %s\n", what, len(m.Shards),
		memory.Text(float64(m.Bytes())), memory.Text(float64(largest.Size)), largest, p.Out)
	return err
}

// prism makes the front by that name; a program without Beam has none.
var prism = func() (pass.Front, error) {
	return nil, usage("--runner prism: this program was built without Beam (tag nobeam)")
}

// front is what does the tasks.
func (p *plan) front(w *world) (pass.Front, error) { return p.telling(newTeller(w, 0)) }

// telling is what does the tasks, and tells of them.
func (p *plan) telling(t *teller) (pass.Front, error) {
	if p.Runner == "prism" {
		return prism()
	}
	workers := p.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return front.Loop{Workers: workers, Each: t.ended}, nil
}
