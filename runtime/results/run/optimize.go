package run

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"sync"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/loop"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/results/predictive"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// The additional stores of a run of an optimiser. draws.zarr has one draw per chain, the best
// point, so that readers of a sampler's run can read it. points.zarr has two draws per chain: the
// last iterate and the average. iterates.zarr has the iterates that the settings ask for.
const (
	pointsName   = "points.zarr"
	iteratesName = "iterates.zarr"
)

// PointNames returns the names of the points that a run of an optimiser stores.
func PointNames() []string { return optimize.Kinds }

// PointStore returns the path of the store that has the named point of a run of an optimiser. The
// draws from … to−1 of each chain in it are the point; to is −1 for all draws. ok is false if the
// run does not have the point.
func PointStore(dir string, r *Record, point string) (path string, from, to int, ok bool) {
	switch point {
	case optimize.Best.String():
		return filepath.Join(dir, drawsName), 0, 1, true
	case optimize.Last.String():
		return filepath.Join(dir, pointsName), 0, 1, true
	case optimize.Average.String():
		return filepath.Join(dir, pointsName), 1, 2, true
	case optimize.Iterate.String():
		return filepath.Join(dir, iteratesName), 0, -1, r.Optimize != nil && r.Optimize.Iterates > 0
	}
	return "", 0, 0, false
}

// A Found describes the points that a chain of an optimiser found.
type Found struct {
	Step int64 `json:"step"` // at which the best point was reached
	// Early says that the chain ended before its last step, out of patience.
	Early bool      `json:"early,omitempty"`
	Best  PointInfo `json:"best"`
	Last  PointInfo `json:"last"`
	Mean  PointInfo `json:"average"`
}

// PointInfo describes a point: its log density with all rows, in the model's own coordinates, and
// the mean log likelihood of a held-out row, which is null without held-out rows.
type PointInfo struct {
	LP      Float `json:"lp"`
	HeldOut Float `json:"held_out"`
	// Score is the score of the held-out rows by the point; nil without held-out rows.
	Score *Score `json:"score,omitempty"`
}

// points is the stage of a run of an optimiser. It writes the points of the chains into the stores
// of the run.
type points struct {
	on      files.FS
	dir     string
	record  *Record
	outputs []target.Output // the outputs that are stored
	chains  []*pointChain
	stores  []*trace.Store
	events  func(Event)
	lock    sync.Mutex // of events and record
	seconds []float64  // of each chain before this part of the run
	held    target.Target
	rows    *predictive.Rows // of held; nil without held-out rows
	resume  [][]byte
	ran     []*optimize.Chain
}

type pointChain struct {
	best, points, iterates *trace.Appender
	checks                 *trace.Appender
	one                    [1]float64 // space for a statistic
	state                  []byte     // space for a checkpoint
}

// pointStats are the arrays of sample_stats that every algorithm has.
var pointStats = []struct {
	name, doc string
	dtype     trace.DType
	get       func(s *optimize.Stats) float64
}{
	{"step", "steps taken to the point", trace.Int64,
		func(s *optimize.Stats) float64 { return float64(s.Step) }},
	{"step_size", "h of the last of them", "",
		func(s *optimize.Stats) float64 { return s.StepSize }},
	{"temperature", "T of the last of them", "",
		func(s *optimize.Stats) float64 { return s.Temperature }},
	{"lp", "log density in the model's coordinates, with all rows", "",
		func(s *optimize.Stats) float64 { return s.Objective }},
	{"held_out", "mean log likelihood of a held-out row", "",
		func(s *optimize.Stats) float64 { return s.HeldOut }},
}

// openPoints makes the stores, or opens them, and reads the checkpoints.
func openPoints(
	on files.FS, dir string, t target.Target, r *Record, now time.Time,
) (*points, error) {
	c := r.Optimize
	s := &points{on: on, dir: dir, record: r, outputs: kept(t.Outputs(), r.Keep),
		resume: make([][]byte, c.Chains)}
	if m, ok := t.(*model.Model); ok && m.HeldOut != nil {
		s.held, s.rows = m.HeldOut, predictive.Of(m.HeldOut)
	}
	if r.HeldOut != nil && s.held == nil {
		return nil, fail(exitFiles, "the run has held-out rows, and they were not given")
	}
	from, fresh := make([]checkpoint, c.Chains), true
	for k := range from {
		var err error
		if from[k], err = readCheckpoint(on, dir, k); err != nil {
			return nil, err
		}
		if s.resume[k] = from[k].state; from[k].state != nil {
			// the checkpoint is checked before a store is rewound to it
			if _, err := optimize.ResumeChain(t, s.held, *c, k, from[k].state); err != nil {
				return nil, classify(fmt.Errorf("%s: %w", trace.CheckpointPath(dir, k), err))
			}
			fresh = false
		}
		s.seconds = append(s.seconds, r.Chains[k].Seconds)
		s.chains = append(s.chains, &pointChain{})
	}
	for _, x := range []struct {
		name  string
		draws int
		at    func(k int) (**trace.Appender, int)
	}{
		{drawsName, 1, func(k int) (**trace.Appender, int) { return &s.chains[k].best, 0 }},
		{pointsName, 2, func(k int) (**trace.Appender, int) { return &s.chains[k].points, 0 }},
		{iteratesName, int(c.Iterates),
			func(k int) (**trace.Appender, int) { return &s.chains[k].iterates, from[k].draws }},
		{checksName, s.traced(),
			func(k int) (**trace.Appender, int) { return &s.chains[k].checks, from[k].warmup }},
	} {
		if x.draws == 0 {
			continue
		}
		vars := s.variables()
		if x.name == checksName {
			vars = s.checked()
		}
		st, err := openStore(on, filepath.Join(dir, x.name), r, vars, x.draws, fresh)
		if err != nil {
			return nil, err
		}
		s.stores = append(s.stores, st)
		for k := range s.chains {
			to, n := x.at(k)
			if *to, err = st.Appender(k, n); err != nil {
				return nil, disk(err)
			}
		}
	}
	if !fresh {
		logLine(on, dir, now, "resumed")
	}
	return s, nil
}

// variables returns the arrays of the stores of points.
func (s *points) variables() []trace.Variable {
	var vars []trace.Variable
	for _, o := range s.outputs {
		vars = append(vars, trace.Variable{Group: "posterior", Name: o.Name, Doc: o.Doc,
			Dims: o.Dims, Shape: o.Shape})
	}
	return append(vars, statsOfPoints()...)
}

func statsOfPoints() []trace.Variable {
	var vars []trace.Variable
	for _, c := range pointStats {
		v := trace.Variable{Group: "sample_stats", Name: c.name, Doc: c.doc}
		v.DType = c.dtype
		vars = append(vars, v)
	}
	return vars
}

// PointsFit returns an error if the stores of a run of an optimiser would not fit on the disk of
// dir. See Room.
func PointsFit(dir string, t target.Target, r *Record) error {
	c := r.Optimize
	if c.Chains > MaxChains {
		return fail(exitUsage, setting.Text("{chains}: %d is above %d"), c.Chains, MaxChains)
	}
	one := float64(len(pointStats))
	for _, o := range kept(t.Outputs(), r.Keep) {
		one += float64(o.Len)
	}
	n := float64(one * float64(c.Chains) * (3 + float64(c.Iterates)))
	if c.Trace {
		n += float64(float64(len(pointStats)+1) * float64(c.Chains) * float64(c.Checks()))
	}
	return Fits(dir, float64(8*n)+float64(fileBytes*float64(c.Chains)),
		setting.Sprintf("{iterates}: the points of %d chains are %.3g numbers, and", c.Chains, n))
}

func (s *points) run(ctx context.Context, t target.Target, o loop.Options) (err error) {
	o.Resume = s.resume
	s.ran, err = optimize.Run(ctx, t, s.held, *s.record.Optimize, s, o)
	return err
}

func (s *points) listen(events func(Event), _ bool) { s.events = events }

// Point implements optimize.Sink.
func (s *points) Point(chain int, kind optimize.Kind, out []float64, stats *optimize.Stats) error {
	c := s.chains[chain]
	if kind == optimize.Check {
		return s.check(c, out, stats)
	}
	a := c.points
	switch kind {
	case optimize.Best:
		a = c.best
	case optimize.Iterate:
		a = c.iterates
	}
	for i := range s.outputs {
		o := &s.outputs[i]
		a.Put(i, out[o.Offset:o.Offset+o.Len])
	}
	for i := range pointStats {
		c.one[0] = pointStats[i].get(stats)
		a.Put(len(s.outputs)+i, c.one[:])
	}
	if err := a.Next(); err != nil {
		return disk(err)
	}
	if kind == optimize.Iterate {
		return nil
	}
	info := PointInfo{Float(stats.Objective), Float(stats.HeldOut), s.score(out)}
	s.lock.Lock()
	defer s.lock.Unlock()
	f := s.record.Chains[chain].Found
	if f == nil || kind == optimize.Best {
		nan := PointInfo{LP: Float(math.NaN()), HeldOut: Float(math.NaN())}
		f = &Found{Best: nan, Last: nan, Mean: nan}
		s.record.Chains[chain].Found = f
	}
	switch kind {
	case optimize.Best:
		f.Best, f.Step = info, stats.Step
	case optimize.Last:
		f.Last = info
		f.Early = stats.Step < s.record.Optimize.Steps
	case optimize.Average:
		f.Mean = info
	}
	return nil
}

// score is that of the held-out rows by a point; nil without any.
func (s *points) score(out []float64) *Score {
	if s.rows == nil {
		return nil
	}
	one := s.rows.Running(1)
	if one.Add(0, out); one.Skipped > 0 {
		return nil
	}
	return ScoreOf(one.Average().Score(nil), s.rows)
}

// Progress implements optimize.Sink.
func (s *points) Progress(p optimize.Progress) {
	s.lock.Lock()
	defer s.lock.Unlock()
	c := &s.record.Chains[p.Chain]
	c.Steps, c.Seconds = p.Step, s.seconds[p.Chain]+p.Elapsed.Seconds()
	if s.events == nil {
		return
	}
	e := Event{Event: "progress", Chain: p.Chain, Step: p.Step, Steps: p.Steps,
		Seconds:  p.Elapsed.Seconds(),
		StepSize: Float(p.StepSize), LogDensity: Float(p.LPEst), Health: []Health{},
		Criterion: &Criterion{Of: "lp", Last: Float(p.Criterion), Best: Float(p.Best),
			Step: p.BestStep, Temperature: Float(p.Temperature)}}
	if p.Held {
		e.Criterion.Of = "held_out"
	}
	if p.Done {
		e.Event = "end"
	}
	e.rates(p.Taken, p.Rows)
	s.events(e)
}

// Checkpoint implements optimize.Sink. It makes the stored iterates and checks durable before it
// writes the checkpoint that counts them. The best point, the last iterate and the average are
// written after the last checkpoint, and written again if the chain is resumed.
func (s *points) Checkpoint(chain int, state []byte) error {
	c := s.chains[chain]
	n, checks := 0, 0
	for _, a := range []*trace.Appender{c.best, c.points, c.iterates, c.checks} {
		// the stores too are opened again
		if a == nil {
			continue
		}
		if err := a.Sync(); err != nil {
			return disk(err)
		}
	}
	if c.iterates != nil {
		n = c.iterates.Len()
	}
	if c.checks != nil {
		checks = c.checks.Len()
	}
	c.state = binary.LittleEndian.AppendUint64(c.state[:0], uint64(n))
	c.state = binary.LittleEndian.AppendUint64(c.state, uint64(checks))
	c.state = append(c.state, state...)
	return disk(trace.WriteCheckpoint(s.on, trace.CheckpointPath(s.dir, chain), checkpointVersion,
		c.state))
}

func (s *points) close(err error) error {
	keep := func(e error) {
		if err == nil && e != nil {
			err = disk(e)
		}
	}
	for _, c := range s.chains {
		for _, a := range []*trace.Appender{c.best, c.points, c.iterates, c.checks} {
			if a != nil {
				keep(a.Close())
			}
		}
	}
	keep(closeStores(s.stores, err == nil))
	return err
}

// finish writes how the run ended and returns its error.
func (s *points) finish(err error, now time.Time) error {
	r := s.record
	r.Finished = now.Format(time.RFC3339)
	for _, c := range s.ran {
		k := c.Number()
		r.Chains[k].Steps = c.Steps()
		if r.Chains[k].Draws = 0; s.chains[k].best.Len() > 0 {
			r.Chains[k].Draws = 1
		}
	}
	switch {
	case err == nil:
		return r.end(s.on, s.dir, Done, nil, now)
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return r.end(s.on, s.dir, Interrupted, err, now)
	}
	return r.end(s.on, s.dir, Failed, classify(err), now)
}

// BestChain returns the number of the chain of an optimiser whose best point has the largest
// criterion, or −1 if no chain has a point. The criterion is the held-out log likelihood if there
// are held-out rows, and else the log density.
func (r *Record) BestChain() int {
	best := -1
	for k, c := range r.Chains {
		if c.Found == nil {
			continue
		}
		if best < 0 || r.criterion(k) > r.criterion(best) || math.IsNaN(r.criterion(best)) {
			best = k
		}
	}
	return best
}

func (r *Record) criterion(chain int) float64 {
	best := r.Chains[chain].Found.Best
	if r.HeldOut == nil {
		return float64(best.LP)
	}
	return float64(best.HeldOut)
}
