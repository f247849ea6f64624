// Package verify reads every file of a run and checks it.
package verify

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/internal/native"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/runtime/base/printable"
	"github.com/sgppl/sgppl/runtime/engine/stream"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/results/run"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A Verdict says whether a run is whole. It is the JSON of `verify --json`.
type Verdict struct {
	Run      string   `json:"run"`
	OK       bool     `json:"ok"`
	Status   string   `json:"status"`
	Files    int      `json:"files"` // that were read
	Bytes    int64    `json:"bytes"` // in stores
	Problems []string `json:"problems"`
	Notes    []string `json:"notes"`
}

// Run checks the run in a directory; noData leaves away its data. The error is that of reading
// the run, which is among the problems of the verdict too.
func Run(e *session.Session, dir string, noData bool) (*Verdict, error) {
	v := &Verdict{Run: dir, Problems: []string{}, Notes: []string{}}
	r, err := run.Read(dir)
	if err != nil {
		v.problem(err)
	} else {
		v.Status, v.Files = string(r.Status), 1
		c := checker{dir: dir, noData: noData}
		c.check(e, r, v)
	}
	v.OK = len(v.Problems) == 0
	return v, err
}

// A checker checks the files of a run.
type checker struct {
	dir    string
	noData bool
}

func (v *Verdict) problem(err error) {
	if text := printable.Error(err); text != "" && !slices.Contains(v.Problems, text) {
		v.Problems = append(v.Problems, text)
	}
}

func (v *Verdict) note(format string, args ...any) {
	v.Notes = append(v.Notes, printable.Sprintf(format, args...))
}

func (c *checker) check(e *session.Session, r *run.Record, v *Verdict) {
	if r.Digests == "" {
		v.note("an older version of sgppl wrote %s, without digests: damage that leaves sizes as "+
			"they are is not noticed", c.dir)
	}
	read, problems := run.VerifyFiles(c.dir, r)
	v.Files += read
	for _, err := range problems {
		v.problem(err)
	}
	draws := c.stores(r, v)
	var t target.Target
	if c.noData || r.OfProgram() {
		why := "(--no-data)"
		if r.OfProgram() {
			why = "as a Go program made the run, and the run names no file of them"
		}
		v.note("the data were not read %s", why)
		c.index(r, v)
	} else if b := c.data(e, r, v); b != nil {
		t = b.Target
		c.engine(e, r, b, v)
	}
	read, problems = run.VerifyCheckpoints(c.dir, r, t, draws)
	v.Files += read
	for _, err := range problems {
		v.problem(err)
	}
	if draws != nil && r.Status == run.Done && r.LogLik && !session.HasLoglik(draws) {
		v.note("the log likelihoods of --log-lik are not stored yet: sgppl sample --resume %s does that",
			c.dir)
	}
}

// notBegun reports whether a store is not there, or has no metadata in a run without
// a checkpoint: --resume makes it anew.
func notBegun(dir, store string) bool {
	if _, err := os.Lstat(store); errors.Is(err, os.ErrNotExist) {
		return true
	}
	if _, err := os.Lstat(filepath.Join(store, ".zmetadata")); !errors.Is(err, os.ErrNotExist) {
		return false
	}
	entries, err := os.ReadDir(dir)
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".ckpt") {
			return false
		}
	}
	return err == nil
}

// stores checks the stores of the run, and returns that of its draws.
func (c *checker) stores(r *run.Record, v *Verdict) *trace.Store {
	var draws *trace.Store
	for _, path := range run.Stores(c.dir, r) {
		if (r.Status == run.Running || r.Planning()) && notBegun(c.dir, path) {
			v.note("%s is not there yet", path)
			continue
		}
		var s *trace.Store
		var err error
		if path == run.Draws(c.dir) {
			s, err = run.OpenDraws(c.dir, r)
			draws = s
		} else {
			s, err = run.OpenStore(path, r)
		}
		if err != nil {
			v.problem(err)
			if s, err = trace.Open(path); err != nil { // what else is wrong with it
				continue
			}
		}
		found := s.Verify()
		v.Files, v.Bytes = v.Files+found.Files, v.Bytes+found.Bytes
		for _, err := range found.Problems {
			v.problem(err)
		}
		for _, file := range found.Unlisted {
			v.note("%s is no file of sgppl's", file)
		}
	}
	return draws
}

// index checks the index of the rows without them.
func (c *checker) index(r *run.Record, v *Verdict) {
	if !r.Stream {
		return
	}
	v.Files++
	path := run.IndexPath(c.dir)
	b, err := os.ReadFile(path)
	if err == nil {
		_, err = stream.Unmarshal(b)
	}
	if err != nil {
		v.problem(fmt.Errorf("%s: %w", path, err))
	}
}

// data binds the model to the data of the run, which must be the same; nil where
// that cannot be done.
func (c *checker) data(e *session.Session, r *run.Record, v *Verdict) *session.Binding {
	var said strings.Builder
	quiet := *e
	quiet.Stderr, quiet.JsonNotes = &said, false
	_, b, err := quiet.Reopen(c.dir)
	if err == nil && b.Rows != nil {
		v.Files++
		_, problems := b.Rows.Source.Verify()
		for _, p := range problems {
			v.problem(p)
		}
	}
	if err == nil {
		return b
	}
	text := err.Error()
	if text == "" { // what is wrong was printed
		text = strings.TrimSpace(said.String())
	}
	v.problem(fmt.Errorf("the run cannot go on with its data and its model (--no-data leaves "+
		"this away): %s", text))
	c.index(r, v)
	return nil
}

// engine checks the native sampler of a run where the cache has it. One that is not
// there is no mistake: it is built again.
func (c *checker) engine(e *session.Session, r *run.Record, b *session.Binding, v *Verdict) {
	if r.Engine != "native" {
		return
	}
	files, err := b.Compiled.EmitEngine()
	if err != nil {
		v.problem(fmt.Errorf("the sampler of %s cannot be generated: %w", c.dir, err))
		return
	}
	source := native.Model(files)
	if e.Engine != nil {
		source = e.Engine(source)
	}
	builder, err := e.Builder()
	if err != nil {
		v.note("the sampler that was built for the run was not checked: %v", err)
		return
	}
	switch cached, err := builder.Verify(source); {
	case err != nil:
		v.problem(fmt.Errorf("the sampler that was built for the run: %w; remove the file, and "+
			"--resume builds it again", err))
	case cached:
		v.Files++
	default:
		v.note("the sampler that was built for the run is not in the cache %s, or has no digest "+
			"there: --resume builds it again", builder.Cache)
	}
}
