package main

import (
	"context"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/front"
	"github.com/sgppl/sgppl/cluster/pass"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/memory"
	"github.com/sgppl/sgppl/runtime/base/printable"
)

// plan are the flags of all commands that run passes.
type plan struct {
	Data      []string `sep:"none" required:"" placeholder:"SPEC" help:"Rows, as for sample: [NAME=]FILES[:FIELD]. FILES is a path or a URL (s3://, gs://, azblob://), with * for many. May be repeated."`
	Out       string   `required:"" placeholder:"BUCKET" help:"Where results go: a directory, or the URL of a bucket and a prefix."`
	ShardSize string   `default:"64M" placeholder:"SIZE" help:"About how much text a shard has; row groups of Parquet are not cut (default ${default})."`
	Split     []string `placeholder:"SHARD[/N]" help:"Cut this shard into N pieces (default 2), such as one that takes too long or too much memory; status and errors name it. May be repeated. The run is another then: it takes another --out."`
	Runner    string   `default:"loop" enum:"loop,prism,beam,array" placeholder:"NAME" help:"loop does the tasks in this process, prism by Apache Beam in this process, beam in worker processes of Beam; array writes what tasks need, and prints how to run them (default ${default})."`
	beamFlags
	Workers int    `placeholder:"N" help:"Tasks at once; 0 is as many as there are processors."`
	Engine  string `default:"auto" enum:"auto,native,vm" placeholder:"NAME" help:"native evaluates the model by a program that is built once and is an object of the run, vm without one; both have the same bits. auto is native where there is a Go toolchain, or where the program is there (default ${default})."`
	Cache   string `placeholder:"DIR" help:"Copies of shards on this machine (default: a directory of the user's cache)."`
	Dry     bool   `help:"Say what would be read and done, and leave."`
}

// beamFlags are those of --runner beam.
type beamFlags struct {
	Endpoint string `placeholder:"HOST:PORT" help:"Job service of a runner of Beam, for --runner beam; by default prism, in this process."`
	Worker   string `placeholder:"PATH" help:"sgppl-cluster on the machines of --endpoint (default: this program)."`
}

func (f *beamFlags) check(runner string) error {
	if runner != "beam" && (f.Endpoint != "" || f.Worker != "") {
		return usage("--endpoint and --worker go with --runner beam")
	}
	if _, _, err := net.SplitHostPort(f.Endpoint); f.Endpoint != "" && err != nil {
		return usage("--endpoint %s: HOST:PORT is expected, such as localhost:8099", f.Endpoint)
	}
	return nil
}

// cut cuts the rows.
func (p *plan) cut(w *world) (*shards.Manifest, error) {
	if err := p.check(p.Runner); err != nil {
		return nil, err
	}
	size, ok := session.Bytes(p.ShardSize)
	if !ok {
		return nil, usage("--shard-size %s: a size such as 64M is expected", p.ShardSize)
	}
	m, err := shards.Cut(w.ctx, p.Data, size)
	if err != nil || len(p.Split) == 0 {
		return m, err
	}
	pieces, err := splits(p.Split)
	if err != nil {
		return nil, err
	}
	for i := range pieces {
		if i >= len(m.Shards) {
			return nil, usage("--split %d: there are shards 0 to %d", i, len(m.Shards)-1)
		}
	}
	if err := m.Split(w.ctx, pieces); err != nil {
		return nil, fmt.Errorf("--split: %w", err)
	}
	return m, nil
}

// mostPieces is into how many a shard is cut at most.
const mostPieces = 10000

// splits reads the values of --split.
func splits(list []string) (map[int]int, error) {
	out := map[int]int{}
	for _, text := range list {
		shard, parts, given := strings.Cut(text, "/")
		i, err := strconv.Atoi(shard)
		n := 2
		if err == nil && given {
			n, err = strconv.Atoi(parts)
		}
		if err != nil || i < 0 || n < 2 || n > mostPieces {
			return nil, usage("--split %s: the number of a shard is expected, such as 17, or 17/4 for "+
				"four pieces (2 to %d)", text, mostPieces)
		}
		if out[i] > 0 {
			return nil, usage("--split %d is given twice: %d/%d cuts it into more pieces", i, i, 4)
		}
		out[i] = n
	}
	return out, nil
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
	e, err := pass.Open(w.ctx, b, cache)
	if err != nil {
		return nil, err
	}
	return e, w.engine(e, p.Engine)
}

// engine settles what evaluates the model of a run.
func (w *world) engine(e *pass.Env, name string) error {
	e.Note = func(text string) { fmt.Fprintln(w.stderr, "note: "+printable.Line(text)) }
	if name == "vm" {
		e.UseVM()
		return nil
	}
	dir := w.getenv("SGPPL_CACHE")
	if dir == "" {
		var err error
		if dir, err = native.DefaultCache(); err != nil {
			return fmt.Errorf("there is no directory for builds: %w; set SGPPL_CACHE to one", err)
		}
	}
	e.NeedsEngine = name == "native"
	e.Builder = &native.Builder{Cache: dir, Env: os.Environ(),
		Wrong: func(err error) { e.Note(err.Error()) }}
	return nil
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

// What Beam does; a program without it refuses.
var (
	prism = func() (pass.Front, error) {
		return nil, usage("--runner prism: this program was built without Beam (tag nobeam)")
	}
	processes = func(endpoint, program string) (pass.Front, error) {
		return nil, usage("--runner beam: this program was built without Beam (tag nobeam)")
	}
	// beamWorker does tasks if the arguments are those of a worker, and says whether they are.
	beamWorker = func(context.Context, []string) (bool, error) { return false, nil }
)

// front is what does the tasks.
func (p *plan) front(w *world) (pass.Front, error) { return p.telling(newTeller(w, 0)) }

// front is what does the tasks in workers of Beam.
func (f *beamFlags) front() (pass.Front, error) {
	program := f.Worker
	if program == "" {
		var err error
		if program, err = os.Executable(); err != nil {
			return nil, err
		}
	}
	return processes(f.Endpoint, program)
}

// telling is what does the tasks, and tells of them.
func (p *plan) telling(t *teller) (pass.Front, error) {
	switch p.Runner {
	case "prism":
		return prism()
	case "beam":
		return p.beamFlags.front()
	case "array":
		return &asker{w: t.w, out: p.Out}, nil
	}
	workers := p.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	return front.Loop{Workers: workers, Each: t.ended}, nil
}
