package examples_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sgppl/sgppl/internal/driver"
	"github.com/sgppl/sgppl/internal/reference"
	"github.com/sgppl/sgppl/lang/ast"
	"github.com/sgppl/sgppl/lang/source"
	"github.com/sgppl/sgppl/runtime/engine/model"
	"github.com/sgppl/sgppl/runtime/infer/sampler"
	"github.com/sgppl/sgppl/runtime/math/rng"
	"github.com/sgppl/sgppl/runtime/results/diagnose"
)

// A referenceCase is a model of models/posteriordb and the posterior of the
// database that it is. The seeds were set before any run: those of nuts are 100
// and the number, those of msgnht 200 and the number.
type referenceCase struct {
	number           int
	model, posterior string
	// noRows: the model has no axis for minibatches, and --full-batch nothing to say.
	noRows bool
	nuts   referenceRun
	msgnht referenceRun
}

// A referenceRun has the settings that differ from those of most cases, which
// are where this has 0.
type referenceRun struct {
	draws int64
}

var referenceCases = []referenceCase{
	{1, "ark", "arK-arK", false, referenceRun{}, referenceRun{}},
	{2, "blr", "sblri-blr", false, referenceRun{}, referenceRun{}},
	{3, "eight_schools_noncentered", "eight_schools-eight_schools_noncentered", true,
		referenceRun{}, referenceRun{}},
	{4, "garch11", "garch-garch11", true, referenceRun{draws: 4000}, referenceRun{}},
	{5, "glm_poisson", "GLM_Poisson_Data-GLM_Poisson_model", false, referenceRun{}, referenceRun{}},
	{6, "gp_regr", "gp_pois_regr-gp_regr", true, referenceRun{}, referenceRun{}},
	{7, "hmm_example", "hmm_example-hmm_example", true, referenceRun{}, referenceRun{}},
	{8, "kidscore_interaction", "kidiq-kidscore_interaction", false, referenceRun{},
		referenceRun{}},
	{9, "logearn_interaction_z", "earnings-logearn_interaction_z", false, referenceRun{},
		referenceRun{}},
	{10, "logmesquite_logvash", "mesquite-logmesquite_logvash", false, referenceRun{},
		referenceRun{}},
	{11, "lotka_volterra", "hudson_lynx_hare-lotka_volterra", true, referenceRun{}, referenceRun{}},
	{12, "low_dim_gauss_mix", "low_dim_gauss_mix-low_dim_gauss_mix", false, referenceRun{},
		referenceRun{}},
	{13, "m0", "M0_data-M0_model", false, referenceRun{}, referenceRun{}},
	{14, "nes", "nes2000-nes", false, referenceRun{}, referenceRun{}},
	{15, "rate_2", "Rate_2_data-Rate_2_model", true, referenceRun{}, referenceRun{}},
	{16, "wells_dae", "wells_data-wells_dae_model", false, referenceRun{}, referenceRun{}},
}

// config is the run of a case by a sampler.
func (r *referenceCase) config(method string) sampler.Config {
	c := sampler.DefaultConfig()
	run := &r.nuts
	c.Sampler, c.Metric = method, "dense"
	switch method {
	case "nuts":
		c.TargetAccept, c.Warmup, c.Draws, c.Seed = 0.9, 1000, 2000, 100+uint64(r.number)
	case "msgnht":
		c.Scheme, c.FullBatch, c.Warmup, c.Draws, c.Thin, c.Seed = "split", !r.noRows, 2000, 1000,
			10, 200+uint64(r.number)
		run = &r.msgnht
	}
	if run.draws > 0 {
		c.Draws = run.draws
	}
	return c
}

// flags are those of the command line for the same run.
func (r *referenceCase) flags(method string) string {
	c := r.config(method)
	s := "--sampler " + method
	if c.Scheme != "" {
		s += " --scheme " + c.Scheme
	}
	if c.FullBatch {
		s += " --full-batch"
	}
	s += " --metric " + c.Metric
	if c.TargetAccept > 0 {
		s += fmt.Sprintf(" --target-accept %g", c.TargetAccept)
	}
	if file := r.startFile(); file != "" {
		s += " --init examples/" + filepath.ToSlash(file)
	}
	s += fmt.Sprintf(" --warmup %d --draws %d", c.Warmup, c.Draws)
	if c.Thin > 1 {
		s += fmt.Sprintf(" --thin %d", c.Thin)
	}
	return s + fmt.Sprintf(" --seed %d", c.Seed)
}

// startFile is the file next to the model with values to start at, if it has one.
func (r *referenceCase) startFile() string {
	file := filepath.Join("models", "posteriordb", r.model+".init.json")
	if _, err := os.Stat(file); err != nil {
		return ""
	}
	return file
}

// start puts the values of that file into the settings.
func (r *referenceCase) start(t testing.TB, m *model.Model, c *sampler.Config) {
	t.Helper()
	file := r.startFile()
	if file == "" {
		return
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var values map[string][]float64
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	out, x := make([]float64, m.OutputLen()), make([]float64, m.Dim())
	for _, o := range m.Outputs() {
		if copy(out[o.Offset:o.Offset+o.Len], values[o.Name]) != o.Len && !o.Track {
			t.Fatalf("%s has not the %d values of %s", file, o.Len, o.Name)
		}
	}
	if err := m.Evaluator(0).Unconstrain(out, x); err != nil {
		t.Fatal(err)
	}
	c.Init = [][]float64{x}
}

// target is the model bound to the data of the database.
func (r *referenceCase) target(t testing.TB) *model.Model {
	return onVM(t, compile(t, "posteriordb/"+r.model),
		reference.Path(t, "posteriordb", r.posterior, "data.json"))
}

// exactly is target with solutions of differential equations to twelve digits:
// those to the model's six jump, where a step is taken or not, by more than
// differences of the density bear.
func (r *referenceCase) exactly(t testing.TB) *model.Model {
	src := read(t, "posteriordb/"+r.model)
	text := strings.NewReplacer("rtol = 1e-6", "rtol = 1e-12", "atol = 1e-6",
		"atol = 1e-12").Replace(src.Text)
	c, diags := driver.Compile(source.New(r.model+".sg", text), driver.Options{})
	if len(diags) > 0 {
		t.Fatalf("%s: %s: %s", r.model, diags[0].Code, diags[0].Message)
	}
	return onVM(t, c, reference.Path(t, "posteriordb", r.posterior, "data.json"))
}

// TestReferenceModels: every model compiles, is as `sgppl fmt` prints it, and
// the README has its command for both samplers.
func TestReferenceModels(t *testing.T) {
	dir := filepath.Join("models", "posteriordb")
	readme, err := os.ReadFile(filepath.Join(dir, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]bool{}
	for i := range referenceCases {
		r := &referenceCases[i]
		has[r.model] = true
		src := read(t, "posteriordb/"+r.model)
		file, m := driver.Check(src, driver.Options{})
		for _, d := range m.Diags {
			t.Errorf("%s: %s %s", r.model, d.Code, d.Message)
		}
		if p := ast.Print(file); p != src.Text {
			t.Errorf("%s is not in the one layout, which is:\n%s", r.model, p)
		}
		compile(t, "posteriordb/"+r.model)
		for _, method := range []string{"nuts", "msgnht"} {
			if f := r.flags(method); !strings.Contains(string(readme), "`"+f+"`") {
				t.Errorf("%s: the README lacks %s", r.model, f)
			}
		}
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*.sg"))
	for _, f := range files {
		if name := strings.TrimSuffix(filepath.Base(f), ".sg"); !has[name] {
			t.Errorf("%s belongs to no case", f)
		}
	}
}

// TestReferenceGradients: the models take the data of the database, have the
// quantities of its reference, and gradients that are those of their densities.
func TestReferenceGradients(t *testing.T) {
	for i := range referenceCases {
		r := &referenceCases[i]
		t.Run(r.model, func(t *testing.T) {
			m := r.exactly(t)
			if (m.Rows() == 0) != r.noRows {
				t.Errorf("%d rows", m.Rows())
			}
			for name := range loadReference(t, r.posterior) {
				if _, _, ok := quantityAt(m, name); !ok {
					t.Errorf("no output is %s", name)
				}
			}
			e := m.Evaluator(16)
			src := rng.New(seed, i, rng.Init).At(0)
			x := make([]float64, m.Dim())
			var start sampler.Config
			r.start(t, m, &start)
			for range 2 {
				for i := range x {
					x[i] = 0.3 * src.Normal()
					if start.Init != nil {
						x[i] = start.Init[0][i] + 0.1*src.Normal()
					}
				}
				checkGradient(t, e, x, nil, 1, 1)
				checkRoundTrip(t, m, e, x)
				if n := m.Rows(); n > 0 {
					checkGradient(t, e, x, []int{n - 1, 1, n / 2, 3, 2}, float64(n)/5, 1)
					checkRows(t, m, e, x)
				}
			}
		})
	}
}

// A referenceValue is what the database, or exact integration in its place,
// says of one quantity.
type referenceValue struct {
	Mean      float64 `json:"mean"`
	SD        float64 `json:"sd"`
	MCSE      float64 `json:"mcse_mean"`
	Q5        float64 `json:"q5"`
	Q50       float64 `json:"q50"`
	Q95       float64 `json:"q95"`
	HeavyTail bool    `json:"heavy_tail"` // of infinite variance: median and width are compared
}

// loadReference has the refined values where there are any.
func loadReference(t testing.TB, posterior string) map[string]referenceValue {
	t.Helper()
	text, err := os.ReadFile(reference.Path(t, "posteriordb", posterior, "reference.json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		Params  map[string]referenceValue
		Refined struct{ Params map[string]referenceValue }
	}
	if err := json.Unmarshal(text, &file); err != nil {
		t.Fatal(err)
	}
	out := file.Params
	if refined := file.Refined.Params; len(refined) > 0 {
		for name, v := range refined {
			v.HeavyTail = file.Params[name].HeavyTail
			refined[name] = v
		}
		out = refined
	}
	if len(out) == 0 {
		t.Fatalf("%s has no reference values", posterior)
	}
	return out
}

// quantityAt finds a quantity by its name, such as beta[2] or log(x[1,2]), whose
// indices count from 1, in a draw.
func quantityAt(m *model.Model, name string) (at int, log, ok bool) {
	if inner, cut := strings.CutPrefix(name, "log("); cut {
		at, _, ok = quantityAt(m, strings.TrimSuffix(inner, ")"))
		return at, true, ok
	}
	base, rest, indexed := strings.Cut(strings.TrimSuffix(name, "]"), "[")
	for _, o := range m.Outputs() {
		if o.Name != base {
			continue
		}
		if !indexed {
			return o.Offset, false, len(o.Shape) == 0
		}
		parts := strings.Split(rest, ",")
		if len(parts) != len(o.Shape) {
			return 0, false, false
		}
		for k, p := range parts {
			i := 0
			if _, err := fmt.Sscan(p, &i); err != nil || i < 1 || i > o.Shape[k] {
				return 0, false, false
			}
			at = at*o.Shape[k] + i - 1
		}
		return o.Offset + at, false, true
	}
	return 0, false, false
}

// A comparison is how far draws are from a reference: the largest error of a
// mean in standard deviations, the ratio of standard deviations that is
// farthest from 1, the largest error of a mean in its Monte Carlo errors, and
// the least effective sample size.
type comparison struct {
	err, ratio, z, ess float64
	where              string // of the error
}

// compare holds every quantity of the reference against draws.
func (c *comparison) compare(
	m *model.Model, d *sampler.Draws, want map[string]referenceValue,
) error {
	*c = comparison{ratio: 1, ess: math.Inf(1)}
	for name, v := range want {
		at, log, ok := quantityAt(m, name)
		if !ok {
			return fmt.Errorf("no output is %s", name)
		}
		x := coordinate(d, at)
		if log {
			for _, chain := range x {
				for i, a := range chain {
					chain[i] = math.Log(a)
				}
			}
		}
		s := diagnose.Summarize(x)
		if math.IsNaN(s.SD + s.ESSBulk + s.MCSEMean) {
			return fmt.Errorf("the draws of %s are not finite, or all alike", name)
		}
		miss, ratio := (s.Mean-v.Mean)/v.SD, s.SD/v.SD
		if v.HeavyTail {
			const normal = 3.2897072539029444 // q95 − q5 of a unit normal
			miss, ratio = (s.Q50-v.Q50)/(v.Q95-v.Q5)*normal, (s.Q95-s.Q5)/(v.Q95-v.Q5)
		} else if z := math.Abs(s.Mean-v.Mean) / math.Hypot(s.MCSEMean, v.MCSE); z > c.z {
			c.z = z
		}
		if math.Abs(miss) > c.err || c.where == "" {
			c.err, c.where = math.Abs(miss), name
		}
		if math.Abs(math.Log(ratio)) > math.Abs(math.Log(c.ratio)) {
			c.ratio = ratio
		}
		c.ess = min(c.ess, s.ESSBulk)
	}
	return nil
}

// holds reports whether the comparison is within an error and a ratio.
func (c *comparison) holds(err, ratio float64) bool {
	return c.err <= err && c.ratio <= ratio && c.ratio >= 1/ratio
}

// TestComparison: the criterion by hand, on draws of which one number is off.
func TestComparison(t *testing.T) {
	m := onVM(t, compile(t, "posteriordb/rate_2"),
		jsonFile(t, map[string]any{"n1": 10, "n2": 10, "k1": 5, "k2": 7}))
	d := &sampler.Draws{Outputs: m.Outputs(), Width: m.OutputLen(), Chains: make([][]float64, 2)}
	src := rng.New(seed, 0, rng.Test).At(0)
	for k := range d.Chains {
		for range 4000 {
			d.Chains[k] = append(d.Chains[k], math.Exp(0.1*src.Normal()), 2+3*src.Normal(),
				src.Normal())
		}
	}
	want := map[string]referenceValue{
		"log(theta1)": {Mean: 0, SD: 0.1}, "theta2": {Mean: 2, SD: 3},
		"delta": {Q50: 0, Q5: -1.6449, Q95: 1.6449, HeavyTail: true},
	}
	var c comparison
	if err := c.compare(m, d, want); err != nil || !c.holds(0.05, 1.05) || c.z > 4 || c.ess < 6000 {
		t.Errorf("%+v, %v", c, err)
	}
	for name, wrong := range map[string]referenceValue{
		"log(theta1)": {Mean: 0.02, SD: 0.1}, "theta2": {Mean: 2, SD: 2.6},
		"delta": {Q50: 0.2, Q5: -1.6449, Q95: 1.6449, HeavyTail: true},
	} {
		right := want[name]
		want[name] = wrong
		if err := c.compare(m, d, want); err != nil || c.holds(0.1, 1.1) {
			t.Errorf("%s is off and was not noticed: %+v, %v", name, c, err)
		}
		want[name] = right
	}
	if err := c.compare(m, d, map[string]referenceValue{"theta3": {SD: 1}}); err == nil {
		t.Error("there is no theta3")
	}
	d.Chains[1][3] = math.NaN()
	if err := c.compare(m, d, want); err == nil {
		t.Error("a draw is not finite")
	}
}
