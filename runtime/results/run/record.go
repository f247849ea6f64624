package run

import (
	"fmt"

	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/infer/approximate"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/sampler/table"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// A Status says how far a run is.
type Status string

// The statuses of a run. The record of a killed run still has the status Running.
const (
	Running     Status = "running"
	Done        Status = "done"
	Interrupted Status = "interrupted"
	Failed      Status = "failed"
)

// Single is the Precision of runs that compute in single precision.
const Single = "f32"

// A Record is the content of run.json: everything that the draws of a run depend on, and the
// result of the run.
type Record struct {
	State
	Version string `json:"sgppl_version"`
	// ID identifies the run. A directory that is prepared again has a new ID.
	ID string `json:"id"`

	ModelInfo
	DataInfo
	Method
	Storage
	Outcome
	Seals
}

// A State reports whether a run has ended, and how.
type State struct {
	Status Status `json:"status"`
	Error  string `json:"error,omitempty"` // of a failed run
	Exit   int    `json:"exit,omitempty"`  // its exit status
	// NoStart is the number of the chain that found no starting point, if the run failed for that
	// reason; else nil.
	NoStart *int `json:"no_start,omitempty"`
}

// A ModelInfo describes the model of a run and the options that it was compiled with.
type ModelInfo struct {
	Model     string `json:"model"`
	Source    string `json:"model_file"` // as it was named
	ModelHash string `json:"model_hash"` // SHA-256 of model.sg
	RowDim    string `json:"row_dim,omitempty"`
	// Sampled reports whether the latent values of rows were sampled although they could be parameters
	Sampled bool     `json:"sampled,omitempty"`
	Set     []string `json:"set,omitempty"` // --set
	// Charts has the charts that were chosen for params in addition to those that the model declares.
	Charts    map[string]string `json:"charts,omitempty"`
	Precision string            `json:"precision,omitempty"` // of data and gradients; f64 without
}

// A DataInfo is the data of a run: the files with their fingerprints, and how they were read.
type DataInfo struct {
	Inputs []string `json:"inputs,omitempty"` // --data, with absolute paths

	// Stream says that rows are read from their files as they are needed, by the
	// index in the directory; Passes is how many passes were asked for, 0 where
	// the number of draws was.
	Stream bool   `json:"stream,omitempty"`
	Passes int64  `json:"passes,omitempty"`
	Index  []byte `json:"-"` // the content of the index, which Prepare writes
	// Before, unless it is nil, writes the files that every run directory must have. Prepare calls it
	// just before the directory becomes a run.
	Before func() error `json:"-"`

	Names []string `json:"names,omitempty"` // --names, with absolute paths
	// Labels are the names that Names gives, by dim. They have a file of their
	// own, which Prepare writes and Labels reads.
	Labels map[string][]string `json:"-"`
	// Fold describes the rows that a run of a cross-validation leaves out of its data. Other commands
	// must leave them out too.
	Fold string `json:"fold,omitempty"`
	// Levels are the specs of --levels, as given.
	Levels []string `json:"levels,omitempty"`
	// NA is the value of --na, and Dropped describes the rows that it left out, by dim.
	NA      string                  `json:"na,omitempty"`
	Dropped map[string]data.Dropped `json:"dropped,omitempty"`

	Data []format.Fingerprint `json:"data"`
	Dims map[string]int       `json:"dims"`
	// values of data alone, for score and predict
	Constants map[string]Exact `json:"constants,omitempty"`
	// ConstantKeys has their names by digests of what they compute. Names depend on the version and
	// on the sampler. Programs that were generated do not write it.
	ConstantKeys map[string]string `json:"constant_keys,omitempty"`
	Blocks       []string          `json:"blocks"`          // of the axis block in sample_stats
	Types        map[string]string `json:"types,omitempty"` // the type of each param: real, sphere, …
}

// A Method is the sampler or the optimiser of a run, with its settings and what computes it.
type Method struct {
	Seed     uint64           `json:"seed"`
	Settings sampler.Config   `json:"settings,omitzero"`  // of a sampler
	Optimize *optimize.Config `json:"optimize,omitempty"` // of an optimiser; nil of a sampler
	// Tuning is the plan of a run that chose its way of sampling or was asked for an anchor; else nil.
	// SetupSeconds is how long the plan took to compute. Chosen reports whether the run chose its
	// sampler.
	Tuning       *tall.Plan `json:"tuning,omitempty"`
	SetupSeconds float64    `json:"setup_seconds,omitempty"`
	Surrogate    *Surrogate `json:"surrogate,omitempty"` // of a run by a surrogate; else nil
	// Approximate has the settings of a run by an approximation; nil for other runs.
	Approximate *approximate.Config `json:"approximate,omitempty"`
	Chosen      bool                `json:"sampler_chosen,omitempty"`
	// Fixed reports whether the user gave the step or the size of minibatches. The run does not change
	// these by itself then.
	Fixed   bool   `json:"fixed,omitempty"`
	Engine  string `json:"engine"`
	Threads int    `json:"threads"`
	// Device is what took the steps of a run that was asked for one; nil for processors.
	Device *Device `json:"device,omitempty"`
}

// A Device is a graphics processor with what compiled for it. The bits of a run depend on all of
// it.
type Device struct {
	Kind       string `json:"kind"` // cuda
	Name       string `json:"name"`
	Capability string `json:"compute_capability"`
	Driver     string `json:"driver"`   // the version of CUDA that the driver has
	Compiler   string `json:"compiler"` // the version of NVRTC
}

// String is the device as messages name it.
func (d *Device) String() string {
	return fmt.Sprintf("%s with the driver for CUDA %s and NVRTC %s", d.Name, d.Driver, d.Compiler)
}

// A Storage says which results of a run are stored.
type Storage struct {
	Keep []string `json:"keep,omitempty"` // globs of the outputs that are stored; none: all
	// store only this many last draws of each chain; 0: all
	KeepLast int64 `json:"keep_last,omitempty"`
	// store means and variances, and draws only where KeepLast or Reservoir says so
	KeepMoments bool `json:"keep_moments,omitempty"`
	// entries of the quantile sketch of a number, in addition to moments; 0: none
	Sketch int `json:"sketch,omitempty"`
	// store at most this many draws of each chain, evenly spread; 0: no such limit
	Reservoir int64    `json:"reservoir,omitempty"`
	HeldOut   *HeldOut `json:"held_out,omitempty"`
	Chunk     int      `json:"chunk,omitempty"`
	// the log likelihoods of the draws follow the run
	LogLik          bool    `json:"log_lik,omitempty"`
	CheckpointEvery float64 `json:"checkpoint_seconds"`
}

// An Outcome says how far the chains of a run came, and how well they mix.
type Outcome struct {
	Started  string   `json:"started"` // RFC 3339
	Finished string   `json:"finished,omitempty"`
	Seconds  float64  `json:"seconds"` // of sampling, over all parts of an interrupted run
	Chains   []Chain  `json:"chains"`
	Health   []Health `json:"health,omitempty"`
	// Exactness describes how close the draws of a surrogate or of an approximation are to the
	// posterior; nil for other runs.
	Exactness *Exactness `json:"exactness,omitempty"`
	// number of elements for which Health was computed, if there are too many to check them all
	Judged int `json:"judged_numbers,omitempty"`
}

// Seals has digests of the files of a run, which detect damage.
type Seals struct {
	// Digests says that the files of the run have digests; see const Digests.
	Digests string `json:"digests,omitempty"`
	// Files has the digests of the files that are written once, by name.
	Files  map[string]string `json:"files,omitempty"`
	Digest string            `json:"digest,omitempty"` // of run.json itself; the last field
}

// A Chain records the progress of a chain and the results of its warm-up.
type Chain struct {
	Steps   int64   `json:"steps"`
	Draws   int64   `json:"draws"`
	Seconds float64 `json:"seconds"`
	Rows    int64   `json:"rows,omitempty"`  // with --follow: the rows that the chain uses so far
	Found   *Found  `json:"found,omitempty"` // of an optimiser
	// Tuned has the values that the warm-up of a stochastic-gradient sampler chose in place of --step.
	Tuned *sampler.TunedRun `json:"tuned,omitempty"`
	// Adapted has the step and the metric that the warm-up of nuts, hmc or gmc chose.
	Adapted *sampler.Adapted `json:"adapted,omitempty"`
}

// An Outline has the settings that runs of samplers and of optimisers have in common.
type Outline struct {
	Method string // name of the sampler, of all samplers with their params, or of the optimiser
	Chains int
	Draws  int64 // of each chain
	Warmup int64 // steps before the first draw
	Thin   int64 // steps from one draw to the next
	Steps  int64
	Step   float64 // step size h; 0 if the run chooses it
	Seed   uint64
}

// Outline returns the outline of the run.
func (r *Record) Outline() Outline {
	if c := r.Optimize; c != nil {
		return Outline{c.Algorithm, c.Chains, 1, 0, 1, c.Steps, c.Step, c.Seed}
	}
	c := &r.Settings
	return Outline{c.Methods(), c.Chains, c.Draws, c.Warmup, c.Thin, c.Steps(), c.Step, c.Seed}
}

// Still reports whether nothing moves in the run, as its model has no params. Its draws are
// independent of each other.
func (r *Record) Still() bool {
	row, ok := table.Lookup(r.Settings.Sampler)
	return r.Optimize == nil && ok && row.Still
}

// String describes the run in words.
func (o Outline) String() string {
	if o.Draws == 1 && o.Warmup == 0 {
		return fmt.Sprintf("%s, %d chains of %d steps", o.Method, o.Chains, o.Steps)
	}
	return fmt.Sprintf("%s, %d chains of %d warm-up steps and %d draws", o.Method, o.Chains,
		o.Warmup, o.Draws)
}

// Health is a statistic of a block with its expected value and a verdict; see package sampler.
type Health struct {
	Block     string `json:"block"`
	Statistic string `json:"statistic"`
	Value     Float  `json:"value"`
	Expected  Float  `json:"expected"`
	MCSE      Float  `json:"mcse"`
	Verdict   string `json:"verdict"`
}

// String returns a line with the value, the expected value if it is known, and the verdict.
func (h Health) String() string {
	s := fmt.Sprintf("%s %s = %.6g", h.Block, h.Statistic, float64(h.Value))
	if x := float64(h.Expected); x-x == 0 {
		s += fmt.Sprintf(", expected %.6g", x)
	}
	if h.Verdict != "" {
		s += ": " + h.Verdict
	}
	return s
}

func healthOf(rows []sampler.HealthRow) []Health {
	out := make([]Health, len(rows))
	for i, r := range rows {
		out[i] = Health{r.Block, r.Statistic, Float(r.Value), Float(r.Expected), Float(r.MCSE),
			r.Verdict}
	}
	return out
}

// Values returns the constants in the form that package model takes.
func (r *Record) Values() map[string][]float64 {
	out := map[string][]float64{}
	for name, x := range r.Constants {
		out[name] = x
	}
	return out
}
