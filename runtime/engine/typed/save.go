package typed

import (
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"time"

	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
	"github.com/sgppl/sgppl/runtime/results/run"
)

// A made says how the draws of a set were made.
type made struct {
	settings   sampler.Config // resolved
	plan       *tall.Plan     // of minibatches with an anchor; else nil
	auto       bool           // the sampler was found
	chains     []*sampler.Chain
	statistics [][]float64
	began      time.Time
	seconds    float64
	loaded     *run.Record // of draws that were read; else nil

	approximation *approximate.Config // of draws of an approximation; else nil
	exactness     *run.Exactness      // of these
}

// A gatherer appends the draws of each chain, and the statistics that a run stores with them, to
// slices of the chain.
type gatherer struct {
	*sampler.Draws
	how     *made
	columns []*run.Statistics
}

// gather makes a gatherer for chains with resolved settings.
func gather(t target.Target, c sampler.Config) *gatherer {
	g := &gatherer{Draws: &sampler.Draws{Outputs: t.Outputs(), Width: t.OutputLen(),
		Chains: make([][]float64, c.Chains)},
		how: &made{settings: c, statistics: make([][]float64, c.Chains), began: time.Now()}}
	for range c.Chains {
		g.columns = append(g.columns, run.NewStatistics(&c, blocks(t)))
	}
	return g
}

func blocks(t target.Target) []string {
	var names []string
	for _, b := range t.Blocks() {
		names = append(names, b.Name)
	}
	return names
}

// Draw implements sampler.Sink.
func (g *gatherer) Draw(chain int, _ int64, out []float64, s *sampler.Stats) error {
	g.Chains[chain] = append(g.Chains[chain], out...)
	g.how.statistics[chain] = g.columns[chain].Append(g.how.statistics[chain], s)
	return nil
}

// Progress implements sampler.Sink.
func (*gatherer) Progress(sampler.Progress) {}

// Checkpoint implements sampler.Sink.
func (*gatherer) Checkpoint(int, []byte) error { return nil }

// set is what was gathered.
func (g *gatherer) set(chains []*sampler.Chain, health []sampler.HealthRow) *Set {
	g.Health, g.how.chains = health, chains
	g.how.seconds = time.Since(g.how.began).Seconds()
	return &Set{draws: g.Draws, how: g.how}
}

// Save writes the draws into a new run directory, which the commands of sgppl read: summary,
// report, export and, given data, score and predict.
func (s *Set) Save(dir string, m *model.Model) error {
	if s.how.loaded != nil {
		return fmt.Errorf("cannot save in %s: these draws were read from a run directory, which has them",
			dir)
	}
	r := &run.Record{}
	r.Version, r.Model, r.Source, r.RowDim, r.Set = m.Spec.Version, m.Spec.Name, m.Spec.Name+".sg",
		m.RowAxis(), m.Spec.Set
	r.Sampled, r.Dims, r.Constants, r.Types, r.Blocks = m.Spec.Chain != nil, m.Dims,
		map[string]run.Exact{}, map[string]string{}, blocks(m)
	r.Settings, r.Chosen, r.Seconds = s.how.settings, s.how.auto, s.how.seconds
	r.Approximate, r.Exactness = s.how.approximation, s.how.exactness
	if m.Spec.Single {
		r.Precision = run.Single
	}
	for name, x := range m.Constants {
		r.Constants[name] = x
	}
	for i := range m.Spec.Params {
		r.Types[m.Spec.Params[i].Name] = m.Spec.Params[i].Support
	}
	if s.how.plan != nil {
		r.Take(m, *s.how.plan)
		r.Settings.Warmup = s.how.settings.Warmup
	}
	r.Settings.Draws = int64(s.Len())
	err := run.Save(dir, m, r, m.Spec.Text,
		run.Memory{Draws: s.draws.Chains, Statistics: s.how.statistics, Chains: s.how.chains,
			Health: s.draws.Health}, time.Now())
	if errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("cannot save in %s: it exists, and no run is replaced: %w", dir,
			fs.ErrExist)
	}
	return err
}

// Load reads the draws of a run directory, which this package or sgppl has written for the
// same model text. Data of other sizes than the run's are refused.
func Load(dir string, m *model.Model) (*Set, error) {
	r, err := run.Read(dir)
	if err != nil {
		return nil, err
	}
	text, err := run.ReadModel(dir, r)
	if err != nil {
		return nil, err
	}
	switch {
	case text != m.Spec.Text:
		return nil, fmt.Errorf("%s is a run of another model text than this package was made of", dir)
	case r.Optimize != nil:
		return nil, fmt.Errorf("%s is a run of sgppl optimize: it has points, and no draws", dir)
	case !slices.Equal(r.Set, m.Spec.Set) && len(m.Spec.Set) > 0:
		return nil, fmt.Errorf("%s is a run with other constants (%v) than this package was made with "+
			"(%v)", dir, r.Set, m.Spec.Set)
	}
	store, err := run.OpenDraws(dir, r)
	if err != nil {
		return nil, err
	}
	n, err := store.Common()
	if err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("%s: the run has no draws that all its chains have", dir)
	}
	d := &sampler.Draws{Outputs: m.Outputs(), Width: m.OutputLen(),
		Chains: make([][]float64, store.Chains()), Health: r.Verdicts()}
	for k := range d.Chains {
		d.Chains[k] = make([]float64, n*d.Width)
	}
	for _, o := range d.Outputs {
		v, has := store.Lookup("posterior", o.Name)
		if !has {
			return nil, fmt.Errorf("%s does not have the draws of %s: the run stored only what "+
				"it was told to keep", dir, o.Name)
		}
		if !slices.Equal(v.Shape, o.Shape) {
			return nil, fmt.Errorf("%s: %s has the shape %v in the run, and %v with these data",
				dir, o.Name, v.Shape, o.Shape)
		}
		a, err := store.Read("posterior", o.Name)
		if err != nil {
			return nil, err
		}
		for k := range d.Chains {
			for i := range n {
				copy(d.Chains[k][i*d.Width+o.Offset:][:o.Len], a.At(k, i))
			}
		}
	}
	return &Set{draws: d, how: &made{loaded: r}}, nil
}
