package run

import (
	"errors"
	"path/filepath"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// Statistics computes the values of sample_stats that a run stores with each draw.
type Statistics struct {
	list []stat
	one  [1]float64
}

// NewStatistics returns the statistics of a sampler with resolved settings on the named blocks.
func NewStatistics(c *sampler.Config, blocks []string) *Statistics {
	return &Statistics{list: statColumns(c, blocks)}
}

// Append appends the numbers of a draw to dst.
func (s *Statistics) Append(dst []float64, of *sampler.Stats) []float64 {
	for i := range s.list {
		dst = append(dst, s.list[i].get(of, &s.one)...)
	}
	return dst
}

// A Memory has the results of a run that was done in memory.
type Memory struct {
	Draws      [][]float64 // by chain: its draws one after another
	Statistics [][]float64 // by chain: the values of Statistics.Append of each draw; nil: none
	Chains     []*sampler.Chain
	Health     []sampler.HealthRow
}

// program is the value of Record.Engine for runs that Save wrote.
const program = "package"

// OfProgram reports whether a program with a generated package made the run. The record of such a
// run names no files of data.
func (r *Record) OfProgram() bool { return r.Engine == program }

// Save writes the results of a run in memory into a new run directory, without checkpoints. The
// record has resolved settings. If the directory exists, the error wraps fs.ErrExist.
func Save(dir string, t target.Target, r *Record, text string, m Memory, now time.Time) error {
	on := files.OS
	r.Engine, r.CheckpointEvery = program, 60
	if err := PrepareOn(on, dir, r, text, false, now); err != nil {
		return err
	}
	unlock, err := Lock(dir)
	if err != nil {
		return err
	}
	defer unlock()
	err = r.save(on, dir, t, m, now)
	var own *Error
	if err != nil && !errors.As(err, &own) {
		err = disk(err)
	}
	if err != nil {
		return r.end(on, dir, Failed, err, now)
	}
	return r.end(on, dir, Done, nil, now)
}

func (r *Record) save(on files.FS, dir string, t target.Target, m Memory, now time.Time) error {
	s := &sink{on: on, dir: dir, cfg: &r.Settings, outputs: t.Outputs(), record: r}
	if m.Statistics != nil {
		s.stats = statColumns(&r.Settings, r.Blocks)
	}
	st, err := s.store(filepath.Join(dir, drawsName), int(r.Settings.Draws), true)
	if err != nil {
		return err
	}
	width, beside := t.OutputLen(), 0
	for i := range s.stats {
		beside += s.stats[i].v.Len()
	}
	for k := range m.Draws {
		a, err := st.Appender(k, 0)
		if err != nil {
			return err
		}
		for i := range len(m.Draws[k]) / max(width, 1) {
			row := m.Draws[k][i*width:]
			for j := range s.outputs {
				o := &s.outputs[j]
				a.Put(j, row[o.Offset:o.Offset+o.Len])
			}
			if s.stats != nil {
				row = m.Statistics[k][i*beside:]
			}
			for j := range s.stats {
				n := s.stats[j].v.Len()
				a.Put(len(s.outputs)+j, row[:n])
				row = row[n:]
			}
			if err := a.Next(); err != nil {
				return err
			}
		}
		if err := a.Close(); err != nil {
			return err
		}
	}
	if err := closeStores([]*trace.Store{st}, true); err != nil {
		return err
	}
	for k := range r.Chains {
		r.Chains[k] = Chain{Steps: r.Settings.Steps(), Draws: r.Settings.Draws}
		if k < len(m.Chains) {
			c := m.Chains[k]
			r.Chains[k].Steps, r.Chains[k].Tuned, r.Chains[k].Adapted = c.Steps(), c.Tuned(),
				c.Adapted()
		}
	}
	r.Finished = now.Format(time.RFC3339)
	rows, looked, all, err := Convergence(dir, r)
	if r.Health = append(healthOf(m.Health), rows...); looked < all {
		r.Judged = looked
	}
	return err
}

// Take copies the values of a plan by minibatches with an anchor into the settings of a run.
func (r *Record) Take(t target.Target, p tall.Plan) {
	c := &r.Settings
	c.Sampler, c.Scheme, c.Anchor, c.Thermostat = "sghmc", "split", p.Anchor, ""
	if chart.Curved(t) {
		c.Sampler = "geodesic_sghmc"
	}
	c.Step, c.Friction, c.Batch, c.BatchOrder, c.FullBatch = p.Step, p.Friction, p.Batch, p.Order,
		false
	c.Thin, c.LogDensityEstimate = int64(p.Every), false
	r.Tuning = &p
}

// Verdicts returns the rows of health of a record in the type of package sampler.
func (r *Record) Verdicts() []sampler.HealthRow {
	out := make([]sampler.HealthRow, len(r.Health))
	for i, h := range r.Health {
		out[i] = sampler.HealthRow{Block: h.Block, Statistic: h.Statistic, Value: float64(h.Value),
			Expected: float64(h.Expected), MCSE: float64(h.MCSE), Verdict: h.Verdict}
	}
	return out
}
