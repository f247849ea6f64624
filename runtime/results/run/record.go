package run

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	files "github.com/sgppl/sgppl/runtime/base/disk"
	"github.com/sgppl/sgppl/runtime/engine/data"
	"github.com/sgppl/sgppl/runtime/engine/data/format"
	"github.com/sgppl/sgppl/runtime/infer/optimize"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/infer/tall"
)

// A Status says how far a run is.
type Status string

// The statuses of a run. A run that was killed still says that it is running.
const (
	Running     Status = "running"
	Done        Status = "done"
	Interrupted Status = "interrupted"
	Failed      Status = "failed"
)

// Single is the Precision of runs that compute in single precision.
const Single = "f32"

// A Record is run.json: what a run's draws depend on, and how it went.
type Record struct {
	Status Status `json:"status"`
	Error  string `json:"error,omitempty"` // of a failed run
	Exit   int    `json:"exit,omitempty"`  // its exit status
	// NoStart is the number of a chain that found no starting point, of a run that
	// failed so; else nil.
	NoStart *int   `json:"no_start,omitempty"`
	Version string `json:"sgppl_version"`
	// ID is this run's alone: a directory that was prepared anew has another.
	ID string `json:"id"`

	Model     string   `json:"model"`
	Source    string   `json:"model_file"` // as it was named
	ModelHash string   `json:"model_hash"` // SHA-256 of model.sg
	RowDim    string   `json:"row_dim,omitempty"`
	Sampled   bool     `json:"sampled,omitempty"` // latent values of rows were drawn, where they could join the unknowns
	Set       []string `json:"set,omitempty"`     // --set
	// Charts that params took beside those that the model asks for.
	Charts    map[string]string `json:"charts,omitempty"`
	Precision string            `json:"precision,omitempty"` // of data and gradients; f64 without
	Inputs    []string          `json:"inputs,omitempty"`    // --data, with absolute paths

	// Stream says that rows are read from their files as they are needed, by the
	// index in the directory; Passes is how many passes were asked for, 0 where
	// the number of draws was.
	Stream bool   `json:"stream,omitempty"`
	Passes int64  `json:"passes,omitempty"`
	Index  []byte `json:"-"` // what Prepare writes there
	// Before, unless it is nil, is called by Prepare when the directory is all but a run:
	// what has to be beside every run is put there.
	Before func() error `json:"-"`

	Names []string `json:"names,omitempty"` // --names, with absolute paths
	// Labels are the names that Names gives, by dim. They have a file of their
	// own, which Prepare writes and Labels reads.
	Labels map[string][]string `json:"-"`
	// Levels are the specs of --levels, as given.
	Levels []string `json:"levels,omitempty"`
	// NA is --na, as given, and Dropped the rows that it left out, by their dim.
	NA      string                  `json:"na,omitempty"`
	Dropped map[string]data.Dropped `json:"dropped,omitempty"`

	Data      []format.Fingerprint `json:"data"`
	Dims      map[string]int       `json:"dims"`
	Constants map[string]Exact     `json:"constants,omitempty"` // values of data alone, for score and predict
	Blocks    []string             `json:"blocks"`              // of the axis block in sample_stats
	Types     map[string]string    `json:"types,omitempty"`     // what each param is: real, sphere, …

	Seed     uint64           `json:"seed"`
	Settings sampler.Config   `json:"settings,omitzero"`  // of a sampler
	Optimize *optimize.Config `json:"optimize,omitempty"` // of an optimiser; nil of a sampler
	// Tuning is the plan of a run that found by itself how to sample, or was asked for an
	// anchor, and SetupSeconds is how long it took; Chosen says that the sampler was chosen.
	Tuning       *tall.Plan `json:"tuning,omitempty"`
	SetupSeconds float64    `json:"setup_seconds,omitempty"`
	Chosen       bool       `json:"sampler_chosen,omitempty"`
	// Fixed says that the step or the size of minibatches was given, not found: then a run
	// does not change them by itself.
	Fixed           bool     `json:"fixed,omitempty"`
	Engine          string   `json:"engine"`
	Threads         int      `json:"threads"`
	Keep            []string `json:"keep,omitempty"`         // globs of what is stored; all without
	KeepLast        int64    `json:"keep_last,omitempty"`    // store only the last so many draws of each chain; 0: all
	KeepMoments     bool     `json:"keep_moments,omitempty"` // store means and variances, and draws only where KeepLast or Reservoir says so
	Sketch          int      `json:"sketch,omitempty"`       // entries a number of quantile sketches beside the moments; 0: none
	Reservoir       int64    `json:"reservoir,omitempty"`    // store at most so many draws of each chain, evenly spread; 0: as the others say
	HeldOut         *HeldOut `json:"held_out,omitempty"`
	Chunk           int      `json:"chunk,omitempty"`
	LogLik          bool     `json:"log_lik,omitempty"` // the log likelihoods of the draws follow the run
	CheckpointEvery float64  `json:"checkpoint_seconds"`

	Started  string   `json:"started"` // RFC 3339
	Finished string   `json:"finished,omitempty"`
	Seconds  float64  `json:"seconds"` // of sampling, over all parts of an interrupted run
	Chains   []Chain  `json:"chains"`
	Health   []Health `json:"health,omitempty"`
	Judged   int      `json:"judged_numbers,omitempty"` // of very many numbers, of how many Health has R-hat and effective sizes

	// Digests says that the files of the run have digests; see const Digests.
	Digests string `json:"digests,omitempty"`
	// Files are the digests of files that are written once, by name.
	Files  map[string]string `json:"files,omitempty"`
	Digest string            `json:"digest,omitempty"` // of this file; the last field
}

// A Chain is how far a chain came.
type Chain struct {
	Steps   int64   `json:"steps"`
	Draws   int64   `json:"draws"`
	Seconds float64 `json:"seconds"`
	Rows    int64   `json:"rows,omitempty"`  // of --follow, how many it takes into account
	Found   *Found  `json:"found,omitempty"` // of an optimiser
	// Tuned is what the warm-up found in place of --step, of samplers on stochastic gradients.
	Tuned *sampler.TunedRun `json:"tuned,omitempty"`
	// Adapted is the step and the metric that the warm-up found, of nuts, hmc and gmc.
	Adapted *sampler.Adapted `json:"adapted,omitempty"`
}

// An Outline is what runs of samplers and of optimisers both have.
type Outline struct {
	Method string // the sampler's name, or all of them with their params, or the algorithm's
	Chains int
	Draws  int64 // of each chain
	Warmup int64 // steps before the first of them
	Thin   int64 // steps from one to the next
	Steps  int64
	Step   float64 // h; 0 where the run finds it
	Seed   uint64
}

// Outline is that of the run.
func (r *Record) Outline() Outline {
	if c := r.Optimize; c != nil {
		return Outline{c.Algorithm, c.Chains, 1, 0, 1, c.Steps, c.Step, c.Seed}
	}
	c := &r.Settings
	return Outline{c.Methods(), c.Chains, c.Draws, c.Warmup, c.Thin, c.Steps(), c.Step, c.Seed}
}

// String says what is to be run.
func (o Outline) String() string {
	if o.Draws == 1 && o.Warmup == 0 {
		return fmt.Sprintf("%s, %d chains of %d steps", o.Method, o.Chains, o.Steps)
	}
	return fmt.Sprintf("%s, %d chains of %d warm-up steps and %d draws", o.Method, o.Chains, o.Warmup, o.Draws)
}

// Health is a statistic of a block with what it should be; see package sampler.
type Health struct {
	Block     string `json:"block"`
	Statistic string `json:"statistic"`
	Value     Float  `json:"value"`
	Expected  Float  `json:"expected"`
	MCSE      Float  `json:"mcse"`
	Verdict   string `json:"verdict"`
}

// String is a line of text: what was measured, and what is known of it.
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
		out[i] = Health{r.Block, r.Statistic, Float(r.Value), Float(r.Expected), Float(r.MCSE), r.Verdict}
	}
	return out
}

// Values are the constants as package model takes them.
func (r *Record) Values() map[string][]float64 {
	out := map[string][]float64{}
	for name, x := range r.Constants {
		out[name] = x
	}
	return out
}

// Names of the files of a run directory.
const (
	recordName = "run.json"
	modelName  = "model.sg"
	drawsName  = "draws.zarr"
	warmupName = "warmup.zarr"
	logName    = "log.txt"
	logLikName = "log_likelihood.part"
	labelsName = "names.json"
	indexName  = "rows.index"
)

// IndexPath is the index of the rows of a run that reads them as they are
// needed.
func IndexPath(dir string) string { return filepath.Join(dir, indexName) }

// Draws is the path of the store of a run.
func Draws(dir string) string { return filepath.Join(dir, drawsName) }

// LogLikPart is where log likelihoods are before they become part of the store.
func LogLikPart(dir string) string { return filepath.Join(dir, logLikName) }

// Hash identifies a model text.
func Hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// Read reads run.json. Errors say what to do when dir is not a run directory.
func Read(dir string) (*Record, error) { return ReadOn(files.OS, dir) }

// ReadOn is Read on another file system than the operating system's.
func ReadOn(on files.FS, dir string) (*Record, error) {
	path := filepath.Join(dir, recordName)
	b, err := files.ReadFile(on, path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, noRun(dir)
	}
	if err != nil {
		if info, is := os.Stat(dir); is == nil && !info.IsDir() {
			return nil, noRun(dir)
		}
		return nil, fail(exitFiles, "%v", err)
	}
	r := &Record{}
	if err := json.Unmarshal(b, r); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	if err := unseal(b, r.Digests != ""); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	r.Digest = "" // write makes it
	switch r.Status {
	case Running, Done, Interrupted, Failed:
	default:
		return nil, fail(exitFiles, "%s is damaged: its status is %q", path, r.Status)
	}
	return r, nil
}

// ReadModel reads the text that ran and checks that it is the recorded one.
func ReadModel(dir string, r *Record) (string, error) {
	path := filepath.Join(dir, modelName)
	b, err := files.ReadFile(files.OS, path)
	if err != nil {
		return "", fail(exitFiles, "%v", err)
	}
	if Hash(string(b)) != r.ModelHash {
		return "", fail(exitUsage, "%s is not the text that ran: it was changed since; put it back, or start a new run", path)
	}
	return string(b), nil
}

// Labels are the names that a run has for the entries of dims; they may be missing.
func Labels(dir string, r *Record) (map[string][]string, error) {
	path := filepath.Join(dir, labelsName)
	b, err := files.ReadFile(files.OS, path)
	if errors.Is(err, fs.ErrNotExist) {
		if r.Files[labelsName] != "" {
			return nil, fail(exitFiles, "%s is gone", path)
		}
		return nil, nil
	}
	if err != nil {
		return nil, fail(exitFiles, "%v", err)
	}
	if err := r.once(labelsName, b); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	var names map[string][]string
	if err := json.Unmarshal(b, &names); err != nil {
		return nil, fail(exitFiles, "%s is damaged: %v", path, err)
	}
	return names, nil
}

// once holds a file that is written once against its digest in the record.
func (r *Record) once(name string, b []byte) error {
	if said := r.Files[name]; r.Digests != "" && said != digestOf(b) {
		return errors.New("it was changed or damaged since it was written: its digest does not fit")
	}
	return nil
}

// writeLabels writes what Labels reads.
func (r *Record) writeLabels(on files.FS, dir string) error {
	if len(r.Labels) == 0 {
		return nil
	}
	b, err := json.MarshalIndent(r.Labels, "", " ")
	if err != nil {
		return fail(exitFiles, "%s: %v", labelsName, err)
	}
	b = append(b, '\n')
	if r.Files == nil {
		r.Files = map[string]string{}
	}
	r.Files[labelsName] = digestOf(b)
	return disk(files.WriteFile(on, filepath.Join(dir, labelsName), b))
}

// write replaces run.json in one step.
func (r *Record) write(on files.FS, dir string) error {
	c := *r
	if c.Digests != "" {
		c.Digest = noDigest
	} else {
		c.Digest = ""
	}
	var b []byte
	var err error
	if c.Digest != "" {
		b, err = seal(&c, "  ")
	} else if b, err = json.MarshalIndent(&c, "", "  "); err == nil {
		b = append(b, '\n')
	}
	if err != nil {
		return fail(exitFiles, "%s: %v", recordName, err)
	}
	return disk(files.WriteFile(on, filepath.Join(dir, recordName), b))
}

// logLine appends a line to log.txt. The log is a help for people; a line
// that cannot be written stops nothing.
func logLine(on files.FS, dir string, now time.Time, format string, args ...any) {
	f, err := on.OpenFile(filepath.Join(dir, logName), os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return
	}
	text := strings.ReplaceAll(strings.TrimRight(fmt.Sprintf(format, args...), "\n"), "\n", "\n  ")
	fmt.Fprintf(f, "%s %s\n", now.Format(time.RFC3339), text)
	f.Close()
}
