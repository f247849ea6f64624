package approximate

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/sgppl/sgppl/runtime/base/setting"
	"github.com/sgppl/sgppl/runtime/base/spelling"
	"github.com/sgppl/sgppl/runtime/engine/target"
	"github.com/sgppl/sgppl/runtime/infer/sampler/settings"
	"github.com/sgppl/sgppl/runtime/infer/tall/chart"
)

// A Method is a row of Table.
type Method struct {
	Name string
	Doc  string
	// Paths is how many points it begins at by default.
	Paths  int
	Source string
	find   func(f *finder) (*Mixture, error)
	sample func(f *finder) (*Particles, error) // of a method without a law; else nil
}

// Table has the methods, in the order in which they are shown.
var Table = []Method{
	{"laplace", "a normal law at each maximum of the density that climbs find, by its curvature " +
		"there, in proportion to what the laws say of the mass about it", 8,
		"Tierney and Kadane 1986, Accurate approximations for posterior moments", findLaplace, nil},
	{"pathfinder", "of each of several climbs the normal law along it with the greatest ELBO, " +
		"by the quasi-Newton estimate of the covariance", 8,
		"Zhang, Carpenter, Gelman and Vehtari 2022, Pathfinder: parallel quasi-Newton variational " +
			"inference", findPathfinder, nil},
	{"advi", "the normal law of a family with the greatest ELBO, by stochastic gradients that " +
		"begin at the law of pathfinder", 8,
		"Kucukelbir, Tran, Ranganath, Gelman and Blei 2017, Automatic differentiation variational " +
			"inference; steps by Welandawe, Andersen, Vehtari and Huggins 2022", findADVI, nil},
	{"smc", "particles taken through temperatures from a wide normal law to the posterior by " +
		"weights, resampling and Hamiltonian moves, in independent runs, with the log evidence", 100,
		"Del Moral, Doucet and Jasra 2006, Sequential Monte Carlo samplers; temperatures by Zhou, " +
			"Johansen and Aston 2016", nil, sampleSMC},
}

// Judged is the statistic of health that has the verdict.
func (m *Method) Judged() string {
	if m.sample != nil {
		return "evidence_spread"
	}
	return "pareto_k"
}

// Names are the names of the methods.
func Names() []string {
	out := make([]string, len(Table))
	for i := range Table {
		out[i] = Table[i].Name
	}
	return out
}

// Lookup finds the row of a name.
func Lookup(name string) (*Method, bool) {
	for i := range Table {
		if Table[i].Name == name {
			return &Table[i], true
		}
	}
	return nil, false
}

// Kinds of covariance matrices.
const (
	Dense    = "dense"
	Diagonal = "diagonal"
	LowRank  = "low-rank"
)

// Covariances are the kinds of covariance matrices.
var Covariances = []string{Dense, Diagonal, LowRank}

// aliases are other names of kinds of covariance matrices.
var aliases = map[string]string{
	"mean-field": Diagonal, "meanfield": Diagonal, "full-rank": Dense, "fullrank": Dense,
	"full": Dense, "diag": Diagonal, "lowrank": LowRank,
}

const (
	mostDense  = 2000 // unknowns of a dense matrix
	denseADVI  = 100  // unknowns up to which advi has a dense matrix by default
	defaultPow = 10   // directions of low-rank
)

// A Config is the settings of an approximation. Zeros stand for defaults.
type Config struct {
	Method     string `json:"method"`
	Covariance string `json:"covariance,omitempty"` // of laplace and advi
	Rank       int    `json:"rank,omitempty"`       // of low-rank
	// Only are globs of params: all others stay at the maximum. Of laplace.
	Only []string `json:"only,omitempty"`

	Paths      int     `json:"paths,omitempty"`      // points at which the method begins
	Iterations int     `json:"iterations,omitempty"` // most, of a climb or of advi
	Samples    int     `json:"samples,omitempty"`    // draws by which an ELBO is estimated
	Batch      int     `json:"batch,omitempty"`      // rows of a step of advi; 0: all
	Tolerance  float64 `json:"tolerance,omitempty"`  // of advi, in standard deviations

	Chains     int    `json:"chains"`
	Draws      int64  `json:"draws"`                // of each chain
	Candidates int64  `json:"candidates,omitempty"` // draws that are held against the density
	Resample   string `json:"resample,omitempty"`   // psis or none
	// Accept keeps draws that cannot stand for the posterior, and says so.
	Accept bool `json:"accept_approximation,omitempty"`

	Seed       uint64      `json:"seed"`
	Init       [][]float64 `json:"init,omitempty"`
	InitRadius float64     `json:"init_radius"`
	PlainStart bool        `json:"plain_start,omitempty"`
}

// DefaultConfig has the settings of a run without options.
func DefaultConfig() Config {
	d := settings.DefaultConfig()
	return Config{Method: "pathfinder", Chains: d.Chains, Draws: d.Draws, Seed: d.Seed,
		InitRadius: d.InitRadius, Resample: "psis"}
}

func refuse(name, value, problem, try string) error {
	return &settings.ConfigError{Setting: name, Value: value, Problem: problem, Try: try}
}

// Resolve completes the settings for a target. Its error says which setting is wrong, or that
// the target has no density that an approximation could be held against.
func (c Config) Resolve(t target.Target) (Config, error) {
	row, ok := Lookup(c.Method)
	if !ok {
		try := setting.Text("{method} ") + strings.Join(Names(), ", ")
		if near := spelling.Nearest(c.Method, Names()); near != "" {
			try = setting.Text("{method} ") + near
		}
		return c, refuse("method", c.Method, "there is no such method", try)
	}
	if err := suits(t); err != nil {
		return c, err
	}
	dim := chart.Dim(t)
	if err := c.covariance(dim); err != nil {
		return c, err
	}
	if err := c.rows(t); err != nil {
		return c, err
	}
	if c.Paths == 0 {
		c.Paths = row.Paths
	}
	if len(c.Only) > 0 {
		if c.Method != "laplace" {
			return c, refuse("only", "", "params that stay at the maximum are of laplace alone",
				setting.Text("{method} laplace"))
		}
		if err := c.matches(t); err != nil {
			return c, err
		}
	}
	if c.Iterations == 0 {
		c.Iterations = map[bool]int{true: 20000, false: 1000}[c.Method == "advi"]
	}
	if c.Samples == 0 {
		c.Samples = 10
	}
	if c.Method == "smc" {
		switch {
		case c.Chains < 2:
			return c, refuse("chains", fmt.Sprint(c.Chains),
				"each is an independent run of smc, and one has no error of its evidence",
				setting.Text("{chains} 4"))
		case c.Resample == "none":
			return c, refuse("resample", c.Resample, "particles of smc are resampled on the way", "")
		}
	}
	switch {
	case c.Method == "advi" && c.Tolerance == 0:
		c.Tolerance = 0.02
	case c.Method != "advi" && c.Tolerance != 0:
		return c, refuse("tolerance", fmt.Sprint(c.Tolerance), "it is of advi alone", "")
	}
	if c.Candidates == 0 {
		c.Candidates = int64(c.Chains) * c.Draws
	}
	return c, c.numbers()
}

// suits says why a target has no density that could be approximated.
func suits(t target.Target) error {
	if err := settings.Undropped(t); err != nil {
		return err
	}
	switch names := target.LocalsOf(t); {
	case t.Dim() == 0:
		return refusal("the model has no parameters, and so no posterior")
	case len(names) > 0:
		return refusal("chains draw latent values of rows (%s), so the density of the "+
			"params alone is not known, and nothing could be held against it; sample draws from "+
			"it", spelling.List(names))
	case !target.FullPasses(t):
		return refusal("the rows are read as they are needed, and draws of an approximation " +
			"are held against all of them; optimize finds a point of a stream, and sample draws")
	}
	return nil
}

// covariance settles the kind of covariance matrix.
func (c *Config) covariance(dim int) error {
	if kind, has := aliases[c.Covariance]; has {
		c.Covariance = kind
	}
	if c.Method == "smc" {
		if c.Covariance != "" || c.Rank != 0 {
			return refuse("covariance", c.Covariance, "smc moves particles by their own covariance", "")
		}
		return nil
	}
	if c.Method == "pathfinder" {
		if c.Covariance != "" {
			return refuse("covariance", c.Covariance,
				"pathfinder has a diagonal and the directions of its climb, always", "")
		}
		if c.Rank != 0 {
			return refuse("rank", fmt.Sprint(c.Rank), "pathfinder has the directions of its climb",
				"")
		}
		return nil
	}
	most := map[bool]int{true: denseADVI, false: mostDense}[c.Method == "advi"]
	switch {
	case c.Covariance == "" && dim <= most:
		c.Covariance = Dense
	case c.Covariance == "" && c.Method == "advi":
		c.Covariance = Diagonal
	case c.Covariance == "":
		c.Covariance = LowRank
	case !slices.Contains(Covariances, c.Covariance):
		return refuse("covariance", c.Covariance, "there is no such kind",
			setting.Text("{covariance} ")+strings.Join(Covariances, ", "))
	case c.Covariance == Dense && dim > mostDense && len(c.Only) == 0:
		return refuse("covariance", Dense, fmt.Sprintf("%d unknowns are more than %d, and a "+
			"dense matrix has the square of their number", dim, mostDense),
			setting.Text("{covariance} low-rank"))
	}
	if c.Covariance != LowRank {
		if c.Rank != 0 {
			return refuse("rank", fmt.Sprint(c.Rank), "it is of low-rank alone",
				setting.Text("{covariance} low-rank"))
		}
		return nil
	}
	if c.Rank == 0 {
		c.Rank = min(defaultPow, dim)
	}
	if c.Rank < 1 || c.Rank > dim {
		return refuse("rank", fmt.Sprint(c.Rank),
			fmt.Sprintf("at least 1, and at most the %d unknowns", dim), "")
	}
	return nil
}

// rows settles the size of minibatches.
func (c *Config) rows(t target.Target) error {
	switch n := t.Rows(); {
	case c.Batch == 0:
		return nil
	case c.Method != "advi":
		return refuse("batch", fmt.Sprint(c.Batch), c.Method+" takes all rows at once",
			setting.Text("{method} advi"))
	case n == 0:
		return refuse("batch", fmt.Sprint(c.Batch), "the model has no axis that can be minibatched: "+
			"its log density is not a sum over rows", "")
	case c.Batch < 1 || c.Batch > n:
		return refuse("batch", fmt.Sprint(c.Batch), fmt.Sprintf("axis %s has %d rows",
			t.RowAxis(), n), "")
	}
	return nil
}

// matches refuses globs that are the name of no param.
func (c *Config) matches(t target.Target) error {
	var names []string
	for _, b := range t.Blocks() {
		names = append(names, b.Name)
	}
	for _, g := range c.Only {
		if !slices.ContainsFunc(names, func(n string) bool { return settings.Matches(g, n) }) {
			return refuse("only", g, "no param is called so", strings.Join(names, ", "))
		}
	}
	return nil
}

// numbers refuses settings that are out of range.
func (c *Config) numbers() error {
	for _, s := range []struct {
		name        string
		value, most int64
	}{{"paths", int64(c.Paths), 1 << 16}, {"iterations", int64(c.Iterations), math.MaxInt32},
		{"samples", int64(c.Samples), 1 << 16}, {"chains", int64(c.Chains), 1 << 16},
		{"draws", c.Draws, math.MaxInt32}, {"candidates", c.Candidates, math.MaxInt32}} {
		if s.value < 1 || s.value > s.most {
			return refuse(s.name, fmt.Sprint(s.value),
				fmt.Sprintf("at least 1, and at most %d", s.most), "")
		}
	}
	if n := int64(c.Chains) * c.Draws; c.Resample == "none" && c.Candidates < n {
		return refuse("candidates", fmt.Sprint(c.Candidates),
			fmt.Sprintf("%d draws are to be stored", n), "")
	}
	switch {
	case c.Candidates < leastCandidates:
		return refuse("candidates", fmt.Sprint(c.Candidates), fmt.Sprintf("a Pareto k of fewer "+
			"than %d ratios says nothing", leastCandidates),
			setting.Text("{candidates} 1000, or more {draws}"))
	case c.Resample != "psis" && c.Resample != "none":
		return refuse("resample", c.Resample, "psis or none", "")
	case c.Tolerance < 0 || math.IsNaN(c.Tolerance) || math.IsInf(c.Tolerance, 0):
		return refuse("tolerance", fmt.Sprint(c.Tolerance), "it must be above 0", "")
	case !(c.InitRadius >= 0) || math.IsInf(c.InitRadius, 0):
		return refuse("init", fmt.Sprint(c.InitRadius), "a radius is at least 0", "")
	}
	return nil
}

// leastCandidates is the least number of ratios by which a verdict is given.
const leastCandidates = 100
