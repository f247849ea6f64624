package pass

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/host"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Chains is the body of a pass whose tasks are the chains of a run.
type Chains struct {
	Prepared string  `json:"prepared"`     // check sum of the object prepared.json
	Cache    string  `json:"cache"`        // the directory that had the data when it was prepared
	Seconds  float64 `json:"task_seconds"` // a task that takes longer is given again
}

// A ChainResult is what a task of a pass of chains makes.
type ChainResult struct {
	Chain int    `json:"chain"`
	Steps int64  `json:"steps"`
	Draws int64  `json:"draws"`
	Sum   string `json:"sha256"` // of the draws that are stored
}

// A Point is how far a chain came: the object chain/NNNNNN/point.json, written with every
// checkpoint, and chain/NNNNNN/end.json of a chain that is complete.
type Point struct {
	Attempt int       `json:"attempts"` // how often a task began or went on with the chain
	Host    string    `json:"host"`
	At      time.Time `json:"at"`
	Step    int64     `json:"step"`
	Steps   int64     `json:"steps"`
	Rate    float64   `json:"steps_per_second"`
	Rows    float64   `json:"rows_per_second"`
	State   run.Chain `json:"state"`
	Files   Tree      `json:"files"`
	Own     []string  `json:"own,omitempty"` // files that belong to this chain alone, at the end
}

const (
	preparedFile = "prepared.json"
	preparedAt   = "prepared" // the prefix of its files
)

func pointFile(chain int) string { return fmt.Sprintf("chain/%06d/point.json", chain) }
func filesAt(chain int) string   { return fmt.Sprintf("chain/%06d/files", chain) }
func endFile(chain int) string   { return fmt.Sprintf("chain/%06d/end.json", chain) }

// ChainCount is the number of chains of the run that was prepared in a directory.
func (e *Env) ChainCount(ctx context.Context, sum, dir string) (int, error) {
	if _, err := os.Stat(filepath.Join(dir, recordFile)); errors.Is(err, os.ErrNotExist) {
		if err := e.prepared(ctx, sum, dir); err != nil {
			return 0, err
		}
	}
	r, err := run.Read(dir)
	if err != nil {
		return 0, err
	}
	return len(r.Chains), nil
}

func missing(err error) bool { return errors.Is(err, bucket.ErrMissing) }

// Prepared has a run directory that make writes, once a run, as the object prepared.json, and
// returns its check sum. A run whose chains depend on each other is refused.
func (e *Env) Prepared(
	ctx context.Context, dir string, make func(dir string) error,
) (string, error) {
	text, err := e.Bucket.Get(ctx, preparedFile)
	if missing(err) {
		if err := make(dir); err != nil {
			return "", err
		}
		r, err := run.Read(dir)
		if err != nil {
			return "", err
		}
		if why := r.Together(); why != "" {
			return "", &Permanent{fmt.Errorf("the chains of this run cannot be tasks: %s", why)}
		}
		t, err := e.newKeeper(preparedAt, dir, nil).keep(ctx, nil)
		if err != nil {
			return "", err
		}
		if text, err = json.Marshal(t); err != nil {
			return "", err
		}
		if _, err = e.Bucket.PutOnce(ctx, preparedFile, text); err != nil {
			return "", err
		}
		text, err = e.Bucket.Get(ctx, preparedFile) // another process may have been faster
		if err != nil {
			return "", err
		}
	} else if err != nil {
		return "", err
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:]), nil
}

// prepared writes the run directory as it was prepared.
func (e *Env) prepared(ctx context.Context, sum, dir string) error {
	text, err := e.Bucket.Get(ctx, preparedFile)
	if err != nil {
		return err
	}
	var t Tree
	if got := sha256.Sum256(text); hex.EncodeToString(got[:]) != sum ||
		json.Unmarshal(text, &t) != nil {
		return &Permanent{fmt.Errorf("%s: %s is damaged", e.Bucket.URL, preparedFile)}
	}
	whole, err := e.fetchTree(ctx, preparedAt, t, dir)
	if err == nil && !whole {
		err = &Permanent{fmt.Errorf("%s: a file of the run, which %s lists, is gone or damaged",
			e.Bucket.URL, preparedFile)}
	}
	return err
}

// point reads how far a chain came; nil where it did not begin.
func (e *Env) point(ctx context.Context, name string) (*Point, error) {
	text, err := e.Bucket.Get(ctx, name)
	if missing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := new(Point)
	if json.Unmarshal(text, p) != nil {
		return nil, nil // it is written anew
	}
	return p, nil
}

// Files have all data of the run as files of this machine, and are what --data says of them.
// Rows in several files are joined.
func (e *Env) Files(ctx context.Context) ([]string, error) {
	rows, err := shards.Join(ctx, e.Run.Manifest.Shards, filepath.Join(e.Cache, "shards"))
	if err != nil {
		return nil, permanentIfChanged(err)
	}
	return e.specs(ctx, rows)
}

// ofPrepared is the model of the run that was prepared.
func ofPrepared(ctx context.Context, e *Env, body json.RawMessage) (*driver.Compiled, error) {
	var c Chains
	if err := json.Unmarshal(body, &c); err != nil {
		return nil, &Permanent{err}
	}
	above, err := os.MkdirTemp(e.Cache, "model-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(above)
	dir := filepath.Join(above, "run")
	if err := e.prepared(ctx, c.Prepared, dir); err != nil {
		return nil, err
	}
	compiled, err := quiet(io.Discard).CompiledOf(dir)
	return compiled, permanentByStatus(err)
}

// doChain takes the steps of a chain that are left, until its time is over.
func doChain(ctx context.Context, e *Env, body json.RawMessage, index int) (Result, error) {
	var c Chains
	if err := json.Unmarshal(body, &c); err != nil {
		return Result{}, &Permanent{err}
	}
	if err := os.MkdirAll(e.Cache, 0o777); err != nil {
		return Result{}, err
	}
	above, err := os.MkdirTemp(e.Cache, "chain-")
	if err != nil {
		return Result{}, err
	}
	defer os.RemoveAll(above)
	w := &chainWork{e: e, chain: index, dir: filepath.Join(above, "run"), FS: disk.OS}
	if err := w.restore(ctx, c.Prepared); err != nil {
		return Result{}, err
	}
	if err := w.run(ctx, &c); err != nil {
		return Result{}, err
	}
	return w.end(ctx)
}

// A chainWork is an attempt of a task of a chain, in a run directory of its own. It is the
// file system of the run, and puts the directory into the bucket behind every checkpoint.
type chainWork struct {
	e     *Env
	chain int
	dir   string
	keep  *keeper
	last  Point
	ctx   context.Context
	disk.FS
	failed error // of the bucket
}

// restore has the run directory as of the last checkpoint of any attempt, or as it was
// prepared.
func (w *chainWork) restore(ctx context.Context, prepared string) error {
	w.last.Host, _ = os.Hostname()
	w.ctx = ctx
	p, err := w.e.point(ctx, pointFile(w.chain))
	if err != nil {
		return err
	}
	if p != nil {
		w.last.Attempt = p.Attempt
		whole, err := w.e.fetchTree(ctx, filesAt(w.chain), p.Files, w.dir)
		if err != nil {
			return err
		}
		if whole {
			w.last.Files = p.Files
		} else if err := os.RemoveAll(w.dir); err != nil {
			return err
		}
	}
	w.last.Attempt++
	w.keep = w.e.newKeeper(filesAt(w.chain), w.dir, w.last.Files)
	if w.last.Files != nil {
		return nil
	}
	return w.e.prepared(ctx, prepared, w.dir)
}

// run takes steps. The error is ErrNotDone when the time of the task is over.
func (w *chainWork) run(ctx context.Context, c *Chains) error {
	if _, err := w.e.Files(ctx); err != nil {
		return err
	}
	_, b, err := w.e.reopen(w.dir, c.Cache)
	if err != nil {
		return err
	}
	limited, cancel := context.WithTimeout(ctx, time.Duration(c.Seconds*float64(time.Second)))
	defer cancel()
	path, err := w.e.programOfRun(ctx, b.Compiled)
	if err != nil {
		return err
	}
	work := run.Work{Dir: w.dir, Version: sgppl.Version, Threads: 1, ProgressEvery: time.Second,
		Only: []int{w.chain}}
	unstarted := (*native.StartError)(nil)
	if path != "" {
		if err = w.child(limited, path, b, work); errors.As(err, &unstarted) {
			w.e.note("the chain is sampled by the VM: %v", err)
		}
	}
	if path == "" || unstarted != nil {
		work.Disk = w
		_, err = run.Continue(limited, b.Target, work, time.Now, w.heard)
	}
	switch {
	case w.failed != nil:
		return w.failed
	case err == nil, ctx.Err() != nil:
		return errors.Join(ctx.Err(), err)
	case errors.Is(err, context.DeadlineExceeded):
		return ErrNotDone
	}
	return permanentByStatus(err)
}

// child takes steps by the engine, a child of this process, which waits while its checkpoints
// are put.
func (w *chainWork) child(
	ctx context.Context, path string, b *session.Binding, work run.Work,
) error {
	if err := b.FitsNative(); err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	work.Holds = true
	text, err := json.Marshal(work)
	if err != nil {
		return err
	}
	job := host.Job{Constants: b.Constants, Work: text}
	if b.Rows != nil {
		job.Index = run.IndexPath(w.dir)
	}
	return native.Run(ctx, path, job, b.Bound, func(line []byte) {
		v, is := session.EventOf(line)
		switch {
		case !is:
		case v.Event != "checkpoint":
			w.heard(v)
		case w.failed == nil:
			if w.failed = w.checkpoint(); w.failed != nil {
				stop()
			}
		}
	})
}

// heard takes an event of the chain.
func (w *chainWork) heard(v run.Event) {
	if v.Event == "progress" || v.Event == "end" {
		w.last.Step, w.last.Steps = v.Step, v.Steps
		w.last.Rate, w.last.Rows = finite(v.StepsRate), finite(v.RowsRate)
	}
}

func finite(x run.Float) float64 {
	if x-x != 0 {
		return 0
	}
	return float64(x)
}

// Rename implements disk.FS. A checkpoint is whole once it has its name. The chain waits in
// here, and no other one runs, so the directory is as a crash would leave it now: good to go
// on from.
func (w *chainWork) Rename(from, to string) error {
	if err := w.FS.Rename(from, to); err != nil || to != trace.CheckpointPath(w.dir, w.chain) {
		return err
	}
	w.failed = w.checkpoint()
	return w.failed
}

func (w *chainWork) checkpoint() error {
	// What was cancelled leaves its checkpoint all the same.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(w.ctx), 5*time.Minute)
	defer cancel()
	old := w.last.Files
	files, err := w.keep.keep(ctx, nil)
	if err != nil {
		return err
	}
	w.last.Files, w.last.At = files, time.Now().UTC()
	text, err := json.Marshal(w.last)
	if err != nil {
		return err
	}
	if err := w.e.Bucket.Put(ctx, pointFile(w.chain), text); err != nil {
		return err
	}
	return w.keep.drop(ctx, old, files)
}

// end puts a chain that is complete.
func (w *chainWork) end(ctx context.Context) (Result, error) {
	r, err := run.Read(w.dir)
	if err != nil {
		return Result{}, err
	}
	own, err := run.ChainFiles(w.dir, w.chain)
	if err != nil {
		return Result{}, err
	}
	var names []string // of this chain, and of the stores, which all share
	all, err := filesBelow(w.dir)
	if err != nil {
		return Result{}, err
	}
	for _, name := range all {
		if strings.Contains(name, ".zarr/") || strings.HasSuffix(name, ".ckpt") {
			names = append(names, name)
		}
	}
	p := w.last
	if p.Files, err = w.keep.keep(ctx, names); err != nil {
		return Result{}, err
	}
	p.Own, p.State, p.At = own, r.Chains[w.chain], time.Now().UTC()
	sum, err := drawsSum(w.dir, own)
	if err != nil {
		return Result{}, err
	}
	text, err := json.Marshal(p)
	if err != nil {
		return Result{}, err
	}
	if _, err := w.e.Bucket.PutOnce(ctx, endFile(w.chain), text); err != nil {
		return Result{}, err
	}
	out, err := json.Marshal(ChainResult{w.chain, p.State.Steps, p.State.Draws, sum})
	return Result{out, int64(p.Rows * p.State.Seconds)}, err
}

// drawsSum is a check sum of the draws of a chain: of the chunks of its arrays by name.
// Checkpoints and journals depend on when they were written.
func drawsSum(dir string, own []string) (string, error) {
	all := sha256.New()
	for _, name := range own {
		if base := filepath.Base(name); strings.HasPrefix(base, ".") ||
			strings.HasSuffix(base, ".ckpt") {
			continue
		}
		b, err := os.ReadFile(filepath.Join(dir, filepath.FromSlash(name)))
		if err != nil {
			return "", err
		}
		fmt.Fprintf(all, "%s %x\n", name, sha256.Sum256(b))
	}
	return hex.EncodeToString(all.Sum(nil)), nil
}

// reopen binds the data of a run directory. What the binding prints is its error.
func (e *Env) reopen(dir, from string) (*run.Record, *session.Binding, error) {
	var said bytes.Buffer
	to, err := filepath.Abs(e.Cache)
	if err != nil {
		return nil, nil, err
	}
	if to == from {
		from = ""
	}
	r, b, err := quiet(&said).ReopenMoved(dir, from, to)
	if err != nil {
		return nil, nil, permanentByStatus(errors.Join(err, textError(said.String())))
	}
	return r, b, nil
}

// quiet is a session that prints what is wrong to w, and nothing else.
func quiet(w io.Writer) *session.Session {
	return &session.Session{Stdin: strings.NewReader(""), Stdout: io.Discard, Stderr: w,
		Verbatim: io.Discard, Screen: w, Getenv: os.Getenv, Environ: os.Environ(), Now: time.Now,
		Interrupts: func(func()) (stop func()) { return func() {} }, Quit: func(int) {}}
}

func textError(text string) error {
	var list []error
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "note: ") {
			list = append(list, errors.New(line))
		}
	}
	return errors.Join(list...)
}

// permanentByStatus marks errors of models, data and runs, which another attempt would find
// again; those of files go away, perhaps.
func permanentByStatus(err error) error {
	var exit interface{ Exit() int }
	var session *session.ExitError
	code := 0
	if errors.As(err, &session) {
		code = session.Code
	} else if errors.As(err, &exit) {
		code = exit.Exit()
	}
	if code > 0 && code < 5 {
		return &Permanent{err}
	}
	return err
}
