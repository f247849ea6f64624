package sampling

import (
	"path/filepath"

	"github.com/sgppl/sgppl/internal/commandline"
	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/session"
	"github.com/sgppl/sgppl/internal/show"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A sampling is a run of `sgppl sample` from its flags to the record of its run directory.
type sampling struct {
	*Sample
	e   *session.Session
	ctx *commandline.Context

	b    *session.Binding
	keep session.Kept
	dir  string // of the run, which is not there yet
	auto bool   // no sampler was given

	cfg     sampler.Config // what the run is recorded with
	full    sampler.Config // the same without an anchor: what is stored for it is on full passes
	planned bool           // the run finds by itself how it samples
	why     string         // the reason why not
}

// compile checks the flags, compiles the model, and reads the flags as settings.
func (s *sampling) compile(src *source.File) error {
	if err := s.later(); err != nil {
		return err
	}
	if err := s.planning.check(s.ctx); err != nil {
		return err
	}
	if err := s.checkStream(s.ctx); err != nil {
		return err
	}
	if err := s.checkSurrogate(); err != nil {
		return err
	}
	if err := s.checkGibbs(); err != nil {
		return err
	}
	if err := s.checkDevice(); err != nil {
		return err
	}
	axis, err := s.axis()
	if err != nil {
		return err
	}
	own, err := s.byBlock()
	if err != nil {
		return err
	}
	s.b = &session.Binding{
		Given: session.Given{Data: s.Data, Set: s.Set, Names: s.Names, Levels: s.Levels, NA: s.NA,
			Axis: axis, Precision: s.Precision},
		How: session.How{Sampled: len(s.Batch) > 0 ||
			!s.FullBatch && show.Stochastic(own.Sampler) || s.Stream,
			Gibbs: own.Sampler == "gibbs"},
	}
	s.b.Charts = chartsFor(s.e, src, s.Set, &own)
	if err := s.b.Compile(s.e, src); err != nil {
		return err
	}
	if s.keep, err = s.Sample.keep(); err != nil {
		return err
	}
	if err := s.b.Storable(s.keep.Globs); err != nil {
		return err
	}
	if err := s.checkStill(); err != nil {
		return err
	}
	if s.cfg, err = s.settings(s.e, s.b.Compiled, own); err != nil {
		return err
	}
	s.auto = s.cfg.Sampler == "auto"
	if s.dir = s.Out; s.dir == "" {
		if s.dir, err = freshDir(filepath.Join("runs", s.b.Compiled.Spec.Name)); err != nil {
			return err
		}
	}
	if s.Stream {
		s.b.Rows = &session.RowsOptions{
			Block: s.BlockRows, Window: s.Window, Follow: s.Follow, Cache: s.Cache, Dir: s.dir,
		}
	}
	return nil
}

// bind reads the data, and finds the states that chains start from.
func (s *sampling) bind() (err error) {
	if err := s.b.Bind(s.e); err != nil {
		return err
	}
	if err := drawsRows(s.b, s.e, s.ctx, s.Sample, &s.cfg, s.keep); err != nil {
		return err
	}
	if err := s.b.Moves(); err != nil {
		return err
	}
	noteCollinear(s.e, s.b)
	if err := s.passes(&s.cfg, s.b.Target.Rows()); err != nil {
		return err
	}
	if err := s.b.HoldOut(s.e, "--held-out", s.HeldOut, s.Set); err != nil {
		return err
	}
	s.cfg.Init, err = s.start(s.e, s.b, &s.cfg)
	return err
}

// resolve decides whether the run finds by itself how it samples, and settles all settings
// of a run that does not.
func (s *sampling) resolve() (err error) {
	if s.Surrogate {
		return s.onSurrogate()
	}
	s.planned, s.why, err = s.plans(s.e, s.ctx, s.b, &s.cfg, s.keep)
	if err != nil {
		return err
	}
	if err := s.deviceTakes(); err != nil {
		return err
	}
	s.full = s.cfg
	pairs := settings.InPairs(s.cfg.Sampler)
	if s.planned && pairs {
		s.full = s.cfg.WithoutAnchor(s.b.Target)
	}
	if !s.planned || pairs { // plans has resolved the others
		if s.full, err = s.full.Resolve(s.b.Target); err != nil {
			return session.Refused(err)
		}
	}
	if s.planned {
		s.b.Planned = driver.Planned{
			Evaluators: tall.Evaluators(s.Threads),
			Bytes:      tall.Memory(s.b.Target.Rows(), s.b.Target.Dim()),
		}
		return nil
	}
	s.cfg = s.full
	s.unplanned(s.e, s.why)
	return nil
}

// record makes the record of the run, and refuses one that memory or disk have no space for.
func (s *sampling) record() (*run.Record, error) {
	if err := s.b.Fits(s.cfg.Chains, s.Threads); err != nil {
		return nil, err
	}
	if err := s.b.Keeps(s.keep.Globs); err != nil {
		return nil, err
	}
	r := s.b.Record(s.cfg)
	if s.planned {
		r.RowDim = s.b.Target.RowAxis()
	}
	r.Passes, r.Surrogate = s.Passes, s.surrogateRecord()
	if err := s.b.Index(r, s.dir); err != nil {
		return nil, err
	}
	r.Threads, r.Chunk, r.CheckpointEvery = s.Threads, s.Chunk, s.Checkpoint
	r.Keep, r.KeepLast, r.KeepMoments = s.keep.Globs, s.keep.Last, s.keep.Moments
	r.Reservoir, r.Sketch = s.keep.Reservoir, s.b.Entries(s.keep)
	r.HeldOut = s.b.HeldOut(s.HeldEvery)
	stored := *r
	stored.Settings = s.full
	if err := run.Room(s.dir, s.b.Target, &stored); err != nil {
		return nil, session.OwnStatus(err)
	}
	if r.LogLik = s.LogLik; s.LogLik {
		if err := s.b.LoglikFits(s.e, s.dir, &s.full, s.keep); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// tellMethod notes which samplers a run without a plan has, where they were not given, and
// which rows each step reads.
func (s *sampling) tellMethod() {
	e, b, cfg := s.e, s.b, &s.cfg
	if s.auto || len(cfg.Blocks) > 0 {
		text := "sampler " + cfg.Methods()
		if len(cfg.Blocks) == 0 && cfg.Thermostat != "" {
			text += ", thermostats: " + cfg.Thermostat
		}
		e.Note("%s", text)
	}
	rows := b.Target.Rows()
	if s.Surrogate {
		s.tellSurrogate()
		return
	}
	switch {
	case rows == 0:
		return
	case cfg.Batch > 0:
		e.Note("%s", minibatches(cfg.Batch, cfg.BatchOrder, rows, b.Target.RowAxis()))
		return
	}
	how := b.Target.PassNote()
	if how != "" {
		how = ", " + how
	}
	e.Note("all %d rows of %s at every step%s", rows, b.Target.RowAxis(), how)
	row, _ := table.Lookup(cfg.Sampler)
	if row.Metropolis && slowPass(b.Target.PassCost(), b.Target.Dim()) {
		e.Note("a full pass is slow here; minibatches may be faster by far: --batch %s=%d",
			b.Target.RowAxis(), min(100, rows))
	}
}

// slowPass reports whether a gradient on all rows takes some 20 ms or more, at a nanosecond for a
// row and a coordinate. It is a rule of sizes, not a measurement, so that the same command says the
// same.
func slowPass(rows float64, dim int) bool { return rows*float64(dim) > 2e7 }
