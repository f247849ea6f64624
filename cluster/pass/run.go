// Package pass has the work of a cluster: a pass is a list of tasks, each a pure function of
// objects in a bucket to an object in that bucket. The results are folded in the order of
// the tasks, so that they have the same bits whatever the workers, the attempts and the order
// in which tasks end. Who calls Do for each task, a loop, Apache Beam or an array of jobs,
// is up to a front.
package pass

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"

	"github.com/sgppl/sgppl"
	"github.com/sgppl/sgppl/cluster/bucket"
	"github.com/sgppl/sgppl/cluster/shards"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/lang/check"
	"github.com/sgppl/sgppl/lang/source"
	_ "github.com/sgppl/sgppl/parquet" // registers the format
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/model"
)

// A Run is what all tasks of a run share: the object cluster.json.
type Run struct {
	Version string   `json:"version"` // of sgppl
	Name    string   `json:"name"`    // of the model's file
	Model   string   `json:"model"`   // its text
	Set     []string `json:"set,omitempty"`
	Axis    string   `json:"axis,omitempty"` // of the rows, where the model has several
	NA      string   `json:"na,omitempty"`
	Levels  []string `json:"levels,omitempty"`

	Manifest *shards.Manifest `json:"manifest"`
	// Constants are values of data that a fit has settled, such as mean(x), and Dims sizes.
	Constants map[string][]float64 `json:"constants,omitempty"`
	Dims      map[string]int       `json:"dims,omitempty"`
	// Absent are inputs that need not be there.
	Absent []string            `json:"absent,omitempty"`
	Labels map[string][]string `json:"labels,omitempty"` // levels of texts, of a fit
	Single bool                `json:"single,omitempty"` // single precision
	// Asked are the settings of what is computed, of a command whose results depend on more
	// than what its requests have.
	Asked json.RawMessage `json:"asked,omitempty"`
}

const runFile = "cluster.json"

// Create writes cluster.json. A bucket that has another run is refused; with the same run
// what is there is gone on with.
func Create(ctx context.Context, b *bucket.Bucket, r *Run) error {
	r.Version = sgppl.Version
	text, err := json.MarshalIndent(r, "", " ")
	if err != nil {
		return err
	}
	wrote, err := b.PutOnce(ctx, runFile, text)
	if err != nil || wrote {
		return err
	}
	old, err := b.Get(ctx, runFile)
	switch {
	case err != nil:
		return err
	case string(old) != string(text):
		return &Permanent{fmt.Errorf("%s holds another run: its model, data or settings differ. "+
			"Another --out is expected, or the command as it was", b.URL)}
	}
	return nil
}

// A Permanent error does not go away when the task is tried again.
type Permanent struct{ Err error }

func (e *Permanent) Error() string { return e.Err.Error() }
func (e *Permanent) Unwrap() error { return e.Err }

// An Env is what a process needs to do tasks of a run. It may be used by several goroutines.
type Env struct {
	Bucket *bucket.Bucket
	Run    *Run
	Cache  string // directory of this machine that has copies of pieces of data
	// Told is called for every task that this process ends, by several goroutines; or nil.
	Told func(Task, *Done)
	// Builder builds the engine when a pass wants it that is due; nil: nothing is built, and
	// what is there already is used.
	Builder     *native.Builder
	NeedsEngine bool         // that it cannot be built is an error, and else a note
	Note        func(string) // tells the user; may be nil

	identity string // of cluster.json: requests belong to one
	// again is Do, for tasks that do another task whose result is damaged.
	again   func(context.Context, Task) error
	compile func() (*driver.Compiled, error)

	engines engines

	lock    sync.Mutex
	loaded  []byte // draws
	settled *Settled
}

// Open opens a run for its tasks.
func Open(ctx context.Context, b *bucket.Bucket, cache string) (*Env, error) {
	text, err := b.Get(ctx, runFile)
	if errors.Is(err, bucket.ErrMissing) {
		return nil, &Permanent{fmt.Errorf("%s holds no run: there is no %s", b.URL, runFile)}
	}
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(text)
	e := &Env{Bucket: b, Run: new(Run), Cache: cache, identity: hex.EncodeToString(sum[:12])}
	if err := json.Unmarshal(text, e.Run); err != nil {
		return nil, &Permanent{fmt.Errorf("%s: %s cannot be read: %w", b.URL, runFile, err)}
	}
	if e.Run.Version != sgppl.Version {
		return nil, &Permanent{fmt.Errorf("%s was made by sgppl %s and this is %s: results of two "+
			"versions do not mix", b.URL, e.Run.Version, sgppl.Version)}
	}
	e.compile, e.again = sync.OnceValues(e.compiled), e.Do
	return e, nil
}

// compiled compiles the model.
func (e *Env) compiled() (*driver.Compiled, error) {
	c, list := driver.Compile(source.New(e.Run.Name, e.Run.Model),
		driver.Options{Set: Numbers(e.Run.Set), RowDim: e.Run.Axis, Exact: true})
	if c == nil {
		return nil, &Permanent{fmt.Errorf("%s: the model does not compile: %s", e.Run.Name,
			list[0].Message)}
	}
	if !e.Run.Single {
		return c, nil
	}
	if err := c.ToSingle(); err != nil {
		return nil, &Permanent{err}
	}
	return c, nil
}

// Identity is a digest of what all tasks of the run share.
func (e *Env) Identity() string { return e.identity }

// Compiled is the model of the run.
func (e *Env) Compiled() (*driver.Compiled, error) { return e.compile() }

// Rows binds the model to the rows of a piece.
func (e *Env) Rows(ctx context.Context, shard int) (*model.Model, *data.Bound, error) {
	bound, err := e.Read(ctx, shard)
	if err != nil {
		return nil, nil, err
	}
	m, err := e.model(bound, shard)
	return m, bound, err
}

// model binds the model to the data of a piece.
func (e *Env) model(bound *data.Bound, shard int) (*model.Model, error) {
	c, err := e.compile()
	if err != nil {
		return nil, err
	}
	m, err := c.VM(bound, e.Run.Constants)
	if err != nil {
		return nil, &Permanent{fmt.Errorf("%v: %w", e.Run.Manifest.Shards[shard], err)}
	}
	return m, nil
}

// Read reads the data of a piece: its rows, and what belongs to all.
func (e *Env) Read(ctx context.Context, shard int) (*data.Bound, error) {
	return e.readBy(ctx, shard, e.options())
}

// readBy is Read by other options. Its errors name the piece, and not its copy.
func (e *Env) readBy(ctx context.Context, shard int, o data.Options) (*data.Bound, error) {
	path, err := e.piece(ctx, shard)
	if err != nil {
		return nil, err
	}
	specs, err := e.specs(ctx, path)
	if err != nil {
		return nil, err
	}
	bound, err := e.bindBy(specs, o)
	if permanent := (*Permanent)(nil); errors.As(err, &permanent) {
		err = &Permanent{renamed(permanent.Err, path, e.Run.Manifest.Shards[shard].String())}
	}
	return bound, err
}

// bind binds files of this machine.
func (e *Env) bind(specs []string) (*data.Bound, error) { return e.bindBy(specs, e.options()) }

// options are those of the run.
func (e *Env) options() data.Options {
	return data.Options{Fixed: e.Run.Dims, Absent: e.Run.Absent, Labels: e.Run.Labels,
		Levels: e.Run.Levels, NA: e.Run.NA, Unprinted: true}
}

func (e *Env) bindBy(specs []string, o data.Options) (*data.Bound, error) {
	c, err := e.compile()
	if err != nil {
		return nil, err
	}
	bound, _, errs := data.Bind(&c.Spec.Schema, specs, e.set(c), o)
	if len(errs) > 0 {
		list := make([]error, len(errs))
		for i, err := range errs {
			list[i] = err
		}
		return nil, &Permanent{errors.Join(list...)}
	}
	return bound, nil
}

// set are the settings that are no constants of the model, which it was compiled with.
func (e *Env) set(c *driver.Compiled) (out []string) {
	consts := map[string]bool{}
	for _, s := range c.Check.Symbols {
		consts[s.Name] = s.Kind == check.Const
	}
	for _, text := range e.Run.Set {
		if name, _, _ := strings.Cut(text, "="); !consts[strings.TrimSpace(name)] {
			out = append(out, text)
		}
	}
	return out
}

// piece has a piece of the rows as a file of this machine.
func (e *Env) piece(ctx context.Context, shard int) (string, error) {
	s := e.Run.Manifest.Shards[shard]
	path, err := shards.Fetch(ctx, s, filepath.Join(e.Cache, "shards"))
	if err != nil {
		return "", permanentIfChanged(err)
	}
	if err := shards.Quotes(path); err != nil {
		return "", &Permanent{fmt.Errorf("%v: %w", s, err)}
	}
	return path, nil
}

// specs are those of the rows in a file, and of the data that are read whole.
func (e *Env) specs(ctx context.Context, path string) ([]string, error) {
	var out []string
	for i, text := range e.Run.Manifest.Data {
		s, err := shards.ParseSpec(text)
		if err != nil {
			return nil, &Permanent{err}
		}
		file := path
		if whole, is := e.Run.Manifest.Whole[i]; is {
			if file, err = shards.Fetch(ctx, whole, filepath.Join(e.Cache, "whole")); err != nil {
				return nil, permanentIfChanged(err)
			}
		}
		out = append(out, s.On(file))
	}
	return out, nil
}

func permanentIfChanged(err error) error {
	if changed := (*shards.ChangedError)(nil); errors.As(err, &changed) {
		return &Permanent{err}
	}
	return err
}
