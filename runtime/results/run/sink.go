package run

import (
	"fmt"
	"math"
	"path"
	"sync"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/math/special"
	"github.com/sgppl/sgppl/runtime/results/predictive"
	"github.com/sgppl/sgppl/runtime/results/sketch"
	"github.com/sgppl/sgppl/runtime/results/trace"
)

// A sink writes the draws and statistics of chains into the stores of a run. Every chain has its
// own appenders, so chains write concurrently.
type sink struct {
	on      files.FS
	dir     string
	only    []int // chains that run; nil: all
	cfg     *sampler.Config
	outputs []target.Output // the outputs that are stored
	stats   []stat
	chains  []*chainSink
	events  func(Event)
	lock    sync.Mutex // of events and record
	record  *Record
	seconds []float64 // of each chain before this part of the run
	resume  [][]byte  // checkpoints to go on from
	ran     []*sampler.Chain
	stores  []*trace.Store
	waits   waiting
	once    bool             // all is made durable at the end at once; see settle
	durable chan error       // gets the error of that
	rows    *predictive.Rows // the held-out rows; nil without
	series  Series           // the averages over rows, as of the last checkpoints
}

type chainSink struct {
	draws, warmup *trace.Appender
	one           [1]float64        // space for a statistic
	moments       *moments          // nil where they are not kept
	thinned       *sketch.Reservoir // nil where all draws are stored, or the last ones
	running       *predictive.Running
	window        *window // nil where nobody watches
	state         []byte  // space for the head of a checkpoint
}

// A stat is an array of sample_stats, with the function that returns its values for a draw.
type stat struct {
	v   trace.Variable
	get func(s *sampler.Stats, one *[1]float64) []float64
}

func number(name, doc string, get func(s *sampler.Stats) float64) stat {
	return stat{trace.Variable{Group: "sample_stats", Name: name, Doc: doc},
		func(s *sampler.Stats, one *[1]float64) []float64 {
			one[0] = get(s)
			return one[:]
		}}
}

func perBlock(name, doc string, blocks int, get func(s *sampler.Stats) []float64) stat {
	v := trace.Variable{Group: "sample_stats", Name: name, Doc: doc, Dims: []string{"block"},
		Shape: []int{blocks}}
	return stat{v, func(s *sampler.Stats, _ *[1]float64) []float64 { return get(s) }}
}

// statColumns returns the arrays of sample_stats for a sampler with resolved settings.
func statColumns(cfg *sampler.Config, blocks []string) []stat {
	if _, is := approximate.Lookup(cfg.Sampler); is {
		return approximationColumns()
	}
	row, _ := table.Lookup(cfg.Sampler)
	n := len(blocks)
	step := number("step_size", "h of the last step",
		func(s *sampler.Stats) float64 { return s.StepSize })
	temperature := number("temperature", "T: the draws are of π^{1/T}",
		func(s *sampler.Stats) float64 { return s.Temperature })
	if len(cfg.Blocks) > 0 {
		step = perBlock("step_size",
			fmt.Sprintf("h of the last step of each of the blocks %v", blocks), n,
			func(s *sampler.Stats) []float64 { return s.StepSizes })
		temperature = perBlock("temperature", fmt.Sprintf("T of each of the blocks %v", blocks), n,
			func(s *sampler.Stats) []float64 { return s.Temperatures })
	}
	if row.Still {
		return []stat{number("lp", "0, as nothing moves",
			func(*sampler.Stats) float64 { return 0 })}
	}
	if row.Conditionals {
		return []stat{number("lp", "log density in the state's coordinates, with latent values",
			func(s *sampler.Stats) float64 { return s.LPEst })}
	}
	out := []stat{
		step, temperature,
		number("grad_norm", "length of the last step's gradient, scaled to all rows",
			func(s *sampler.Stats) float64 { return s.GradNorm }),
		number("batch_size", "rows of the last step",
			func(s *sampler.Stats) float64 { return float64(s.BatchSize) }),
	}
	out[3].v.DType = trace.Int64
	lp := func(s *sampler.Stats) float64 { return s.LP }
	if !cfg.LogDensity && cfg.Batch == 0 { // the estimate is of all rows then
		lp = func(s *sampler.Stats) float64 { return s.LPEst }
	}
	if cfg.LogDensity || cfg.LogDensityEstimate && cfg.Batch == 0 {
		out = append(out, number("lp", "log density in the state's coordinates, with all rows", lp))
	}
	if cfg.LogDensityEstimate {
		out = append(out, number("lp_est",
			"estimate of the log density from the last step's minibatch",
			func(s *sampler.Stats) float64 { return s.LPEst }))
	}
	if !cfg.Velocities() {
		return out
	}
	if row.Metropolis {
		return append(out, trajectoryColumns(row, blocks)...)
	}
	out = append(out, perBlock("kinetic_temperature",
		fmt.Sprintf("‖v‖²/d of each of the blocks %v", blocks), n,
		func(s *sampler.Stats) []float64 { return s.Kinetic }))
	return append(out, perBlock("xi",
		fmt.Sprintf("mean thermostat, or the friction, of each of the blocks %v", blocks), n,
		func(s *sampler.Stats) []float64 { return s.Xi }))
}

// trajectoryColumns returns the additional arrays of samplers with a Metropolis test, under the
// names that ArviZ uses.
func trajectoryColumns(row *table.Row, blocks []string) []stat {
	diverging := number("diverging", "the last trajectory's energy had no bound",
		func(s *sampler.Stats) float64 { return special.Bool(s.Diverging) })
	diverging.v.DType = trace.Bool
	steps := number("n_steps", "leapfrog steps of the last trajectory",
		func(s *sampler.Stats) float64 { return float64(s.Leapfrogs) })
	steps.v.DType = trace.Int64
	if !row.Tree {
		return []stat{
			perBlock("kinetic_temperature", fmt.Sprintf("‖v‖²/d of each of the blocks %v", blocks),
				len(blocks), func(s *sampler.Stats) []float64 { return s.Kinetic }),
			diverging, steps,
			number("acceptance_rate", "probability of the last Metropolis test",
				func(s *sampler.Stats) float64 { return s.Acceptance }),
		}
	}
	depth := number("tree_depth", "doublings of the last trajectory",
		func(s *sampler.Stats) float64 { return float64(s.Depth) })
	depth.v.DType = trace.Int64
	deepest := number("reached_max_treedepth", "the last trajectory was as deep as may be",
		func(s *sampler.Stats) float64 { return special.Bool(s.Deepest) })
	deepest.v.DType = trace.Bool
	return []stat{
		diverging, steps, depth, deepest,
		number("acceptance_rate", "mean probability of acceptance over the last trajectory",
			func(s *sampler.Stats) float64 { return s.Acceptance }),
		number("energy", "Hamiltonian at the draw: the kinetic energy minus lp",
			func(s *sampler.Stats) float64 { return s.Energy }),
	}
}

// kept returns the outputs whose names match one of the globs, or all outputs if there are no
// globs.
func kept(outputs []target.Output, globs []string) []target.Output {
	if len(globs) == 0 {
		return outputs
	}
	var out []target.Output
	for _, o := range outputs {
		for _, g := range globs {
			if Match(g, o.Name) {
				out = append(out, o)
				break
			}
		}
	}
	return out
}

// variables returns the arrays of a store of draws.
func (s *sink) variables() []trace.Variable {
	var vars []trace.Variable
	for _, o := range s.stored() {
		vars = append(vars, trace.Variable{Group: "posterior", Name: o.Name, Doc: o.Doc,
			Dims: o.Dims, Shape: o.Shape})
	}
	for _, c := range s.stats {
		vars = append(vars, c.v)
	}
	if s.record.Reservoir > 0 {
		vars = append(vars, trace.Variable{Group: "sample_stats", Name: "draw_number",
			Doc: "number of the draw among all of its chain, from 0", DType: trace.Int64})
	}
	if s.record.KeepMoments {
		vars = append(vars, momentVariables(s.outputs, s.record.Sketch)...)
	}
	return vars
}

// stored returns the outputs whose draws are stored: none if the run stores moments alone.
func (s *sink) stored() []target.Output {
	if s.record.KeepMoments && s.record.KeepLast == 0 && s.record.Reservoir == 0 {
		return nil
	}
	return s.outputs
}

// length returns the number of draws of each chain that are stored.
func (s *sink) length() int64 {
	return s.record.stored(s.cfg.Draws)
}

// Draw implements sampler.Sink.
func (s *sink) Draw(chain int, index int64, out []float64, stats *sampler.Stats) error {
	c := s.chains[chain]
	a := c.draws
	if stats.Warmup {
		a = c.warmup
	} else {
		if c.moments != nil {
			c.moments.sketch.Add(out)
		}
		if c.running != nil {
			c.running.Add(index, out)
		}
		if c.window != nil {
			c.window.add(index, out)
		}
	}
	if c.thinned != nil && !stats.Warmup && !c.thinned.Takes(index) {
		return nil
	}
	stored := s.stored()
	for i := range stored {
		o := &stored[i]
		a.Put(i, out[o.Offset:o.Offset+o.Len])
	}
	for i := range s.stats {
		a.Put(len(stored)+i, s.stats[i].get(stats, &c.one))
	}
	if c.thinned != nil && !stats.Warmup {
		a.PutScalar(len(stored)+len(s.stats), float64(index))
	}
	return disk(a.Next())
}

// Progress implements sampler.Sink.
func (s *sink) Progress(p sampler.Progress) {
	s.lock.Lock()
	defer s.lock.Unlock()
	if p.Done {
		s.waits.end(p.Chain)
	}
	s.record.Chains[p.Chain] = Chain{Steps: p.Step, Draws: p.Draws,
		Seconds: s.seconds[p.Chain] + p.Elapsed.Seconds(), Rows: p.Known}
	if s.events != nil {
		e := eventOf(p, s.cfg)
		e.HeldOut = s.heldOutEvent(p.Chain)
		if w := s.chains[p.Chain].window; w != nil {
			e.Drawn = w.tell()
		}
		s.events(e)
	}
}

// extras makes the moments, the reservoir and the held-out averages of a chain, and restores them
// from its checkpoint.
func (s *sink) extras(c *chainSink, chain int, p checkpoint) error {
	var err error
	if s.record.KeepMoments {
		draws := s.cfg.Draws
		if s.record.Anchored() || s.record.Surrogate != nil { // it finds how many it takes
			draws = math.MaxInt64
		}
		if c.moments = newMoments(s.outputs, s.record.Sketch, draws); p.state != nil {
			err = c.moments.sketch.UnmarshalBinary(p.moments)
		}
	}
	if s.record.Reservoir > 0 {
		c.thinned = sketch.NewReservoir(s.record.Reservoir, s.cfg.Draws, s.cfg.Seed, chain)
	}
	if s.rows != nil {
		if c.running = s.rows.Running(s.record.HeldOut.Every); p.state != nil && err == nil {
			err = c.running.UnmarshalBinary(p.running)
		}
	}
	if err != nil {
		return fail(exitFiles, "%s: %v", trace.CheckpointPath(s.dir, chain), err)
	}
	return nil
}

// Match reports whether a name matches a glob, in which only * and ? are special.
func Match(glob, name string) bool {
	var b []byte
	for i := 0; i < len(glob); i++ {
		if c := glob[i]; c == '[' || c == ']' || c == '\\' {
			b = append(b, '\\')
		}
		b = append(b, glob[i])
	}
	ok, err := path.Match(string(b), name)
	return err == nil && ok
}
